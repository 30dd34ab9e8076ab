/** Answers that are kept for repeated requests, and counters. */
import { mentionedIn, personal, type DataMap } from "../values/PersonalData.ts"

export const requestData = {
  idempotency: {
    class: "TECHNICAL",
    subject: mentionedIn("outcome"),
    none: "tenant_id caller_id key fingerprint recorded_at",
    personal: {
      outcome: personal("FREE_TEXT", "DELETE", { "/*": personal("FREE_TEXT", "DELETE") })
    }
  },
  rate_limit: {
    class: "TECHNICAL",
    none: "tenant_id count ends_at granted",
    personal: { bucket: personal("TECHNICAL", "DELETE") }
  },
  counter: { class: "NONE", none: "tenant_id series value given_at" }
} satisfies DataMap
