/** Those who record events: commands on policies and on records without one, committed in any order. */
import { example } from "@quittance/domain/values/PrefixedId"
import { Policies } from "@quittance/operations/policies/Policies"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import type { Draw } from "../Draw.ts"
import type { Sold } from "../Sale.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Transactions that wrote events, and those of them that were held open while others committed. */
export interface Written {
  committed: number
  held: number
  undone: number
}

export const none = (): Written => ({ committed: 0, held: 0, undone: 0 })

/** How many subjects without a policy a tenant has: few, so that writers meet. */
const subjects = 12

/** Events of some subjects, a few or many. */
const records = (draw: Draw) =>
  EventsRepo.use((events) =>
    events.insertOfRecords(
      Array.from({ length: draw.percent(10) ? 60 : 1 + draw.below(4) }, () => ({
        kind: "user.update",
        subject: `client:subject-${draw.below(subjects)}`,
        payload: { userId: example("user") }
      }))
    )
  )

/** A command on a policy, as an API has it done. */
const command = ({ policyId, world }: Sold, draw: Draw) =>
  World.as(world)(
    Policies.use((policies) => policies.update({ policyId }, { name: `name ${draw.below(1e6)}` }))
  )

/**
 * A writer that runs until the end. Writes that the database rolls back count as not made, and are not
 * repeated.
 */
export const write = Effect.fn("Writers.write")(function* (
  {
    draw,
    isBehind,
    isOver,
    sold
  }: {
    readonly sold: ReadonlyArray<Sold>
    readonly draw: Draw
    /** Whether so much waits for readers that writers do. */
    readonly isBehind: () => boolean
    readonly isOver: () => boolean
  },
  written: Written
) {
  const tenantSql = yield* TenantSql
  while (!isOver()) {
    if (isBehind()) {
      yield* Effect.promise(() => sleep(100))
      continue
    }
    const one = draw.one(sold)
    const holds = draw.percent(50)
    const isUndone = draw.percent(10)
    const work = Effect.gen(function* () {
      if (draw.percent(50)) yield* command(one, draw)
      else yield* records(draw)
      // A writer that began later commits earlier.
      if (holds) yield* Effect.promise(() => sleep(draw.below(draw.one([20, 100, 400]))))
      if (isUndone) return yield* Effect.fail("undone")
    })
    const exit = yield* tenantSql
      .transaction(work)
      .pipe(Effect.provideService(CurrentTenant, one.world.tenant), Effect.exit)
    if (exit._tag === "Failure") written.undone++
    else {
      written.committed++
      if (holds) written.held++
    }
    yield* Effect.promise(() => sleep(draw.below(20)))
  }
})
