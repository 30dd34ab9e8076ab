/** What people prove themselves with besides their password. */
import { Schema } from "effect"
import type { Action } from "../requests/Action.ts"

export const FactorKind = Schema.Literals(["PASSKEY", "TOTP"])
export type FactorKind = typeof FactorKind.Type

/** Actions that move money or rights: a tenant may require two factors of users who may do one of them. */
export const powerfulActions: ReadonlyArray<Action> = [
  "billing.write",
  "payment.write",
  "permission.write",
  "user.write",
  "client.write",
  "product.write"
]

/** Wrong answers of one user, however many times the password was right. */
export const factorLimit = { limit: 10, windowSeconds: 900 }
/** Wrong codes in a row after which an authenticator app counts no more (NIST SP 800-63B, 3.2.2). */
export const factorFailures = 100
/** The most factors that one person may have. */
export const maximumFactors = 10
export const recoveryCodes = 10

/** The sign-in took too long, was finished, or was tried too often. */
export class SignInOver extends Schema.TaggedError<SignInOver>()("SignInOver", {}) {
  override get message() {
    return "This sign-in took too long or was tried too often. Go back to the application and sign in again."
  }
}
