/** A world that sells a product which each signer is asked to sign; no document is signed with it. */
import type { Product } from "@quittance/domain/products/Product"
import type { SignatureTerms } from "@quittance/domain/products/sale/SignatureTerms"
import type { SignatureId } from "@quittance/domain/values/Ids"
import { SignaturesRepo } from "@quittance/persistence/signatures/SignaturesRepo"
import { Effect, Layer } from "effect"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { Signatures } from "../../src/signatures/Signatures.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"

export const layer = Layer.mergeAll(
  SignatureRequests.layer,
  Signatures.layer,
  SignaturesRepo.layer
).pipe(Layer.provideMerge(Sold.layer))

const terms: SignatureTerms = {
  method: "REQUEST",
  level: "SIMPLE",
  otp: "EMAIL",
  signers: [{ role: "POLICYHOLDER", which: "ALL", order: 1 }],
  expiresAfter: { amount: 14, unit: "DAY" },
  remindAfterDays: [],
  delivery: "EMAIL"
}

export const productOf = (more: Partial<SignatureTerms> = {}): Product => ({
  ...World.motor,
  documents: (World.motor.documents ?? []).map(({ sign: _sign, ...document }) => document),
  signature: { ...terms, ...more }
})

export const customer = { name: "Camille Martin", email: "camille@example.test" }

/** A confirmed policy of 10 March, 10:00 in Paris, and what is done to its signature. */
export const make = Effect.fnUntraced(function* (more: Partial<SignatureTerms> = {}) {
  const product = productOf(more)
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [product])
  const sold = yield* Sold.confirmed(world, { product, customer })
  const run = World.as(world, world.manager)
  const { policyId } = sold
  const request = (input: object = {}) =>
    run(SignatureRequests.use((requests) => requests.request({ policyId }, input)))
  const cancel = (id: SignatureId) =>
    run(SignatureRequests.use((requests) => requests.cancel(id, { reason: "Another vehicle" })))
  const get = (id: SignatureId) => run(Signatures.use((signatures) => signatures.get(id)))
  const steps = (id: SignatureId) => run(Signatures.use((signatures) => signatures.steps(id)))
  return { world, sold, policyId, product, run, request, cancel, get, steps }
})

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
