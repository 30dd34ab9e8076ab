/** Keys of tokens, and tokens that are no longer taken. */
import type { DataMap } from "../values/PersonalData.ts"

export const tokenData = {
  signing_key: {
    class: "NONE",
    none: "tenant_id kid state public_jwk encrypted_private_jwk created_at activated_at retired_at"
  },
  account_key: { class: "NONE", none: "tenant_id sealed_key" },
  revoked_token: { class: "TECHNICAL", none: "tenant_id jti expires_at revoked_at" }
} satisfies DataMap
