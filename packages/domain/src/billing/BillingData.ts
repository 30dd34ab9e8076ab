/** Invoices, and entries of the ledger: amounts and dates, which the law keeps. */
import { customerIn, personal, type DataMap } from "../values/PersonalData.ts"

export const billingData = {
  invoice: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id type series number status currency term period_start period_end cause is_first planned_on issued_at due_on paid_at collection credited_invoice_id",
    personal: {
      total: personal("MONEY", "KEEP"),
      paid: personal("MONEY", "KEEP"),
      amount: personal("MONEY", "KEEP", { "/*": personal("MONEY", "KEEP") }),
      lines: personal("MONEY", "KEEP", { "/*": personal("MONEY", "KEEP") })
    }
  },
  entry: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id customer_id kind source_id occurred_at recorded_at currency accounts",
    personal: { amounts: personal("MONEY", "KEEP") }
  }
} satisfies DataMap
