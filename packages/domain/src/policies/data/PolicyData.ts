/** Policies with their logs and quotes. */
import { personal, policyIn, type DataMap } from "../../values/PersonalData.ts"

/** Paths of a policy's state, which its log sets one by one. The product says what each field is. */
const statePaths = {
  "/name": personal("FREE_TEXT", "TOMBSTONE"),
  "/externalId": personal("FREE_TEXT", "TOMBSTONE"),
  "/customFields/*": personal("RISK", "TOMBSTONE"),
  "/customers/*/customFields/*": personal("IDENTITY", "TOMBSTONE"),
  "/assets/*/customFields/*": personal("RISK", "TOMBSTONE")
}

export const policyData = {
  policy: {
    class: "CONTRACT",
    subject: policyIn("id"),
    none: "tenant_id id incremental_id product_id product_version type brokerage_firm_id parent_id default_branch_id change_seq event_seq status stop_reason next_due_at created_at last_modified_at started_at revision told_until",
    personal: {
      author: personal("TECHNICAL", "KEEP", { "/id": personal("TECHNICAL", "KEEP") }),
      name: personal("FREE_TEXT", "NULL"),
      external_id: personal("FREE_TEXT", "NULL"),
      search: personal("FREE_TEXT", "NULL")
    }
  },
  policy_answer: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id format valid_from valid_to revision branch_type etag",
    personal: { body: personal("FREE_TEXT", "DELETE") }
  },
  policy_change: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id seq id branch_id kind effective_at recorded_at author reverts",
    personal: { patch: { ...personal("RISK", "TOMBSTONE", statePaths), isPatch: true } }
  },
  validity: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    own: "entity_id",
    none: "tenant_id policy_id branch_id entity_id entity_kind valid_from valid_to",
    personal: { state: personal("RISK", "TOMBSTONE", statePaths) }
  },
  policy_word: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id",
    personal: { word: personal("FREE_TEXT", "DELETE") }
  },
  external_id: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id",
    personal: { external_id: personal("FREE_TEXT", "DELETE") }
  },
  branch: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id id branch_type status stage effective_at forked_at forked_seq seq author created_at merged_at invalidated_at invalidation_reason first_forked_at first_forked_seq",
    personal: {
      name: personal("FREE_TEXT", "NULL"),
      aside: personal("RISK", "NULL", statePaths)
    }
  },
  quote: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id branch_id segment_from created_at expires_at",
    personal: {
      priced_hash: personal("RISK", "TOKEN"),
      content: personal("RISK", "TOMBSTONE", {
        "/quote/rates/*/inputs/*": personal("RISK", "TOMBSTONE"),
        "/proratedQuote/rates/*/inputs/*": personal("RISK", "TOMBSTONE"),
        "/explanation/components/*/steps/*/inputs/*": personal("RISK", "TOMBSTONE")
      }),
      premium_items: personal("MONEY", "KEEP", { "/*": personal("MONEY", "KEEP") })
    }
  }
} satisfies DataMap
