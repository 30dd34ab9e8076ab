/** People with an account, what they may do, and letters that invite them. */
import { customerIn, personal, userIn, type DataMap } from "../values/PersonalData.ts"

export const accessData = {
  app_user: {
    class: "ACCOUNT",
    subject: userIn("id"),
    marks: { status: "DISABLED", disabled_at: "NOW" },
    none: "tenant_id id broker_role brokerage_firm_id status disabled_at created_at",
    personal: {
      email: personal("CONTACT", "TOKEN"),
      password_hash: personal("TECHNICAL", "NULL"),
      first_name: personal("IDENTITY", "NULL"),
      last_name: personal("IDENTITY", "NULL"),
      search: personal("CONTACT", "TOKEN")
    }
  },
  brokerage_firm: {
    class: "NONE",
    none: "tenant_id id name firm_type parent_brokerage_firm_id path custom_fields created_at"
  },
  client: {
    class: "NONE",
    none: "tenant_id id name kind internal scopes grant_types redirect_uris disabled_at created_at public_keys"
  },
  client_secret: { class: "NONE", none: "tenant_id client_id slot secret_hash created_at" },
  role: { class: "NONE", none: "tenant_id id name actions authority created_at last_modified_at" },
  permission_grant: {
    class: "ACCOUNT",
    subject: userIn("subject_id"),
    none: "tenant_id subject_id role kind brokerage_firm_id record_id target created_at custom_role"
  },
  identity_provider: {
    class: "NONE",
    none: "tenant_id issuer client_id encrypted_secret label mode links_by_email created_at last_modified_at"
  },
  user_identity: {
    class: "ACCOUNT",
    subject: userIn("user_id"),
    none: "tenant_id issuer user_id created_at",
    personal: { subject: personal("IDENTITY", "DELETE") }
  },
  second_factor: {
    class: "ACCOUNT",
    subject: userIn("user_id"),
    none: "tenant_id id user_id kind last_step failures counter created_at",
    personal: {
      name: personal("FREE_TEXT", "DELETE"),
      sealed_secret: personal("TECHNICAL", "DELETE"),
      credential_id: personal("TECHNICAL", "DELETE"),
      public_key: personal("TECHNICAL", "DELETE")
    }
  },
  recovery_code: {
    class: "ACCOUNT",
    subject: userIn("user_id"),
    none: "tenant_id user_id used_at",
    personal: { code_hash: personal("TECHNICAL", "DELETE") }
  },
  invitation: {
    class: "TECHNICAL",
    subject: customerIn("customer_id"),
    marks: { revoked_at: "NOW" },
    none: "tenant_id id purpose user_id customer_id permissions invited_by created_at expires_at used_at revoked_at",
    personal: {
      email: personal("CONTACT", "TOKEN"),
      first_name: personal("IDENTITY", "NULL"),
      last_name: personal("IDENTITY", "NULL"),
      token_hash: personal("TECHNICAL", "TOKEN")
    }
  },
  letter: { class: "TECHNICAL", none: "tenant_id invitation_id attempts due_at failure" },
  notice_letter: {
    class: "ACCOUNT",
    subject: userIn("user_id"),
    none: "tenant_id id kind user_id webhook_id happened_at attempts due_at"
  },
  letter_refusal: {
    class: "ACCOUNT",
    subject: userIn("user_id"),
    none: "tenant_id user_id refused_at"
  }
} satisfies DataMap
