import { assert, describe, it } from "@effect/vitest"
import { needsAddress } from "../../src/payments/Iban.ts"
import { faultOf, maximumMethods } from "../../src/payments/PaymentMethod.ts"

const sound = {
  iban: "FR7699999000010000000010106",
  isSound: true,
  writtenName: "Camille Martin",
  hasAddress: false,
  active: 0
}
const swiss = "CH9300762011623852957"

describe("a new payment method", () => {
  it("is taken where nothing is wrong with it", () => {
    assert.isUndefined(faultOf(sound))
    assert.isUndefined(faultOf({ ...sound, iban: swiss, hasAddress: true }))
    assert.isUndefined(faultOf({ ...sound, active: maximumMethods - 1 }))
  })

  it("is refused for the first thing that is wrong with it", () => {
    const faults = [
      [{ isSound: false }, "IBAN"],
      [{ writtenName: "" }, "HOLDER_NAME"],
      [{ iban: swiss }, "ADDRESS_NEEDED"],
      [{ active: maximumMethods }, "TOO_MANY"]
    ] as const
    for (const [index, [change, reason]] of faults.entries()) {
      assert.strictEqual(faultOf({ ...sound, ...change })?.reason, reason)
      // Whatever else is wrong further down.
      const rest = faults
        .slice(index)
        .toReversed()
        .map(([other]) => other)
      assert.strictEqual(faultOf(Object.assign({}, sound, ...rest))?.reason, reason)
    }
  })

  it("needs an address in SEPA countries outside the EEA alone", () => {
    const asking = ["CH", "GB", "MC", "SM", "VA", "AD", "AL", "MD", "ME", "MK", "RS"]
    for (const country of asking) assert.isTrue(needsAddress(country), country)
    for (const country of ["FR", "DE", "ES", "IT", "BE", "NO", "IS", "LI"]) {
      assert.isFalse(needsAddress(country), country)
    }
  })
})
