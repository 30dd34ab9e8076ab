/** Replacing the key that signs a tenant's tokens, as the operator does it. */
import * as SigningKey from "@quittance/auth/SigningKey"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import {
  type KeyEncryptionKeyDiffers,
  KeysRotatedMeanwhile,
  publicationLead,
  type PublishedKey
} from "@quittance/domain/tokens/SigningKey"
import { RevocationsRepo } from "@quittance/persistence/tokens/RevocationsRepo"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "./KeyEncryption.ts"
import { AuthorizationServerKeys } from "./SigningKeys.ts"
import { KeyEncryptionCheck } from "./KeyEncryptionCheck.ts"
import { settling } from "./VerificationKeys.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export interface Rotation {
  /** All keys of the tenant, as they are now. */
  readonly keys: ReadonlyArray<PublishedKey>
  /**
   * Until when clients that keep the key set may not know the key that signs now, and refuse its
   * tokens; absent when it has been published for long enough.
   */
  readonly unknownUntil: Instant | undefined
}

export class AuthorizationServerKeyRotation extends Context.Service<
  AuthorizationServerKeyRotation,
  {
    /** The keys of the tenant, the oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<PublishedKey>, never, CurrentTenant>
    /**
     * In one transaction the next key begins to sign, the active one retires and a new next one is made;
     * retired ones leave once no token of theirs can be valid. A key that another party may have is
     * `compromised`: it does not retire but is deleted, and its tokens end within a second.
     *
     * Waits up to three seconds where the next key was made just now, so that every instance can know it
     * before it sees a token that it signed.
     */
    rotate(options: {
      readonly compromised: boolean
    }): Effect.Effect<Rotation, KeysRotatedMeanwhile | KeyEncryptionKeyDiffers, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerKeyRotation") {
  static readonly layer = Layer.effect(
    AuthorizationServerKeyRotation,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const check = yield* KeyEncryptionCheck
      const repo = yield* SigningKeysRepo
      const revocations = yield* RevocationsRepo
      const keys = yield* AuthorizationServerKeys
      const tenantSql = yield* TenantSql
      const { keys: serviceKeys } = yield* KeyEncryption

      const settled = Effect.gen(function* () {
        const age = (yield* repo.ageOfNext) ?? 0
        if (age < settling) yield* Effect.sleep(Duration.seconds(settling - age))
      })

      const rotate = Effect.fn("AuthorizationServerKeyRotation.rotate")(function* ({
        compromised
      }: {
        readonly compromised: boolean
      }) {
        const tenant = yield* CurrentTenant
        yield* check.sameKey
        yield* keys.ensure
        const active = yield* repo.active
        yield* settled
        const next = yield* SigningKey.generate(tenant, Redacted.value(serviceKeys))
        const rotated = yield* tenantSql.transaction(
          Effect.gen(function* () {
            if (active === undefined) return false
            const farewell = compromised ? "DELETE" : "RETIRE"
            if (!(yield* repo.rotate(active.kid, farewell, next))) return false
            if (compromised) yield* revocations.revokeKey(active.kid)
            yield* repo.prune
            const { kid } = (yield* repo.active)!
            yield* audit.recordAll(actorOf(operator, "operator"), [
              {
                action: "key.rotate",
                recordId: kid,
                detail: { [compromised ? "deleted" : "retired"]: active.kid, next: next.kid }
              }
            ])
            return true
          })
        )
        if (!rotated) return yield* new KeysRotatedMeanwhile({ tenant })
        const published = yield* repo.published
        return { keys: published, unknownUntil: yield* unknownUntil(published) }
      })

      return AuthorizationServerKeyRotation.of({ list: repo.published, rotate })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      AuthorizationServerKeys.layer,
      KeyEncryptionCheck.layer,
      RevocationsRepo.layer,
      SigningKeysRepo.layer
    ])
  )
}

const unknownUntil = Effect.fnUntraced(function* (keys: ReadonlyArray<PublishedKey>) {
  const active = keys.find(({ state }) => state === "ACTIVE")
  if (active === undefined) return undefined
  const until = toEpochMillis(active.createdAt) + publicationLead * 1000
  return until > (yield* Clock.currentTimeMillis) ? fromEpochMillis(until) : undefined
})
