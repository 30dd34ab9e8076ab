/** A motor product that each signer is asked to sign, as tests of signatures sell it. */
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { SignerCodes } from "@quittance/operations/ceremonies/SignerCodes"
import { SignerLinks, signPath } from "@quittance/operations/ceremonies/SignerLinks"
import { operator } from "@quittance/operations/requests/Actor"
import { Signatures } from "@quittance/operations/signatures/Signatures"
import { Effect, Layer, Redacted } from "effect"
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
    remindAfterDays: [],
    delivery: "EMAIL"
  }
}

export const publishRequested = Effect.fnUntraced(function* ({ manager: token, tenant }: World) {
  for (const body of [requested, embedded, linked]) {
    const path = `/admin/products/${body.productId}`
    const { status, text } = yield* call(path, { tenant, token, method: "PUT", body })
    if (status >= 300) return yield* Effect.die(new Error(text))
  }
})

/** A confirmed policy of the product, for which a signature may be requested. */
export const requestable = Effect.fnUntraced(function* (
  world: World,
  token: string,
  startedAt = "2026-06-01T00:00:00+02:00",
  { productId } = requested
) {
  const records = yield* quoted(world, token, { productId, startedAt })
  yield* send(world, token, `/policies/${records.policyId}/confirm`, {})
  return records
})

/** The texts that a ceremony asks for, accepted as they are shown. */
export const accepted = ({
  texts
}: {
  texts: ReadonlyArray<{ textId: string; textHash: string }>
}) => texts.map(({ textHash, textId }) => ({ textId, textHash, accepted: true }))

/** The same with a signature that is open. */
export const open = Effect.fnUntraced(function* (
  world: World,
  token: string,
  startedAt?: string,
  product?: typeof requested
) {
  const records = yield* requestable(world, token, startedAt, product)
  const path = `/signatures/policies/${records.policyId}`
  const { body } = yield* send(world, world.manager, path, {})
  return { ...records, signatureId: String(body.id), signerId: String(body.signers[0].id) }
})

/** The same of a product whose programs vouch for the signer: no code is sent. */
export const embedded = {
  ...requested,
  productId: "motor-embedded",
  signature: { ...requested.signature, otp: "NONE", delivery: "EMBEDDED" }
}

/** The same whose programs give each signer their link. */
export const linked = {
  ...requested,
  productId: "motor-linked",
  signature: { ...requested.signature, delivery: "LINK" }
}

/** The code that a signer is sent first. */
export const codeOf = (
  { tenant }: World,
  ids: { readonly signatureId: string; readonly signerId: string }
) =>
  Effect.gen(function* () {
    const signature = yield* Signatures.use(({ get }) => get(SignatureId.make(ids.signatureId)))
    const signerId = SignerId.make(ids.signerId)
    return Redacted.value(
      yield* SignerCodes.use(({ code }) => code({ signature, signerId, number: 1 }))
    )
  }).pipe(
    Effect.orDie,
    Effect.provide(Layer.mergeAll(Signatures.layer, SignerCodes.layer)),
    Effect.provideService(CurrentCaller, operator),
    Effect.provideService(CurrentTenant, tenant)
  )

/** The address that the first letter of a signer has. */
export const linkOf = ({ tenant }: World, { signerId }: { readonly signerId: string }) =>
  SignerLinks.use(({ tokenAt }) => tokenAt(SignerId.make(signerId), 1)).pipe(
    Effect.map((token) => `http://localhost:8080${signPath}/${token}`),
    Effect.provide(SignerLinks.layer),
    Effect.provideService(CurrentTenant, tenant)
  )
