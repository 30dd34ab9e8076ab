/** Whether files are as a tenant has sealed them, for everybody who asks. Nothing of a file is kept. */
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Turns from "@quittance/domain/requests/Turns"
import {
  type FileNotVerifiable,
  type Verification,
  verificationLimit
} from "@quittance/domain/signatures/Verification"
import { TenantNotFound } from "@quittance/domain/tenants/Tenant"
import { SealKeysRepo } from "@quittance/persistence/signatures/SealKeysRepo"
import { readPem } from "@quittance/signatures/CertificatePath"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { RateLimits } from "../requests/RateLimits.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { judgeFile } from "./FileJudgement.ts"

/** Files that a program has in its memory at a time; of a tenant one waits for the other. */
const inMemory = { atOnce: 1, each: 1, waiting: 16 }

interface ReceivedFile {
  readonly file: { readonly bytes: Effect.Effect<Uint8Array> }
}

export class Verifications extends Context.Service<
  Verifications,
  {
    /** Judges a file, once one more of its sender's address is allowed; before it is received. */
    verify<E, R>(
      form: Effect.Effect<ReceivedFile, E, R | Scope.Scope>,
      address: string
    ): Effect.Effect<
      Verification,
      E | FileNotVerifiable | RateLimited | TenantNotFound,
      CurrentTenant | Exclude<R, Scope.Scope>
    >
  }
>()("@quittance/operations/Verifications") {
  static readonly layer = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const keys = yield* SealKeysRepo
      const limits = yield* RateLimits
      const tenants = yield* TenantDirectory
      const turns = Turns.make("LARGE_REQUESTS", inMemory)

      const judged = Effect.fnUntraced(function* ({ file }: ReceivedFile) {
        const stored = yield* keys.list
        const seals = stored.filter(({ use }) => use === "SEAL")
        return yield* judgeFile(yield* file.bytes, {
          anchors: stored.flatMap(({ certificates }) => readPem(certificates)),
          seals: new Set(seals.map(({ id }) => id)),
          now: yield* Clock.currentTimeMillis
        })
      })

      const verify: Verifications["Service"]["verify"] = (form, address) =>
        Effect.gen(function* () {
          const tenant = yield* CurrentTenant
          if ((yield* tenants.find(tenant)) === undefined) return yield* new TenantNotFound({})
          yield* limits.take(`verification:${SourceAddress.key(address)}`, verificationLimit)
          const received = yield* form
          return yield* turns.run(tenant, judged(received))
        }).pipe(Effect.scoped, Effect.withSpan("Verifications.verify"))

      return Verifications.of({ verify })
    })
  ).pipe(Layer.provide([RateLimits.layer, SealKeysRepo.layer, TenantDirectory.layer]))
}
