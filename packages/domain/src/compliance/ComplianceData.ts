/** What proves that the duties of a sale were met. */
import { personal, policyIn, type DataMap } from "../values/PersonalData.ts"

const words = { "/*": personal("RISK", "TOMBSTONE") }

export const complianceData = {
  accepted_text: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id branch_id text_id text_hash accepted_at author",
    personal: {
      address: personal("TECHNICAL", "NULL"),
      user_agent: personal("TECHNICAL", "NULL")
    }
  },
  firm_registration: {
    class: "NONE",
    none: "tenant_id brokerage_firm_id seq register number categories valid_until checked_at evidence recorded_at author"
  },
  statement: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id branch_id seq change_seq questionnaire_version deviations author created_at digest",
    personal: {
      answers: personal("RISK", "TOMBSTONE", words),
      needs: personal("RISK", "TOMBSTONE", words),
      advice: personal("RISK", "TOMBSTONE", {
        "/reasons/*": personal("RISK", "TOMBSTONE"),
        "/compared/*": personal("RISK", "TOMBSTONE")
      })
    }
  },
  confirmed_deviation: {
    class: "NONE",
    none: "tenant_id statement_id rule_id confirmed_by confirmed_at"
  }
} satisfies DataMap
