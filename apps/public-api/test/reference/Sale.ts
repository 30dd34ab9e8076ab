/** A visitor insures their car, from the first price to the signature. */
import { Effect } from "effect"
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { motor, type World } from "../Api.ts"
import { risk } from "../Sales.ts"
import { by, type Person } from "./Stage.ts"

export const camille = {
  role: "POLICYHOLDER",
  type: "INDIVIDUAL",
  name: "Camille Martin",
  email: "camille.martin@example.org",
  customFields: fieldExamples(motor.fields.customer, "POLICYHOLDER")
}

export const clio = {
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
  person: Person,
  more: Readonly<Record<string, unknown>> = {}
) {
  const policy = yield* person.post("/policies", {
    productId: motor.productId,
    startedAt: april,
    customFields: fieldExamples(motor.fields.policy),
    ...more
  })
  const policyId = String(policy["id"])
  const customer = yield* person.post(`/customers/policies/${policyId}`, camille)
  const asset = yield* person.post(`/assets/policies/${policyId}`, clio)
  return {
    policyId,
    customerId: String(customer["customerId"]),
    assetId: String(asset["assetId"])
  }
})

/** The same, signed. */
export const signed = Effect.fnUntraced(function* (
  person: Person,
  more: Readonly<Record<string, unknown>> = {}
) {
  const records = yield* opened(person, more)
  const path = `/policies/${records.policyId}`
  yield* person.post(`${path}/quote`, { tierId: "THIRD_PARTY_PLUS" })
  yield* person.post(`/customers/${records.customerId}/confirm`)
  yield* person.post(`${path}/confirm`)
  yield* person.post(`${path}/sign`, signature)
  return records
})

export const sale = Effect.fnUntraced(function* (world: World) {
  const anybody = by(world)
  const session = yield* anybody.post("/anonymous-session", { productId: motor.productId })
  const visitor = by(world, String(session["accessToken"]))

  // They look around.
  yield* anybody.get("/config")
  yield* anybody.get(`/config/${motor.productId}`)
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
