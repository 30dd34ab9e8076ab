/** Asks of policies whether their books can take what is about to be posted. */
import { isLarge, overfull, type Posted } from "@quittance/billing/billing/LedgerRoom"
import type { Account } from "@quittance/domain/billing/Entry"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Context, Effect, Layer } from "effect"

/** What is about to be posted on one policy. */
export interface PostedOn {
  readonly policyId: PolicyId
  readonly entries: ReadonlyArray<Posted>
}

export class LedgerRoom extends Context.Service<
  LedgerRoom,
  {
    /** The policies whose books would leave the exact integers, each with the first such account. */
    lacking(
      posted: ReadonlyArray<PostedOn>
    ): Effect.Effect<ReadonlyMap<PolicyId, Account>, never, CurrentTenant>
  }
>()("@quittance/operations/LedgerRoom") {
  static readonly layer = Layer.effect(
    LedgerRoom,
    Effect.gen(function* () {
      const repo = yield* EntriesRepo

      const lacking = Effect.fn("LedgerRoom.lacking")(function* (posted: ReadonlyArray<PostedOn>) {
        const large = posted.filter(({ entries }) => isLarge(entries))
        if (large.length === 0) return new Map<PolicyId, Account>()
        const found = yield* repo.sums(
          large.map(({ policyId }) => policyId),
          ""
        )
        const sums = Map.groupBy(found, ({ policyId }) => policyId)
        return new Map(
          large.flatMap(({ entries, policyId }): ReadonlyArray<[PolicyId, Account]> => {
            const own = (sums.get(policyId) ?? []).map(
              ({ account, sum }) => [account, sum] as const
            )
            const account = overfull(new Map(own), entries)
            return account === undefined ? [] : [[policyId, account]]
          })
        )
      })

      return LedgerRoom.of({ lacking })
    })
  ).pipe(Layer.provide(EntriesRepo.layer))
}
