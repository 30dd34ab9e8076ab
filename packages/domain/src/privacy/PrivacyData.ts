/** Requests of persons about their data. */
import { customerIn, personal, type DataMap } from "../values/PersonalData.ts"

export const privacyData = {
  privacy_request: {
    class: "PRIVACY_REQUEST",
    none: "tenant_id id kind customer_ids status received_at due_at closed_at",
    personal: {
      extension: personal("FREE_TEXT", "NULL", { "/reason": personal("FREE_TEXT", "NULL") }),
      identity: personal("IDENTITY", "NULL", { "/how": personal("IDENTITY", "NULL") }),
      decision: personal("FREE_TEXT", "NULL", { "/text": personal("FREE_TEXT", "NULL") })
    }
  },
  erasure: {
    class: "NONE",
    none: "tenant_id id customer_id policy_id class counts privacy_request_id ground erased_at recorded_at"
  },
  retention_setting: {
    class: "NONE",
    none: "tenant_id is_automatic rules found_until changed_at changed_by"
  },
  retention_look: { class: "NONE", none: "tenant_id customer_id look_at" },
  retention_hold: {
    class: "PRIVACY_REQUEST",
    subject: customerIn("customer_id"),
    none: "tenant_id id customer_id policy_id until placed_by placed_at lifted_at",
    personal: { reason: personal("FREE_TEXT", "KEEP") }
  }
} satisfies DataMap
