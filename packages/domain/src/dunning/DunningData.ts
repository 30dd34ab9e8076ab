/** Formal notices, and pauses of dunning. */
import { customerIn, personal, policyIn, type DataMap } from "../values/PersonalData.ts"

export const dunningData = {
  notice: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id invoice_ids status channel created_at sent_at announces_termination",
    personal: {
      // That a notice was sent is proven by its carrier and what was sent.
      evidence: personal("FREE_TEXT", "TOMBSTONE", {
        "/reference": personal("FREE_TEXT", "TOKEN"),
        "/address": personal("CONTACT", "NULL")
      })
    }
  },
  hold: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id product_ids from_at to_at created_at",
    personal: { reason: personal("FREE_TEXT", "TOKEN") }
  }
} satisfies DataMap
