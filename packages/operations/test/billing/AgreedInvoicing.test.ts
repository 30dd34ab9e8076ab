/** A term is invoiced as it was signed: what is agreed otherwise counts from the next one. */
import { assert, layer } from "@effect/vitest"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { Effect } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const inArrear: InvoicingConfig = {
  frequency: "HALF_YEARLY",
  timing: "IN_ARREAR",
  firstPayment: "NONE"
}
const inAdvance: InvoicingConfig = {
  frequency: "YEARLY",
  timing: "IN_ADVANCE",
  firstPayment: "NONE"
}

layer(Contracts.layer, { excludeTestServices: true })(
  "invoicing that is changed by an endorsement",
  (it) => {
    for (const [name, effectiveAt] of [
      ["at the instant of the signature", "2026-03-10T09:00:00Z"],
      ["between signature and start", "2026-03-20T00:00:00Z"],
      ["at the start", "2026-04-01T00:00:00+02:00"]
    ] as const) {
      it.effect(`counts from the next term on, where it takes effect ${name}`, () =>
        Effect.gen(function* () {
          const world = yield* World.make()
          const run = World.as(world, world.manager)
          const contract = yield* Contracts.signed(world, { policy: { invoicingConfig: inArrear } })
          const { policyId } = contract
          const whenAt = World.at(effectiveAt)
          const branch = yield* run(
            Branches.use((branches) =>
              branches.open({ policyId }, { branchType: "MTA", effectiveAt: whenAt })
            )
          )
          const on = { policyId, branchId: branch.id }
          yield* run(
            Policies.use((policies) => policies.update(on, { invoicingConfig: inAdvance }))
          )
          yield* Contracts.endorse(world, on)
          yield* Contracts.moveTo(world, "2027-05-01T12:00:00Z")
          const invoices = yield* Contracts.invoices(world, contract)
          assert.deepStrictEqual(
            invoices.map(({ period }) => `${period.start} ${period.end}`),
            ["2026-04-01 2026-10-01", "2026-10-01 2027-04-01", "2027-04-01 2028-04-01"]
          )
        })
      )
    }
  }
)
