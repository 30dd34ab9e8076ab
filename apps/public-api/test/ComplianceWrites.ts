/** Writes on the duties before a sale that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { answers } from "./matrix/compliance.ts"
import { quoted, send } from "./Sales.ts"

export const complianceWrites = Effect.fnUntraced(function* (world: World) {
  const { manager, session: token } = world
  const { policyId } = yield* quoted(world, token)
  const path = `/policies/${policyId}/statements`
  const { body } = yield* send(world, manager, path, { answers })
  return {
    "compliance.accept": {
      token,
      method: "POST",
      path: `/policies/${policyId}/consents`,
      body: { textId: "SUBSCRIPTION_TERMS", accepted: true }
    },
    "statements.record": { token, method: "POST", path, body: { answers } },
    "statements.confirmDeviation": {
      token,
      method: "POST",
      path: `${path}/${body.id}/deviations`,
      body: { ruleId: "DAMAGE_WANTED", confirmed: true }
    }
  }
})
