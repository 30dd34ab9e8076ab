/** Payouts, approvals, what banks say of payees, and lists of asset freezes. */
import {
  customerIn,
  type DataMap,
  personal,
  policyIn,
  throughTable
} from "../values/PersonalData.ts"

export const payoutData = {
  payout: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id kind policy_id customer_id refund_id bank_account_id payment_method_id currency status end_to_end_id requested_by requested_at approval_id",
    personal: {
      payee_name: personal("IDENTITY", "TOKEN"),
      amount: personal("MONEY", "KEEP"),
      remittance: personal("FREE_TEXT", "TOKEN"),
      payee_check: personal("IDENTITY", "TOMBSTONE", {
        "/nameAtBank": personal("IDENTITY", "TOMBSTONE")
      }),
      screening: personal("RISK", "KEEP", { "/entries": personal("RISK", "KEEP") }),
      outcome: personal("MONEY", "KEEP", { "/reasonCode": personal("MONEY", "KEEP") })
    }
  },
  approval: {
    class: "ACCOUNTING",
    subject: policyIn("policy_id"),
    none: "tenant_id id kind record_id policy_id currency reasons requested_by requested_at status",
    personal: {
      amount: personal("MONEY", "KEEP"),
      decision: personal("FREE_TEXT", "KEEP", { "/reason": personal("FREE_TEXT", "KEEP") })
    }
  },
  payee_check: {
    class: "MANDATE",
    subject: throughTable("payment_method_id", "payment_method"),
    none: "tenant_id payment_method_id result checked_at",
    personal: { name_at_bank: personal("IDENTITY", "NULL") }
  },
  screening_list: { class: "NONE", none: "tenant_id version entries loaded_at" },
  screening_name: { class: "NONE", none: "tenant_id version name_number entry_id name" },
  screening_word: { class: "NONE", none: "tenant_id version word name_number" }
} satisfies DataMap
