import { assert, describe, it } from "@effect/vitest"
import type { CustomerOnPolicy } from "@quittance/domain/policies/PolicyState"
import { payerOf, payersOf } from "../../src/billing/Payers.ts"
import { customer, payerA, payerB } from "../Drawn.ts"

const payerC = customer("C")
const on = (seq: number, role: string): CustomerOnPolicy => ({ seq, role, customFields: {} })

describe("payersOf", () => {
  it("finds no one where there is neither payer nor policyholder", () => {
    assert.isUndefined(payersOf({ customers: {} }))
    assert.isUndefined(payersOf({ customers: { [payerA]: on(1, "INSURED") } }))
  })

  it("takes the earliest payer before any policyholder", () => {
    const customers = {
      [payerA]: on(1, "POLICYHOLDER"),
      [payerB]: on(5, "PAYER"),
      [payerC]: on(3, "PAYER")
    }
    assert.strictEqual(payersOf({ customers })?.defaultPayerId, payerC)
  })

  it("takes the earliest policyholder without a payer", () => {
    const customers = { [payerA]: on(7, "POLICYHOLDER"), [payerB]: on(2, "POLICYHOLDER") }
    assert.strictEqual(payersOf({ customers })?.defaultPayerId, payerB)
  })

  it("follows an assignment, component by component", () => {
    const split = payersOf({
      customers: { [payerA]: on(1, "PAYER") },
      billingAssignment: {
        configId: "shared",
        defaultPayerId: payerB,
        componentOverrides: [{ componentId: "VOL", payerCustomerId: payerC }]
      }
    })!
    assert.strictEqual(payerOf(split, "RC"), payerB)
    assert.strictEqual(payerOf(split, "VOL"), payerC)
  })
})
