import * as PasswordHash from "@quittance/auth/PasswordHash"
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"

/** Each hash takes 19 MiB and a processor for its time: so many at once, the others wait. */
const atOnce = 2

export class Passwords extends Context.Service<
  Passwords,
  {
    hash(password: Redacted.Redacted): Effect.Effect<Redacted.Redacted>
    /** Whether the password is right; as slow for a user that does not exist. */
    verify(
      password: Redacted.Redacted,
      stored: Redacted.Redacted | undefined
    ): Effect.Effect<boolean>
  }
>()("@quittance/operations/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const turn = yield* Semaphore.make(atOnce)

      const hash = Effect.fn("Passwords.hash")(function* (password: Redacted.Redacted) {
        const salt = yield* random.randomBytes(PasswordHash.saltBytes)
        const text = yield* PasswordHash.make(Redacted.value(password), salt)
        return Redacted.make(text)
      }, turn.withPermits(1))

      const verify = Effect.fn("Passwords.verify")(function* (
        password: Redacted.Redacted,
        stored: Redacted.Redacted | undefined
      ) {
        const expected = stored === undefined ? PasswordHash.nobody : Redacted.value(stored)
        const matches = yield* PasswordHash.verify(Redacted.value(password), expected)
        return matches && stored !== undefined
      }, turn.withPermits(1))

      return Passwords.of({ hash, verify })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
