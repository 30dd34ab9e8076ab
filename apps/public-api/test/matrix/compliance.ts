import { Effect } from "effect"
import { call } from "../Api.ts"
import { send } from "../Sales.ts"
import { type AreaFixtures, dryRun } from "../MatrixFixture.ts"

/** A firm's entry, as its register shows it. */
export const found = {
  register: "ORIAS",
  number: "07000001",
  categories: ["COA"],
  validUntil: "2027-02-28",
  checkedAt: "2026-03-02T09:00:00Z",
  evidence: "https://www.orias.fr"
}

/** Two answers, the second of which a third party cover does not fit. */
export const answers = [
  { key: "wantsTheft", value: false },
  { key: "wantsDamage", value: true }
]

export const fixtures: AreaFixtures["fixtures"] = {
  "compliance.accept": { ...dryRun, body: { textId: "SUBSCRIPTION_TERMS", accepted: true } },
  "statements.record": { ...dryRun, body: { answers } },
  "statements.confirmDeviation": {
    ...dryRun,
    body: { ruleId: "DAMAGE_WANTED", confirmed: true }
  },
  "firmRegistrations.put": { ...dryRun, body: found }
}

/** What the tenant has found of the firm that the paths name. */
export const recordsOf: AreaFixtures["recordsOf"] = Effect.fnUntraced(function* (
  world,
  { brokerageFirmId, policyId }
) {
  const { manager, tenant } = world
  const path = `/brokerage-firms/${brokerageFirmId}/registration`
  const { status } = yield* call(path, { tenant, token: manager, method: "PUT", body: found })
  if (status !== 200) return yield* Effect.die(new Error(`The registration: ${status}`))
  const { body } = yield* send(world, manager, `/policies/${policyId}/statements`, { answers })
  return { statementId: String(body.id) }
})
