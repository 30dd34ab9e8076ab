/** A firm is looked up in its register, and a sale shows what it still needs. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { opened } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const client = by(world, world.client)
  const manager = by(world, world.manager)
  const firm = yield* client.post("/brokerage-firms", {
    name: "Durand Courtage",
    firmType: "RETAIL"
  })
  const registration = `/brokerage-firms/${firm["id"]}/registration`
  yield* manager.put(registration, {
    register: "ORIAS",
    number: "07000001",
    categories: ["COA"],
    validUntil: "2027-02-28",
    checkedAt: "2026-03-02T09:00:00Z",
    evidence: "https://www.orias.fr, read on 2 March 2026"
  })
  yield* manager.get(registration)

  const { policyId } = yield* opened(manager)
  yield* manager.get(`/policies/${policyId}/compliance`)
  yield* manager.post(`/policies/${policyId}/consents`, {
    textId: "SUBSCRIPTION_TERMS",
    accepted: true
  })
})
