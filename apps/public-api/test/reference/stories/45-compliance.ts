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

  // They say what they need, are advised, and take a cheaper cover all the same.
  const { id } = yield* manager.post(`/policies/${policyId}/statements`, {
    answers: [
      { key: "wantsTheft", value: true },
      { key: "wantsDamage", value: true }
    ],
    advice: { kind: "ADVICE", reasons: ["The car is parked in the street."] }
  })
  yield* manager.post(`/policies/${policyId}/statements/${id}/deviations`, {
    ruleId: "DAMAGE_WANTED",
    confirmed: true
  })
  yield* manager.get(`/policies/${policyId}/statements`)
})
