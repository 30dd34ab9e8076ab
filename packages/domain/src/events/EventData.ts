/** The feed of events: each says which record changed, and at times why. */
import { policyIn, type DataMap } from "../values/PersonalData.ts"

export const eventData = {
  event: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    // A payload is made of identifiers, numbers and names of kinds: a test of the kinds holds that.
    none: "tenant_id policy_id seq id kind occurred_at recorded_at subject trace payload"
  },
  event_consumer: { class: "NONE", none: "tenant_id name position" },
  event_feed: { class: "NONE", none: "tenant_id position subject seq" },
  event_head: { class: "NONE", none: "tenant_id position" },
  event_pending: { class: "NONE", none: "tenant_id ticket subject seq" },
  subject_head: { class: "NONE", none: "tenant_id subject seq" }
} satisfies DataMap
