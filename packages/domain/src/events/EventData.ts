/** The feed of events: each says which record changed, and at times why. */
import { personal, policyIn, type DataMap } from "../values/PersonalData.ts"

export const eventData = {
  event: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id seq id kind occurred_at recorded_at subject trace",
    personal: {
      payload: personal("FREE_TEXT", "TOMBSTONE", { "/reason": personal("FREE_TEXT", "TOMBSTONE") })
    }
  },
  event_consumer: { class: "NONE", none: "tenant_id name position" },
  event_feed: { class: "NONE", none: "tenant_id position subject seq" },
  event_head: { class: "NONE", none: "tenant_id position" },
  event_pending: { class: "NONE", none: "tenant_id ticket subject seq" },
  subject_head: { class: "NONE", none: "tenant_id subject seq" }
} satisfies DataMap
