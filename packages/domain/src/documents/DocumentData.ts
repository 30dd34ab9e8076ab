/** Documents of policies; their bytes are contents. */
import {
  customerIn,
  personal,
  policyIn,
  throughTable,
  type DataMap
} from "../values/PersonalData.ts"

export const documentData = {
  document: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    rowsWith: { column: "invoice_id", class: "ACCOUNTING" },
    marks: { status: "ERASED" },
    none: "tenant_id id policy_id branch_id event_id definition_id trigger kind status version visibility media_type customer_id invoice_id effective_at known_at product_id product_version template_id template_version renderer size pages created_at ready_at asset_id formal_notice_id change_id number in_force_at in_force_known_at ended_at restored_at voided_at origin author_kind author_id source_document_id",
    personal: {
      title: personal("FREE_TEXT", "TOKEN"),
      about: personal("FREE_TEXT", "NULL", { "/*": personal("FREE_TEXT", "NULL") }),
      void_reason: personal("FREE_TEXT", "NULL"),
      source_file: personal("FREE_TEXT", "NULL"),
      failure: personal("FREE_TEXT", "NULL", { "/*": personal("FREE_TEXT", "NULL") }),
      content_address: personal("TECHNICAL", "DESTROY"),
      sha256: personal("TECHNICAL", "NULL")
    }
  },
  document_delivery: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id id document_id customer_id channel level at recorded_at actor_kind actor_id",
    personal: {
      sha256: personal("TECHNICAL", "KEEP"),
      address: personal("TECHNICAL", "NULL"),
      user_agent: personal("TECHNICAL", "NULL")
    }
  },
  document_sending: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id id document_id customer_id channel at recorded_at actor_kind actor_id",
    personal: {
      sha256: personal("TECHNICAL", "KEEP"),
      address: personal("TECHNICAL", "NULL"),
      user_agent: personal("TECHNICAL", "NULL")
    }
  },
  document_letter: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id id document_id customer_id due_at attempts counted not_sent",
    personal: { counted_for: personal("TECHNICAL", "NULL") }
  },
  document_mailbox: {
    class: "TECHNICAL",
    none: "tenant_id since letters",
    personal: { key: personal("TECHNICAL", "DELETE") }
  },
  document_link: {
    class: "NONE",
    none: "tenant_id id document_id token_hash customer_id session_id once author_kind author_id created_at expires_at revoked_at opened_at"
  },
  document_request: {
    class: "CONTRACT",
    subject: customerIn("customer_id"),
    none: "tenant_id id policy_id branch_id customer_id kind label due_on status document_id author_kind author_id refusals created_at received_at fulfilled_at cancelled_at link_hash link_expires_at",
    personal: { note: personal("FREE_TEXT", "NULL") }
  },
  document_request_letter: {
    class: "CONTRACT",
    subject: throughTable("request_id", "document_request"),
    none: "tenant_id request_id due_at attempts not_sent",
    personal: { counted_for: personal("TECHNICAL", "NULL") }
  },
  document_scan: { class: "NONE", none: "tenant_id document_id tries try_at" },
  document_making: { class: "NONE", none: "tenant_id document_id tries try_at" },
  document_file: {
    class: "NONE",
    none: "tenant_id sha256 size media_type pages content_address added_at"
  },
  document_template: {
    class: "NONE",
    none: "tenant_id template_id version definition published_at"
  }
} satisfies DataMap
