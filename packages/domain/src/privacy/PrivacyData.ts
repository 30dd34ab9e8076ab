/** Requests of persons about their data. */
import { personal, type DataMap } from "../values/PersonalData.ts"

export const privacyData = {
  privacy_request: {
    class: "PRIVACY_REQUEST",
    none: "tenant_id id kind customer_ids status received_at due_at closed_at",
    personal: {
      extension: personal("FREE_TEXT", "NULL", { "/reason": personal("FREE_TEXT", "NULL") }),
      identity: personal("IDENTITY", "NULL", { "/how": personal("IDENTITY", "NULL") }),
      decision: personal("FREE_TEXT", "NULL", { "/text": personal("FREE_TEXT", "NULL") })
    }
  }
} satisfies DataMap
