import * as PasswordHash from "@quittance/auth/PasswordHash"
import * as Turns from "@quittance/domain/requests/Turns"
import { observePool } from "@quittance/domain/telemetry/Pools"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Each hash takes 19 MiB and a processor for its time: so many at once, one of them of one tenant. Of each
 * tenant so many may wait, half a second's worth; further callers are told to try again.
 */
const limits = { atOnce: 2, each: 1, waiting: 16 }

export class Passwords extends Context.Service<
  Passwords,
  {
    hash(password: Redacted.Redacted): Effect.Effect<Redacted.Redacted, never, CurrentTenant>
    /**
     * Whether the password is right; as slow for a user that does not exist. A defect `Busy`, at once,
     * where too many of the tenant wait.
     */
    verify(
      password: Redacted.Redacted,
      stored: Redacted.Redacted | undefined
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const turns = Turns.make("PASSWORDS", limits)
      yield* observePool("passwords", turns, limits.atOnce)
      const inTurn = <A>(effect: Effect.Effect<A>) =>
        Effect.flatMap(CurrentTenant, (tenant) => turns.run(tenant, effect))

      const hash = Effect.fn("Passwords.hash")(function* (password: Redacted.Redacted) {
        const salt = yield* random.randomBytes(PasswordHash.saltBytes)
        const text = yield* PasswordHash.make(Redacted.value(password), salt)
        return Redacted.make(text)
      }, inTurn)

      const verify = Effect.fn("Passwords.verify")(function* (
        password: Redacted.Redacted,
        stored: Redacted.Redacted | undefined
      ) {
        const expected = stored === undefined ? PasswordHash.unknownUser : Redacted.value(stored)
        const matches = yield* PasswordHash.verify(Redacted.value(password), expected)
        return matches && stored !== undefined
      }, inTurn)

      return Passwords.of({ hash, verify })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
