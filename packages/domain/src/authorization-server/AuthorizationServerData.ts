/** What sign-ins leave behind. */
import { personal, userIn, type DataMap } from "../values/PersonalData.ts"

export const authorizationServerData = {
  authorization_code: {
    class: "TECHNICAL",
    subject: userIn("user_id"),
    none: "tenant_id client_id user_id redirect_uri code_challenge created_at expires_at used_at methods dpop_jkt authenticated_at",
    personal: {
      code_hash: personal("TECHNICAL", "DELETE"),
      address: personal("TECHNICAL", "DELETE"),
      browser: personal("TECHNICAL", "DELETE")
    }
  },
  refresh_family: {
    class: "TECHNICAL",
    subject: userIn("user_id"),
    none: "tenant_id id client_id user_id created_at expires_at revoked_at methods authenticated_at dpop_jkt",
    personal: {
      code_hash: personal("TECHNICAL", "DELETE"),
      address: personal("TECHNICAL", "DELETE"),
      browser: personal("TECHNICAL", "DELETE")
    }
  },
  refresh_token: {
    class: "TECHNICAL",
    none: "tenant_id family_id created_at used_at",
    personal: { token_hash: personal("TECHNICAL", "DELETE") }
  },
  sign_in_attempt: {
    class: "TECHNICAL",
    subject: userIn("user_id"),
    none: "tenant_id user_id stage methods challenge factor_id tries created_at expires_at used_at authenticated_at",
    personal: {
      secret_hash: personal("TECHNICAL", "DELETE"),
      sealed_secret: personal("TECHNICAL", "DELETE"),
      request: personal("TECHNICAL", "DELETE", {
        "/address": personal("TECHNICAL", "DELETE"),
        "/browser": personal("TECHNICAL", "DELETE"),
        "/loginHint": personal("CONTACT", "DELETE")
      })
    }
  },
  sign_in_guess: {
    class: "TECHNICAL",
    none: "tenant_id is_known wrong tried_at retry_at",
    personal: {
      key: personal("TECHNICAL", "DELETE"),
      account: personal("TECHNICAL", "DELETE")
    }
  }
} satisfies DataMap
