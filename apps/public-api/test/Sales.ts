/** Sales over HTTP, filled with the examples of the motor product. */
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { call, motor, type World } from "./Api.ts"

/** Calls a route in a user's name; an answer that is a failure fails the test. */
export const send = Effect.fnUntraced(function* (
  world: World,
  token: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
) {
  const answer = yield* call(path, { tenant: world.tenant, token, body, headers })
  if (answer.status >= 400) return yield* Effect.die(new Error(JSON.stringify(answer.body)))
  return answer
})

/** A policy of a visitor, with its policyholder and vehicle. */
export const prepared = Effect.fnUntraced(function* (
  world: World,
  token: string,
  extra: Record<string, unknown> = {}
) {
  const policy = yield* send(world, token, "/policies", {
    productId: "motor-fr",
    startedAt: "2026-04-01T00:00:00+02:00",
    customFields: fieldExamples(motor.fields.policy),
    ...extra
  })
  const policyId: string = policy.body.id
  const customer = yield* send(world, token, `/customers/policies/${policyId}`, {
    role: "POLICYHOLDER",
    name: "Camille Durand",
    email: "camille@example.test",
    customFields: fieldExamples(motor.fields.customer, "POLICYHOLDER")
  })
  const asset = yield* send(world, token, `/assets/policies/${policyId}`, {
    customFields: fieldExamples(motor.fields.asset)
  })
  const customerId: string = customer.body.customerId
  const assetId: string = asset.body.assetId
  return { policyId, customerId, assetId }
})

/** A policy that may be confirmed: quoted, with a confirmed customer. */
export const quoted = Effect.fnUntraced(function* (
  world: World,
  token: string,
  extra: Record<string, unknown> = {}
) {
  const records = yield* prepared(world, token, extra)
  const { body } = yield* send(world, token, `/policies/${records.policyId}/quote`, {})
  yield* send(world, token, `/customers/${records.customerId}/confirm`, {})
  return { ...records, premium: body.quote.totalPremium as Premium }
})

/** What prices the same without a record. */
export const risk = {
  productId: "motor-fr",
  customFields: fieldExamples(motor.fields.policy),
  customers: [
    { role: "POLICYHOLDER", customFields: fieldExamples(motor.fields.customer, "POLICYHOLDER") }
  ],
  assets: [{ customFields: fieldExamples(motor.fields.asset) }]
}

/** The example vehicle as a file with one line. */
export const fleet = [
  motor.fields.asset.map(({ key }) => key).join(","),
  motor.fields.asset.map(({ example }) => example).join(",")
].join("\n")

/** What signs a policy of the motor product. */
export const signature = {
  signer: { firstName: "Camille", lastName: "Durand", email: "camille@example.test" },
  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
}

/** A policy that has been signed and starts on 1 April, unless it is said otherwise. */
export const signed = Effect.fnUntraced(function* (
  world: World,
  token: string,
  extra: Record<string, unknown> = {}
) {
  const records = yield* quoted(world, token, extra)
  yield* send(world, token, `/policies/${records.policyId}/confirm`, {})
  yield* send(world, token, `/policies/${records.policyId}/sign`, signature)
  return records
})

export interface Premium {
  readonly amountWithFeesAndTaxes: number
}
