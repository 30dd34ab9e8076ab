/** Receivers of events, and what they answered. */
import { mentionedIn, personal, type DataMap } from "../values/PersonalData.ts"

export const webhookData = {
  webhook: {
    class: "NONE",
    none: "tenant_id id url description types brokerage_firm_id ordering signing schema headers filters disabled_reason failing_since failing_told_at failures created_at"
  },
  webhook_secret: {
    class: "NONE",
    none: "tenant_id id webhook_id sealed_secret created_at ends_at"
  },
  webhook_stream: {
    class: "NONE",
    none: "tenant_id webhook_id is_enabled position from_position concurrency allowed successes per_second paced_until served_at"
  },
  webhook_lane: {
    class: "NONE",
    none: "tenant_id webhook_id replay_id subject done_seq last_seq previous ahead attempts due_at claimed_until claim first_seq"
  },
  webhook_attempt: {
    class: "TECHNICAL",
    subject: mentionedIn("subject"),
    none: "tenant_id webhook_id number event_id subject seq replay_id try tried_at duration outcome status address",
    personal: { excerpt: personal("FREE_TEXT", "DELETE") }
  },
  webhook_dead: {
    class: "NONE",
    none: "tenant_id webhook_id event_id subject seq previous died_at outcome status replay_id"
  },
  webhook_replay: {
    class: "NONE",
    none: "tenant_id webhook_id id source position from_position to_position recorded_from recorded_before types subject delivered dead created_at finished_at"
  }
} satisfies DataMap
