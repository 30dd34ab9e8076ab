/** Withdrawals, and the letters that acknowledge them. */
import { type DataMap, personal, policyIn } from "../values/PersonalData.ts"

export const withdrawalData = {
  withdrawal: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id status requested_at ends_at refund currency confirmed_at refund_due_on refund_overdue_at acknowledged_at author",
    personal: {
      name: personal("IDENTITY", "TOKEN"),
      email: personal("CONTACT", "TOKEN"),
      policy_number: personal("FREE_TEXT", "NULL"),
      address: personal("TECHNICAL", "NULL"),
      user_agent: personal("TECHNICAL", "NULL")
    }
  },
  withdrawal_letter: {
    class: "NONE",
    none: "tenant_id withdrawal_id due_at attempts"
  }
} satisfies DataMap
