/** A motor product that each signer is asked to sign, as tests of signatures sell it. */
import { Effect } from "effect"
import { call, motor, type World } from "./Api.ts"
import { quoted, send } from "./Sales.ts"

export const requested = {
  ...motor,
  // Its documents would have to be made first.
  documents: (motor.documents ?? []).map(({ sign: _sign, ...document }) => document),
  productId: "motor-signed",
  quote: { validDays: 366 },
  signature: {
    method: "REQUEST",
    level: "SIMPLE",
    otp: "EMAIL",
    signers: [{ role: "POLICYHOLDER", which: "ALL", order: 1 }],
    // Tests that share a tenant move its clock.
    expiresAfter: { amount: 1, unit: "YEAR" },
    remindAfterDays: [3],
    delivery: "EMAIL"
  }
}

export const publishRequested = Effect.fnUntraced(function* ({ manager: token, tenant }: World) {
  const path = `/admin/products/${requested.productId}`
  const { status, text } = yield* call(path, { tenant, token, method: "PUT", body: requested })
  if (status >= 300) return yield* Effect.die(new Error(text))
})

/** A confirmed policy of the product, for which a signature may be requested. */
export const requestable = Effect.fnUntraced(function* (
  world: World,
  token: string,
  startedAt = "2026-06-01T00:00:00+02:00"
) {
  const { productId } = requested
  const records = yield* quoted(world, token, { productId, startedAt })
  yield* send(world, token, `/policies/${records.policyId}/confirm`, {})
  return records
})

/** The same with a signature that is open. */
export const open = Effect.fnUntraced(function* (world: World, token: string, startedAt?: string) {
  const records = yield* requestable(world, token, startedAt)
  const path = `/signatures/policies/${records.policyId}`
  const { body } = yield* send(world, world.manager, path, {})
  return { ...records, signatureId: String(body.id) }
})
