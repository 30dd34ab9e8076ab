import { Effect } from "effect"
import type { World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"
import { account } from "./payment-methods.ts"

/** Agrees to another text than that of the mandate. */
const toSign = { consent: { textHash: "0".repeat(64), accepted: true } }

export const imported = {
  productId: "motor-fr",
  umr: "OLD-2024-001187",
  signedOn: "2026-01-12",
  evidence: "Archive of Acme, box 12"
}

/** Those who may sign are told to read the text first. */
const otherText = { status: 409, code: "CONFLICT" } as const
/** It is neither a B2B mandate that waits, nor a blocked one. */
const notOfB2b = { status: 409, code: "INVALID_TRANSITION" } as const

export const fixtures: Fixtures = {
  "mandates.create": { ...dryRun, body: { productId: "motor-fr", locale: "fr" } },
  "mandates.importSigned": { ...dryRun, body: imported },
  "mandates.sign": { ...dryRun, body: toSign, instead: otherText },
  "mandates.confirmBank": { ...dryRun, body: { evidence: "Letter" }, instead: notOfB2b },
  "mandates.amend": {
    ...dryRun,
    record: "activeMandateId",
    bodyOf: (_caller, { paymentMethodId }) => ({ paymentMethodId })
  },
  "mandates.unblock": { ...dryRun, body: { reason: "R", evidence: "E" }, instead: notOfB2b },
  "mandates.cancel": { ...dryRun, body: {} }
}

export const recordsOf = Effect.fnUntraced(function* (
  world: World,
  { customerId }: { readonly customerId: string }
) {
  const { body: method } = yield* send(
    world,
    world.manager,
    `/payment-methods/customers/${customerId}`,
    account
  )
  const path = `/mandates/payment-methods/${method.id}`
  const draft = yield* send(world, world.manager, path, { productId: "motor-fr", locale: "fr" })
  const active = yield* send(world, world.manager, `${path}/import`, {
    ...imported,
    umr: "OLD-2024-000001"
  })
  return { mandateId: String(draft.body.id), activeMandateId: String(active.body.id) }
})
