/** Payments, refunds, accounts and mandates. */
import { customerIn, personal, throughTable, type DataMap } from "../values/PersonalData.ts"

export const paymentData = {
  payment: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id invoice_id currency method paid_at recorded_at",
    personal: {
      amount: personal("MONEY", "KEEP"),
      reference: personal("FREE_TEXT", "NULL"),
      allocations: personal("MONEY", "KEEP", { "/*": personal("MONEY", "KEEP") }),
      credit_balance: personal("MONEY", "KEEP")
    }
  },
  payment_return: {
    class: "ACCOUNTING",
    subject: throughTable("payment_id", "payment"),
    none: "tenant_id payment_id reason_code fee returned_at recorded_at"
  },
  refund: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id currency method recorded_at",
    personal: { amount: personal("MONEY", "KEEP"), reference: personal("FREE_TEXT", "NULL") }
  },
  refund_return: {
    class: "ACCOUNTING",
    subject: throughTable("refund_id", "refund"),
    none: "tenant_id refund_id returned_at recorded_at"
  },
  bank_account: {
    class: "NONE",
    none: "tenant_id id name sealed_iban iban_print settings created_at"
  },
  payment_number: { class: "NONE", none: "tenant_id letters last_number" },
  payment_method: {
    class: "MANDATE",
    subject: customerIn("customer_id"),
    none: "tenant_id id customer_id type status country created_at disabled_at",
    personal: {
      holder_name: personal("IDENTITY", "NULL"),
      holder_address: personal("CONTACT", "NULL", { "/*": personal("CONTACT", "NULL") }),
      last4: personal("MONEY", "NULL"),
      bic: personal("MONEY", "NULL"),
      sealed_iban: personal("MONEY", "NULL"),
      iban_print: personal("MONEY", "NULL")
    }
  },
  mandate: {
    class: "MANDATE",
    subject: customerIn("customer_id"),
    none: "tenant_id id payment_method_id customer_id bank_account_id creditor_identifier umr scheme type status locale text_hash signed_on last_presented_on blocked created_at",
    personal: {
      evidence: personal("IDENTITY", "NULL", { "/*": personal("IDENTITY", "NULL") }),
      unblocked: personal("IDENTITY", "NULL", { "/*": personal("IDENTITY", "NULL") }),
      bank_confirmation: personal("MONEY", "NULL", { "/*": personal("MONEY", "NULL") }),
      amendments: personal("MONEY", "NULL", { "/*": personal("MONEY", "NULL") })
    }
  }
} satisfies DataMap
