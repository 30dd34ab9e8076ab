import { crossIndustryInvoice } from "@quittance/documents/invoice/CrossIndustryInvoice"
import { electronicInvoice } from "@quittance/documents/invoice/ElectronicInvoice"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Line, model, template } from "./InvoiceScene.ts"

const xmlOf = (
  lines: ReadonlyArray<Line>,
  about: Parameters<typeof model>[1] = {},
  of = template
): string => crossIndustryInvoice(electronicInvoice(of, model(lines, about))!)

/** Every amount under a name, in cents: the wire's numerals are read as text, never as floats. */
const cents = (xml: string, name: string): ReadonlyArray<number> =>
  [
    ...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>(-?)(\\d+)\\.(\\d\\d)</ram:${name}>`, "gu"))
  ].map(([, sign, whole, decimals]) => Number(`${sign}${whole}${decimals}`))

const sum = (all: ReadonlyArray<number>) => all.reduce((total, one) => total + one, 0)

const Cents = Schema.Int.check(Schema.isBetween({ minimum: -9_000_000, maximum: 90_000_000 }))
const Lines = Schema.NonEmptyArray(Schema.Struct({ net: Cents, fee: Cents, tax: Cents }))
const Settled = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000_000 }))
const Kind = Schema.Literals(["INVOICE", "CREDIT_NOTE"])

describe("an electronic invoice", () => {
  it.prop(
    "agrees with the invoice to the cent, line by line and in its sums (BR-CO-10 to BR-CO-16)",
    [Lines, Settled, Kind],
    ([lines, settled, type]) => {
      const books = model(lines, { type, settled }).invoice!
      const sign = type === "CREDIT_NOTE" ? -1 : 1
      const xml = xmlOf(lines, { type, settled })
      const one = (name: string) => {
        const found = cents(xml, name)
        assert.strictEqual(found.length, 1, name)
        return found[0]!
      }
      const each = cents(xml, "LineTotalAmount")
      assert.deepStrictEqual(
        each.slice(0, -1),
        lines.map(({ net }) => sign * net + 0)
      )
      assert.strictEqual(each.at(-1), sum(each.slice(0, -1)))
      const levies = [
        ...xml.matchAll(
          /<udt:Indicator>(true|false)<\/udt:Indicator><\/ram:ChargeIndicator><ram:ActualAmount>([\d.]+)</gu
        )
      ].map(([, isCharge, amount]) => ({
        isCharge: isCharge === "true",
        cents: Number(amount!.replace(".", ""))
      }))
      const of = (isCharge: boolean) =>
        sum(levies.filter((levy) => levy.isCharge === isCharge).map((levy) => levy.cents))
      assert.strictEqual(one("ChargeTotalAmount"), of(true))
      assert.strictEqual(one("AllowanceTotalAmount"), of(false))
      assert.strictEqual(of(true) - of(false), sign * (books.fees + books.taxes) + 0)
      assert.strictEqual(one("TaxBasisTotalAmount"), sum(each.slice(0, -1)) + of(true) - of(false))
      assert.strictEqual(one("GrandTotalAmount"), sign * books.total + 0)
      assert.strictEqual(one("TaxTotalAmount"), 0)
      assert.strictEqual(one("BasisAmount"), one("TaxBasisTotalAmount"))
      assert.strictEqual(
        one("DuePayableAmount"),
        one("GrandTotalAmount") - one("TotalPrepaidAmount")
      )
      assert.strictEqual(one("DuePayableAmount"), sign * books.due + 0)
      assert.isTrue(cents(xml, "ChargeAmount").every((price) => price >= 0))
    }
  )

  it.prop("says any text as it is, and no text is markup", [Schema.String], ([text]) => {
    const label = `${text}<ram:ID>&amp;]]>"'`
    const xml = xmlOf([{ net: 1, fee: 0, tax: 0, label }])
    const [, name] = /<ram:SpecifiedTradeProduct><ram:Name>([^<]*)<\/ram:Name>/u.exec(xml)!
    const read = name!
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#13;", "\r")
      .replaceAll("&amp;", "&")
    const allowed = [...label].filter((one) => {
      const code = one.codePointAt(0)!
      const isControl = code < 0x20 && !"\t\n\r".includes(one)
      return !isControl && !(code >= 0xd800 && code < 0xe000) && code !== 0xfffe && code !== 0xffff
    })
    assert.strictEqual(read, allowed.join(""))
  })

  it("is there for companies alone, where the template says who sells", () => {
    const lines = [{ net: 1000, fee: 0, tax: 90 }]
    assert.isDefined(electronicInvoice(template, model(lines, {})))
    assert.isUndefined(electronicInvoice(template, model(lines, { payer: "INDIVIDUAL" })))
    const { electronic: _, ...plain } = template
    assert.isUndefined(electronicInvoice(plain, model(lines, {})))
    const { invoice: __, ...without } = model(lines, {})
    assert.isUndefined(electronicInvoice(template, without))
  })

  it("says how premiums are exempt, premium tax as a charge, and how to pay", () => {
    const xml = xmlOf([{ net: 10_000, fee: 500, tax: 900 }])
    for (const part of [
      "<ram:CategoryCode>E</ram:CategoryCode><ram:ExemptionReasonCode>VATEX-FR-CGI261C-2</ram:ExemptionReasonCode>",
      "<ram:ActualAmount>9.00</ram:ActualAmount><ram:Reason>Premium tax</ram:Reason>",
      "<ram:TypeCode>30</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>FR76",
      "<ram:GrandTotalAmount>114.00</ram:GrandTotalAmount>",
      '<ram:GlobalID schemeID="0009">73282932000074</ram:GlobalID>',
      "<ram:PostcodeCode>69003</ram:PostcodeCode><ram:LineOne>12 rue des Lilas</ram:LineOne>"
    ]) {
      assert.include(xml, part)
    }
  })

  it("of a credit note gives back what the invoice that it names has asked", () => {
    const xml = xmlOf([{ net: -10_000, fee: -500, tax: -900 }], { type: "CREDIT_NOTE" })
    assert.include(xml, "<ram:TypeCode>381</ram:TypeCode>")
    assert.include(xml, "<ram:GrandTotalAmount>114.00</ram:GrandTotalAmount>")
    assert.include(xml, "<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>F-1<")
  })

  it("has the decimals of its currency", () => {
    const lines = [{ net: 12_345, fee: 0, tax: 0 }]
    const { product, ...rest } = model(lines, {})
    const yen = { ...rest, product: { ...product, currency: "JPY" as typeof product.currency } }
    const xml = crossIndustryInvoice(electronicInvoice(template, yen)!)
    assert.include(xml, "<ram:GrandTotalAmount>12345</ram:GrandTotalAmount>")
  })
})
