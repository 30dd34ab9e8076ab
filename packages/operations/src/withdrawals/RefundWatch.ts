/** Looks at the refund of a withdrawal on the day after the last one for it. */
import { jobName } from "@quittance/domain/requests/Actor"
import { type Withdrawal, WithdrawalId } from "@quittance/domain/withdrawals/Withdrawal"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { WithdrawalsRepo } from "@quittance/persistence/withdrawals/WithdrawalsRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"

const worker: Actor = { kind: "JOB", id: jobName, requestId: jobName }

export class RefundWatch extends Context.Service<RefundWatch, DueItemHandler>()(
  "@quittance/operations/RefundWatch"
) {
  static readonly layer = Layer.effect(
    RefundWatch,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const entries = yield* EntriesRepo
      const repo = yield* WithdrawalsRepo
      const tenantSql = yield* TenantSql

      /** Whether the policy still owes anyone what was credited to them. */
      const isOwed = ({ policyId }: Withdrawal) =>
        Effect.map(entries.sums([policyId], "balance:"), (balances) =>
          balances.some(({ sum }) => sum < 0)
        )

      const look = Effect.fnUntraced(function* (id: WithdrawalId) {
        const withdrawal = yield* Effect.orDie(repo.find(id))
        if (withdrawal.refundOverdueAt !== undefined || !(yield* isOwed(withdrawal))) return
        const { now } = yield* clock.read
        yield* repo.markOverdue(id, now)
        yield* audit.recordAll(worker, [
          {
            action: "withdrawal.overdue",
            recordId: id,
            detail: { policyId: withdrawal.policyId },
            businessAt: now
          }
        ])
      })

      return RefundWatch.of({
        kind: "watchRefunds",
        run: (recordId) =>
          Effect.as(tenantSql.transaction(look(WithdrawalId.make(recordId))), "DONE" as const)
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      EntriesRepo.layer,
      TenantClockRepo.layer,
      WithdrawalsRepo.layer
    ])
  )
}
