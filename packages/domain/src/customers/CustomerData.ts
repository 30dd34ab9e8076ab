/** Customers, each version of them, and the words that find them. */
import { customerIn, personal, type DataMap } from "../values/PersonalData.ts"

export const customerData = {
  customer: {
    class: "PERSON",
    subject: customerIn("id"),
    none: "tenant_id id type status payment_mode preferred_payment_method_id created_at last_modified_at",
    personal: {
      name: personal("IDENTITY", "NULL"),
      email: personal("CONTACT", "NULL"),
      search: personal("CONTACT", "NULL")
    }
  },
  customer_version: {
    class: "PERSON",
    subject: customerIn("customer_id"),
    none: "tenant_id customer_id recorded_at type status payment_mode preferred_payment_method_id",
    personal: { name: personal("IDENTITY", "NULL"), email: personal("CONTACT", "NULL") }
  },
  customer_policy: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id customer_id policy_id linked_at left_at ordinal"
  },
  customer_word: {
    class: "PERSON",
    subject: customerIn("customer_id"),
    none: "tenant_id customer_id",
    personal: { word: personal("CONTACT", "DELETE") }
  }
} satisfies DataMap
