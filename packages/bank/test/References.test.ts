import { assert, describe, it } from "@effect/vitest"
import { isValid } from "@quittance/identifiers/Identifier"
import {
  creditorReference,
  findCreditorReferences,
  findInvoiceNumbers,
  findNumbers,
  invoiceReference,
  isNumber,
  numberLetters,
  numberText
} from "../src/References.ts"
import { property } from "./Property.ts"

const textsOf = (found: ReadonlyArray<{ readonly text: string }>) => found.map(({ text }) => text)

describe("numbers with check digits", () => {
  it("refuse what is no counter", () => {
    for (const number of [0, -1, 1.5, 10_000_000_000, Number.NaN]) {
      assert.throws(() => numberText("DD", number), "No reference can be made")
    }
  })

  property("show each single wrong character, and each transposition", (draw) => {
    const number = numberText(draw.pick(numberLetters), draw.int(1, 9_999_999_999))
    assert.isTrue(isNumber(number))
    for (let at = 2; at < number.length; at++) {
      for (let digit = 0; digit < 10; digit++) {
        const wrong = number.slice(0, at) + String(digit) + number.slice(at + 1)
        assert.strictEqual(isNumber(wrong), wrong === number)
      }
      const turned =
        number.slice(0, at) + (number[at + 1] ?? "") + number[at] + number.slice(at + 2)
      if (turned.length === number.length && turned !== number) assert.isFalse(isNumber(turned))
    }
  })

  property("are found in any text, in either case and cut anywhere", (draw) => {
    const number = numberText("DD", draw.int(1, 9_999_999_999))
    const cut = draw.int(1, 13)
    const texts = draw.pick([
      [`EREF+${number} SVWZ+PRIME`],
      [`prime ${number.toLowerCase()}, merci`],
      [`REF ${number.slice(0, cut)} ${number.slice(cut)}/1`],
      ["PRIME", `X ${number.slice(0, cut)}`, `${number.slice(cut)} Y`],
      [`PRELEV${number}ACME`]
    ])
    assert.include(textsOf(findNumbers(texts)), number)
  })

  it("are no part of a longer number", () => {
    const number = numberText("DD", 1)
    assert.deepStrictEqual(findNumbers([`${number}5`]), [])
    assert.deepStrictEqual(textsOf(findNumbers([`${number}-1`])), [number])
  })
})

describe("creditor references", () => {
  it("refuse a body that is none", () => {
    for (const body of ["", "A".repeat(22), "INV-1", "É"]) {
      assert.throws(() => creditorReference(body), "No reference can be made")
    }
  })

  it("are made of the letters and digits of an invoice's number", () => {
    assert.strictEqual(invoiceReference("INV-000001"), "RF69INV000001")
  })

  property("are sound for each body, and found as they are printed", (draw) => {
    const body = `INV${String(draw.int(1, 99_999_999)).padStart(6, "0")}`
    const reference = creditorReference(body)
    assert.isTrue(isValid("creditorReferenceRF", reference))
    const inFours = reference.replaceAll(/(.{4})(?=.)/gu, "$1 ")
    const texts = draw.pick([
      [reference],
      [`VIR ${inFours} MERCI`],
      [inFours.toLowerCase()],
      ["A", reference]
    ])
    assert.include(textsOf(findCreditorReferences(texts)), reference)
  })

  it("are found where a blank cuts them, with all readings of one place", () => {
    const [found] = findCreditorReferences(["VIR RF95 A8 MERCI"])
    assert.deepStrictEqual(found, { text: "RF95A8", isWhole: false, at: 1 })
    assert.isTrue(findCreditorReferences(["RF25A7"])[0]?.isWhole)
  })

  it("begin and end where a word does", () => {
    const reference = invoiceReference("INV-000001")
    assert.deepStrictEqual(findCreditorReferences([`${reference}9`]), [])
    assert.deepStrictEqual(findCreditorReferences([`X${reference}`]), [])
    assert.deepStrictEqual(findCreditorReferences(["RF70INV000001"]), [])
  })
})

describe("numbers of invoices", () => {
  it("are found in either form, with all their digits", () => {
    const found = findInvoiceNumbers(["inv-000042 INV000043", "Facture INV 000044, INV-45"], "INV")
    assert.deepStrictEqual(found, ["INV000042", "INV000043", "INV000044"])
    assert.deepStrictEqual(findInvoiceNumbers(["RF69INV000001 XINV000001"], "INV"), [])
  })
})
