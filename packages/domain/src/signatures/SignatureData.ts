/** Signatures and their steps. */
import { type DataMap, personal, policyIn } from "../values/PersonalData.ts"

export const signatureData = {
  signature: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id branch_id quote_id text_id text_hash consents signed_at",
    personal: {
      signer: personal("IDENTITY", "TOMBSTONE", {
        "/firstName": personal("IDENTITY", "TOKEN"),
        "/lastName": personal("IDENTITY", "TOKEN"),
        "/email": personal("CONTACT", "TOKEN")
      }),
      address: personal("TECHNICAL", "TOKEN"),
      user_agent: personal("TECHNICAL", "TOKEN")
    }
  },
  signature_request: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id signature_id policy_id branch_id branch_seq status level quotes documents created_at expires_at author signed_at completed_at closed_at",
    personal: {
      message: personal("FREE_TEXT", "NULL"),
      closed_reason: personal("FREE_TEXT", "NULL")
    }
  },
  signature_signer: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id signature_id policy_id position customer_id user_id role sign_order delivery otp status consents code_number code_tries codes_sent link_number link_hash remind_at reminded_at notified_at opened_at proven_at signed_at declined_at",
    personal: {
      first_name: personal("IDENTITY", "TOKEN"),
      last_name: personal("IDENTITY", "TOKEN"),
      email: personal("CONTACT", "TOKEN"),
      phone: personal("CONTACT", "NULL"),
      decline_reason: personal("FREE_TEXT", "NULL")
    }
  },
  signer_letter: { class: "NONE", none: "tenant_id signer_id due_at attempts" },
  signer_request_letter: { class: "NONE", none: "tenant_id signer_id kind due_at attempts" },
  signature_step: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id signature_id policy_id n hash",
    personal: { content: personal("IDENTITY", "TOKEN") }
  },
  signature_sealing: {
    class: "NONE",
    none: "tenant_id signature_id policy_id branch_id signed_at tries try_at"
  },
  signature_seal: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id signature_id policy_id level certificate sealed_at documents"
  },
  signature_evidence: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id signature_id policy_id made_at",
    personal: { entries: personal("IDENTITY", "NULL") }
  },
  seal_key: {
    class: "NONE",
    none: "tenant_id id use certificates sealed_key created_at retired_at"
  }
} satisfies DataMap
