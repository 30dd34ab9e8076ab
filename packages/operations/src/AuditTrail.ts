/** What writes leave behind: who did what to which record, in the transaction that did it. */
import { canonicalJson } from "@quittance/domain/CanonicalJson"
import { CurrentCaller, subject } from "@quittance/domain/Caller"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { RecordsRepo } from "@quittance/persistence/RecordsRepo"
import { TenantClockRepo } from "@quittance/persistence/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { CurrentRequest } from "./CurrentRequest.ts"
import { sha256 } from "./Sha256.ts"

/** A write: its action, its record, and the states of the record around it, absent where it is not there. */
export interface Write {
  readonly action: string
  readonly recordId: string
  readonly before?: unknown
  readonly after?: unknown
}

export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** Leaves the record of a write by the caller of the running request. */
    record(write: Write): Effect.Effect<void, never, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/AuditTrail") {
  static readonly layer = Layer.effect(
    AuditTrail,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const records = yield* RecordsRepo

      const record = Effect.fn("AuditTrail.record")(function* (write: Write) {
        const caller = yield* CurrentCaller
        const { now } = yield* clock.read
        yield* records.audit([
          {
            businessAt: now,
            actorKind: caller._tag,
            actorId: subject(caller),
            action: write.action,
            recordId: write.recordId,
            requestId: (yield* CurrentRequest).id,
            detail: {
              ...(write.before === undefined ? {} : { before: hashOf(write.before) }),
              ...(write.after === undefined ? {} : { after: hashOf(write.after) })
            }
          }
        ])
      })

      return AuditTrail.of({ record })
    })
  ).pipe(Layer.provide([RecordsRepo.layer, TenantClockRepo.layer]))
}

/** A digest of a state: that it changed can be seen, what it was can't. */
const hashOf = (state: unknown): string => sha256(canonicalJson(state))
