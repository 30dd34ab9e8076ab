/** What is owed by whom: rows are made again of policies and invoices. */
import { customerIn, personal, type DataMap } from "../values/PersonalData.ts"

export const accountingData = {
  owed_balance: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id policy_id customer_id currency amount since",
    personal: {}
  },
  receivable: {
    class: "ACCOUNTING",
    subject: customerIn("customer_id"),
    none: "tenant_id policy_id customer_id product_id time_zone brokerage_firm_id status stop_reason policy_created_at unpaid_count oldest_issued_at unpaid_issued_at last_formal_notice_sent_at",
    personal: {
      customer_name: personal("IDENTITY", "NULL"),
      search: personal("CONTACT", "NULL")
    }
  }
} satisfies DataMap
