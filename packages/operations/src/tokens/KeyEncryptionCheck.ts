import * as SigningKey from "@quittance/auth/SigningKey"
import { KeyEncryptionKeyDiffers } from "@quittance/domain/tokens/SigningKey"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "./KeyEncryption.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Keeps a program with another key of the service from storing what the service could not open. */
export class KeyEncryptionCheck extends Context.Service<
  KeyEncryptionCheck,
  { readonly sameKey: Effect.Effect<void, KeyEncryptionKeyDiffers, CurrentTenant> }
>()("@quittance/operations/KeyEncryptionCheck") {
  static readonly layer = Layer.effect(
    KeyEncryptionCheck,
    Effect.gen(function* () {
      const repo = yield* SigningKeysRepo
      const { keys: serviceKeys } = yield* KeyEncryption

      const sameKey = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        for (const key of yield* repo.unretired) {
          if (!(yield* SigningKey.isStoredUnder(tenant, key, Redacted.value(serviceKeys)))) {
            return yield* new KeyEncryptionKeyDiffers({ tenant })
          }
        }
      }).pipe(Effect.withSpan("KeyEncryptionCheck.sameKey"))

      return KeyEncryptionCheck.of({ sameKey })
    })
  ).pipe(Layer.provide(SigningKeysRepo.layer))
}
