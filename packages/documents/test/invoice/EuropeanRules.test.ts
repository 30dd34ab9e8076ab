/**
 * The published rules of EN 16931 judge what we write. They are no package: `EN16931_SCHEMATRON` names the file
 * EN16931-CII-validation-preprocessed.sch of the project eInvoicing-EN16931, whose release 1.3.16 judged these.
 */
import { crossIndustryInvoice } from "@quittance/documents/invoice/CrossIndustryInvoice"
import { electronicInvoice } from "@quittance/documents/invoice/ElectronicInvoice"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { model, template } from "./InvoiceScene.ts"

interface Rules {
  /** What an XML document breaks. */
  readonly validateString: (xml: string) => ReadonlyArray<{ readonly message: string | null }>
}

// The published types bring those of browsers into the program, with which Node's disagree.
const { Schema } = createRequire(import.meta.url)("node-schematron") as {
  readonly Schema: { readonly fromString: (schematron: string) => Rules }
}

const { EN16931_SCHEMATRON: file } = process.env

const rules = file === undefined ? undefined : Schema.fromString(readFileSync(file, "utf8"))

/** The names of the rules that a document breaks, in order. */
const broken = (xml: string): ReadonlyArray<string> =>
  rules!
    .validateString(xml)
    .map(({ message }) => /\[([A-Z0-9-]+)\]/u.exec(message ?? "")?.[1] ?? String(message))
    .toSorted()

const xmlOf = (...about: Parameters<typeof model>): string =>
  crossIndustryInvoice(electronicInvoice(template, model(...about))!)

const invoice = xmlOf([{ net: 10_000, fee: 500, tax: 900 }], {})

// Each rule is judged at each place of the document: these take seconds.
const timeout = 120_000

describe.skipIf(rules === undefined)("by the rules of EN 16931", { timeout }, () => {
  it("an invoice of an exempt premium, with a fee and premium tax as charges, is right", () => {
    assert.deepStrictEqual(broken(invoice), [])
  })

  it("so is one that is settled in part and takes something off", () => {
    const lines = [
      { net: 10_000, fee: 0, tax: 900 },
      { net: -2500, fee: -100, tax: -225 }
    ]
    assert.deepStrictEqual(broken(xmlOf(lines, { settled: 1000 })), [])
  })

  it("so is a credit note that gives all of it back", () => {
    const lines = [{ net: -10_000, fee: -500, tax: -900 }]
    assert.deepStrictEqual(broken(xmlOf(lines, { type: "CREDIT_NOTE" })), [])
  })

  it("a wrong sum, charge, country and a missing number are found", () => {
    const wrong = replacements.reduce((xml, [was, is]) => {
      assert.include(xml, was)
      return xml.replace(was, is)
    }, invoice)
    assert.includeMembers(
      [...broken(wrong)],
      ["BR-02", "BR-CL-14", "BR-CO-12", "BR-CO-15", "BR-CO-16", "BR-E-08"]
    )
  })
})

const replacements = [
  ["<ram:GrandTotalAmount>1", "<ram:GrandTotalAmount>7"],
  ["<ram:ActualAmount>9.00", "<ram:ActualAmount>8.00"],
  ["<ram:CountryID>FR", "<ram:CountryID>ZZ"],
  ["<ram:ID>F-2</ram:ID>", ""]
] as const
