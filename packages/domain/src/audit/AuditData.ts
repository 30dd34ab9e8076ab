/** The audit trail: identifiers and digests, so its chain outlives an erasure. */
import { personal, type DataMap } from "../values/PersonalData.ts"

export const auditData = {
  audit: {
    class: "AUDIT",
    none: "tenant_id recorded_at id business_at actor_kind action record_id request_id outcome position hash sealed_at",
    personal: {
      actor_id: personal("TECHNICAL", "KEEP"),
      detail: personal("TECHNICAL", "KEEP", { "/*": personal("TECHNICAL", "KEEP") })
    }
  },
  audit_head: { class: "NONE", none: "tenant_id position hash sealed_at" },
  audit_pending: { class: "NONE", none: "tenant_id id" }
} satisfies DataMap
