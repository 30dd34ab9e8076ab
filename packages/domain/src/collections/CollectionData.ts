/** Debits, and the invoices that they collect. */
import { customerIn, type DataMap, personal } from "../values/PersonalData.ts"

export const collectionData = {
  debit: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id bank_account_id payment_method_id mandate_id scheme end_to_end_id currency status notification_days announcement notified_on earliest submit_on collect_on attempt cancellation planned_at payment_file_id sequence payment_id flag reason_code failed_on replaces",
    personal: { amount: personal("MONEY", "KEEP") }
  },
  payment_file: {
    class: "ACCOUNTING",
    none: "tenant_id id bank_account_id kind scheme submit_on run message message_id currency status count sum groups faults answers sha256 content_address opened_at sealed_at delivered_at cancelled_at is_simulated"
  },
  debit_refusal: {
    class: "ACCOUNTING",
    none: "tenant_id debit_id payment_file_id reason_code told_at is_followed"
  },
  debit_letter: {
    class: "NONE",
    none: "tenant_id debit_id due_at attempts"
  },
  simulated_answer: {
    class: "NONE",
    none: "tenant_id payment_file_id kind told_on bank_account_id due_at told_at"
  },
  simulated_transfer: {
    class: "ACCOUNTING",
    none: "tenant_id id bank_account_id booked_on due_at amount received_at",
    personal: {
      debtor_name: personal("IDENTITY", "KEEP"),
      sealed_iban: personal("MONEY", "KEEP"),
      remittance: personal("FREE_TEXT", "KEEP"),
      reference: personal("FREE_TEXT", "KEEP")
    }
  },
  file_delivery: {
    class: "NONE",
    none: "tenant_id payment_file_id token due_at attempts"
  },
  debit_item: {
    class: "ACCOUNTING",
    none: "tenant_id debit_id invoice_id position",
    personal: { notified: personal("MONEY", "KEEP"), amount: personal("MONEY", "KEEP") }
  }
} satisfies DataMap
