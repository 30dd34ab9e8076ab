/** What proves that the duties of a sale were met. */
import { personal, policyIn, type DataMap } from "../values/PersonalData.ts"

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
  }
} satisfies DataMap
