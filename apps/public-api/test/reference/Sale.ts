/** A visitor insures their car, from the first price to the signature. */
import { Effect } from "effect"
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { motor, type World } from "../Api.ts"
import { risk } from "../Sales.ts"
import { by, type Person } from "./Stage.ts"

/** A policyholder of that name, otherwise as the fields of the product have it. */
const person = (firstName: string, lastName: string) => ({
  role: "POLICYHOLDER",
  type: "INDIVIDUAL",
  name: `${firstName} ${lastName}`,
  email: `${firstName}.${lastName}@example.org`.toLowerCase(),
  customFields: fieldExamples(motor.fields.customer, "POLICYHOLDER").map(({ key, value }) => ({
    key,
    value: key === "firstName" ? firstName : key === "lastName" ? lastName : value
  }))
})

const camille = person("Camille", "Martin")
export const antoine = person("Antoine", "Moreau")

const clio = {
  name: "Renault Clio V",
  customFields: fieldExamples(motor.fields.asset)
}

export const signature = {
  signer: { firstName: "Camille", lastName: "Martin", email: camille.email },
  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
}

const april = "2026-04-01T00:00:00+02:00"

/** A policy with a customer and a car, as the fields of the product have it. */
export const opened = Effect.fnUntraced(function* (
  seller: Person,
  more: Readonly<Record<string, unknown>> = {},
  policyholder = camille
) {
  const policy = yield* seller.post("/policies", {
    productId: motor.productId,
    startedAt: april,
    customFields: fieldExamples(motor.fields.policy),
    ...more
  })
  const policyId = String(policy["id"])
  const customer = yield* seller.post(`/customers/policies/${policyId}`, policyholder)
  const asset = yield* seller.post(`/assets/policies/${policyId}`, clio)
  return {
    policyId,
    customerId: String(customer["customerId"]),
    assetId: String(asset["assetId"])
  }
})

/** The same, confirmed. */
export const confirmed = Effect.fnUntraced(function* (
  seller: Person,
  more: Readonly<Record<string, unknown>> = {}
) {
  const records = yield* opened(seller, more)
  const path = `/policies/${records.policyId}`
  yield* seller.post(`${path}/quote`, { tierId: "THIRD_PARTY_PLUS" })
  yield* seller.post(`/customers/${records.customerId}/confirm`)
  yield* seller.post(`${path}/confirm`)
  return records
})

/** The same, signed. */
export const signed = Effect.fnUntraced(function* (
  seller: Person,
  more: Readonly<Record<string, unknown>> = {}
) {
  const records = yield* confirmed(seller, more)
  yield* seller.post(`/policies/${records.policyId}/sign`, signature)
  return records
})

/** What the sale leaves for the stories after it. */
export interface Sold {
  readonly policyId: string
  readonly customerId: string
  readonly assetId: string
  readonly visitor: Person
}

export const sale = Effect.fnUntraced(function* (world: World) {
  const stranger = by(world)
  const session = yield* stranger.post("/anonymous-session", { productId: motor.productId })
  const visitor = by(world, String(session["accessToken"]))

  // They look around.
  yield* stranger.get("/config")
  yield* stranger.get(`/config/${motor.productId}`)
  yield* visitor.post("/quotes/preview", { ...risk, tierId: "THIRD_PARTY" })

  // They say who and what.
  const records = yield* opened(visitor)
  const { assetId, customerId, policyId } = records
  const path = `/policies/${policyId}`
  yield* visitor.patch(path, { name: "The family's car" })
  yield* visitor.patch(`/customers/${customerId}`, { paymentMode: "BANK_TRANSFER" })
  yield* visitor.patch(`/assets/${assetId}`, {
    customFields: [{ key: "parking", value: "GARAGE" }]
  })

  // They compare, have one tier quoted, think again and sign.
  yield* visitor.get(`${path}/available-pricing`)
  yield* visitor.post(`${path}/calculate-quote`, { tierId: "COMPREHENSIVE" })
  const { quote } = yield* visitor.post(`${path}/quote`, { tierId: "THIRD_PARTY_PLUS" })
  yield* visitor.get(`/quotes/policies/${policyId}`)
  yield* visitor.get(`/quotes/${quote.id}`)
  yield* visitor.get(`/quotes/${quote.id}/explanation`)
  yield* visitor.post(`/customers/${customerId}/confirm`)
  yield* visitor.post(`${path}/confirm`)
  yield* visitor.post(`${path}/reopen`)
  yield* visitor.post(`${path}/confirm`)
  yield* visitor.post(`${path}/sign`, signature)
  return { ...records, visitor }
})
