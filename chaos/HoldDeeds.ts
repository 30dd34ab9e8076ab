/** What keeps the clock of unpaid premiums away from a policy, or from many. */
import { Dunning } from "@quittance/operations/dunning/Dunning"
import { Moratoriums } from "@quittance/operations/dunning/Moratoriums"
import { Effect } from "effect"
import { day, later, type Occasion, run } from "./Occasion.ts"

/** From now on or some days to come, for weeks or until it is lifted. */
export const hold = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, name, now, sold } = occasion
  const from = later(now, (1 + draw.below(20)) * day)
  const placed = {
    reason: name,
    ...(draw.percent(50) ? {} : { from }),
    ...(draw.percent(20) ? {} : { to: later(from, (1 + draw.below(50)) * day) })
  }
  const { id } = yield* run(
    occasion,
    "hold"
  )(Dunning.use((dunning) => dunning.placeHold(sold.policyId, placed)))
  sold.holds.push(id)
})

export const lift = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, sold } = occasion
  const [holdId] = sold.holds.splice(draw.below(sold.holds.length || 1), 1)
  if (holdId === undefined) return
  yield* run(occasion, "lift")(Dunning.use((dunning) => dunning.liftHold(sold.policyId, holdId)))
})

/** Over all policies of the tenant, or those of some products; now and then one is lifted. */
export const moratorium = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, name, now, sold } = occasion
  const standing = (yield* run(
    occasion,
    "moratoriums"
  )(Moratoriums.use(({ list }) => list))).filter(({ to }) => to > now)
  if (standing.length > 0) {
    const { id } = draw.one(standing)
    return yield* run(
      occasion,
      "lift-moratorium"
    )(Moratoriums.use((moratoriums) => moratoriums.lift(id)))
  }
  const placed = {
    reason: name,
    to: later(now, (1 + draw.below(40)) * day),
    ...(draw.percent(50) ? {} : { productIds: [sold.product.productId] })
  }
  yield* run(occasion, "moratorium")(Moratoriums.use((moratoriums) => moratoriums.place(placed)))
})
