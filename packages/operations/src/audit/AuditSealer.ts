/** Chains the rows of the audit trail, a moment after they were written, so that writers never wait. */
import { runFor } from "../requests/TenantBatch.ts"
import { AuditChainRepo } from "@quittance/persistence/audit/AuditChainRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import * as AuditChain from "./AuditChain.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

/** How many rows one transaction seals. */
const batchSize = 1000

/** What a batch did. */
export interface Sealed {
  readonly rows: number
  /** Whether more may wait. */
  readonly more: boolean
}

export class AuditSealer extends Context.Service<
  AuditSealer,
  {
    /** Seals one batch; nothing where another sealer works for the tenant. */
    readonly sealBatch: Effect.Effect<Sealed, never, CurrentTenant>
    /**
     * One batch of each tenant with rows that wait; whether more may wait. What fails for one tenant is
     * logged and holds up no other.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/AuditSealer") {
  static readonly layer = Layer.effect(
    AuditSealer,
    Effect.gen(function* () {
      const repo = yield* AuditChainRepo
      const tenantSql = yield* TenantSql

      const sealBatch = Effect.gen(function* () {
        if (!(yield* repo.lock)) return { rows: 0, more: false }
        const rows = yield* repo.take(batchSize)
        if (rows.length === 0) return { rows: 0, more: false }
        const head = (yield* repo.head) ?? AuditChain.origin
        const { hashed, stored } = yield* repo.now
        yield* repo.seal(AuditChain.seal(yield* CurrentTenant, head, rows, hashed), stored)
        return { rows: rows.length, more: rows.length === batchSize }
      }).pipe(tenantSql.transaction, Effect.withSpan("AuditSealer.sealBatch"))

      const sealFor = (tenantId: TenantId) =>
        runFor(
          tenantId,
          Effect.map(sealBatch, ({ more }) => more),
          { message: "The audit trail could not be sealed", answer: false }
        )

      const round = Effect.gen(function* () {
        const more = yield* Effect.forEach(yield* repo.tenants, sealFor)
        return more.includes(true)
      }).pipe(Effect.withSpan("AuditSealer.round"))

      return AuditSealer.of({ sealBatch, round })
    })
  ).pipe(Layer.provide(AuditChainRepo.layer))
}
