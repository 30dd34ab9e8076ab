/** Versions of a policy beside what is in force: endorsements that meet, and offers of a renewal. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { signature, signed, type Sold } from "../Sale.ts"
import { by, type Person } from "../Stage.ts"

const june = "2026-06-14T22:00:00.000Z"

/** An endorsement with another mileage a year, quoted and confirmed. */
const endorsed = Effect.fnUntraced(function* (
  person: Person,
  policyId: string,
  { mileage, name }: { readonly mileage: number; readonly name: string }
) {
  const path = `/policies/${policyId}`
  const { id } = yield* person.post(`${path}/branches`, {
    branchType: "MTA",
    name,
    effectiveAt: june
  })
  yield* person.patch(`${path}?branchId=${id}`, {
    customFields: [{ key: "annualMileage", value: mileage }]
  })
  yield* person.post(`${path}/quote?branchId=${id}`)
  yield* person.post(`${path}/confirm?branchId=${id}`)
  return String(id)
})

/** The offer that the service has made of a policy's next term. */
const offerOf = Effect.fnUntraced(function* (person: Person, policyId: string) {
  const { data } = yield* person.get(`/policies/${policyId}/branches`)
  const branches: ReadonlyArray<Record<string, string>> = data
  return branches.find(({ branchType }) => branchType === "RENEWAL")!["id"]!
})

export const story = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  const manager = by(world, world.manager)
  const path = `/policies/${policyId}`

  // Two people at the broker's heard about the new job, and not the same.
  const longer = { name: "Longer way to work", mileage: 25_000 }
  const one = yield* endorsed(manager, policyId, longer)
  yield* manager.get(`/branches/${one}`)
  yield* manager.get(`/branches/${one}/diff`)
  const other = yield* endorsed(manager, policyId, { name: "Works from home", mileage: 6000 })
  yield* manager.get(`${path}/branches`)
  yield* manager.post(`${path}/sign?branchId=${one}`, signature)
  yield* manager.post(`/branches/${other}/rebase`, {
    resolutions: [{ path: "/customFields/annualMileage", from: june, take: "ours" }]
  })
  const fork = yield* manager.post(`/branches/${other}/fork`, {
    name: "The same, with another tier"
  })
  yield* manager.post(`/branches/${fork["id"]}/invalidate`, { reason: "CUSTOMER_REQUEST" })
  yield* manager.post(`/branches/${other}/invalidate`, { reason: "BROKER_REQUEST" })

  // Cars for the season, whose next terms are offered already.
  const season = { name: "For the season", periodDuration: { unit: "MONTH", amount: 2 } }
  const accepted = yield* signed(manager, season)
  yield* manager.post(`/branches/${yield* offerOf(manager, accepted.policyId)}/accept`)
  const varied = yield* signed(manager, season)
  const variant = yield* manager.post(
    `/branches/${yield* offerOf(manager, varied.policyId)}/fork`,
    { name: "Without an excess" }
  )
  const query = `?branchId=${variant["id"]}`
  yield* manager.post(`/policies/${varied.policyId}/quote${query}`, { tierId: "COMPREHENSIVE" })
  yield* manager.post(`/policies/${varied.policyId}/confirm${query}`)
  yield* manager.post(`/branches/${variant["id"]}/merge`)
})
