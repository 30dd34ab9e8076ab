/** New passwords: checked against what is publicly known of the user, then hashed. */
import { commonPasswords } from "@quittance/auth/CommonPasswords"
import { passwordFault, type WeakPassword } from "@quittance/domain/tokens/Password"
import { Context, Effect, Layer, Redacted } from "effect"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Passwords } from "../tokens/Passwords.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Whom a password is for. */
export interface Owner {
  readonly email: string
  /** First and last name, as far as they are known. */
  readonly names: ReadonlyArray<string>
}

export class NewPasswords extends Context.Service<
  NewPasswords,
  {
    /** The hash of a password that is strong enough for its owner. */
    hash(
      password: Redacted.Redacted,
      owner: Owner
    ): Effect.Effect<Redacted.Redacted, WeakPassword, CurrentTenant>
  }
>()("@quittance/operations/NewPasswords") {
  static readonly layer = Layer.effect(
    NewPasswords,
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const tenants = yield* TenantDirectory

      const hash = Effect.fn("NewPasswords.hash")(function* (
        password: Redacted.Redacted,
        { email, names }: Owner
      ) {
        const id = yield* CurrentTenant
        const tenant = yield* tenants.find(id)
        const ownWords = [id, ...(tenant === undefined ? [] : [tenant.name]), ...names]
        const fault = passwordFault(Redacted.value(password), email, ownWords, commonPasswords)
        return fault === undefined ? yield* passwords.hash(password) : yield* fault
      })

      return NewPasswords.of({ hash })
    })
  ).pipe(Layer.provide([Passwords.layer, TenantDirectory.layer]))
}
