import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { IdentifierKind, isValid } from "../src/Identifier.ts"

const { cases } = Schema.decodeUnknownSync(
  Schema.Struct({
    cases: Schema.Array(
      Schema.Struct({
        input: Schema.Struct({ kind: IdentifierKind, value: Schema.String }),
        expected: Schema.Struct({ valid: Schema.Boolean })
      })
    )
  })
)(
  JSON.parse(
    readFileSync(new URL("../../../test/vectors/identifiers.json", import.meta.url), "utf8")
  )
)

/** Kinds whose check digits see every single wrong digit. */
const checked: ReadonlySet<IdentifierKind> = new Set(["iban", "siren", "creditorReferenceRF"])

const notValid: Readonly<Record<IdentifierKind, ReadonlyArray<string>>> = {
  iban: ["", "FR14", "FR1420041010050500013M02607", "FR7630006000011234567890188"],
  bic: ["", "BNPAFRP", "BNP1FRPP", "BNPAZZPP", "BNPAFRPPXX"],
  siren: ["", "732829321", "73282932", "7328293200"],
  siret: ["", "73282932000075", "35600000009076", "7328293200007"],
  vatFR: ["", "40303265045", "FR41303265045", "DE136695976", "FRIO123456789"],
  vatEU: ["", "FR41303265045", "DE136695977", "US123456789", "__proto__"],
  creditorReferenceRF: ["", "RF19539007547034", "RF18", "RF185390075470345390075470345"],
  sepaCreditorIdentifier: ["", "FR73ZZZ123456", "FR72ZZ", "IE03ZZZ123456"],
  vin: ["", "VF1BB05CF2812345", "VF1BB05CF281234567", "VF1BB05CF2812345O"],
  plateFR: ["", "AI-123-AA", "AA-000-AA", "SS-123-AA", "AA-12-AAA", "123 AB 99", "0 AB 75"],
  orias: ["", "7000001", "070000011", "0700000A", " 07000001"],
  phone: ["", "0639980001", "+33 6 39", "+999 1234567"],
  entityId: ["", "policy_346789ABCDEFGHJKLMNPQR", "police_346789ABCDEFGHJKLMNPQ"]
}

const valid: Partial<Record<IdentifierKind, ReadonlyArray<string>>> = {
  // Written in groups, as on a bank's form.
  iban: ["FR76 3000 6000 0112 3456 7890 189"],
  siret: ["356 000 000 00048", "35600000009075"],
  vatFR: ["fr 40 303265045"],
  vatEU: ["DE136695976", "EL094259216", "BE0403019261", "ATU13585627"],
  creditorReferenceRF: ["RF18539007547034", "RF18 5390 0754 7034"],
  // The business code, here ZZZ, takes no part in the check digits.
  sepaCreditorIdentifier: ["FR72ZZZ123456", "FR72ABC123456", "DE98ZZZ09999999999"],
  vin: ["VF1BB05CF28123456"],
  plateFR: ["AA-123-AA", "aa123aa", "123 AB 45", "1234 AB 2A"],
  phone: ["+33 6 39 98 00 01", "+33639980001"]
}

describe("identifiers", () => {
  for (const kind of IdentifierKind.literals) {
    it(`tells a ${kind} from what is none`, () => {
      for (const text of notValid[kind]) assert.isFalse(isValid(kind, text), text)
      for (const text of valid[kind] ?? []) assert.isTrue(isValid(kind, text), text)
    })
  }

  it("finds every wrong digit where the check digits can", () => {
    for (const { expected, input } of cases) {
      if (!expected.valid || !checked.has(input.kind)) continue
      for (const index of [...input.value].keys()) {
        const digit = Number(input.value[index])
        if (!Number.isInteger(digit)) continue
        const wrong = `${input.value.slice(0, index)}${(digit + 1) % 10}${input.value.slice(index + 1)}`
        assert.isFalse(isValid(input.kind, wrong), `${input.kind} ${wrong}`)
      }
    }
  })

  it("agrees with every vector", () => {
    for (const { expected, input } of cases) {
      assert.strictEqual(isValid(input.kind, input.value), expected.valid, input.value)
    }
  })
})
