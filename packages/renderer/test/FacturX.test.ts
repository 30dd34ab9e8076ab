import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { crossIndustryInvoice } from "@quittance/documents/invoice/CrossIndustryInvoice"
import { electronicInvoice } from "@quittance/documents/invoice/ElectronicInvoice"
import { asFacturX } from "@quittance/renderer/FacturX"
import * as Renderer from "@quittance/renderer/Renderer"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { examples, type Scene, stressed } from "./ProductScene.ts"
import { attached, installed, said } from "./Tools.ts"

const companies = [...examples, ...stressed].filter(({ name }) =>
  /^fleet-fr (?:INVOICE|CREDIT_NOTE)$/u.test(name)
)

const xmlOf = ({ input: { model, template } }: Scene) =>
  crossIndustryInvoice(electronicInvoice(template, model)!)

const poppler = installed("pdftotext", "pdfdetach", "pdfinfo", "qpdf")

describe("an invoice to a company", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    it.effect("is Factur-X: its data lies inside, and its metadata says so", () =>
      Effect.gen(function* () {
        const { render } = yield* DocumentRenderer
        assert.strictEqual(companies.length, 4)
        for (const scene of companies) {
          const { bytes } = yield* render(scene.input)
          assert.isTrue(Buffer.from(bytes).equals((yield* render(scene.input)).bytes), scene.name)
          if (!poppler) continue
          assert.include(
            said(bytes, "qpdf", "--check", "FILE"),
            "No syntax or stream encoding errors"
          )
          assert.strictEqual(attached(bytes, "factur-x.xml"), xmlOf(scene))
          const metadata = said(bytes, "pdfinfo", "-meta", "FILE")
          assert.include(metadata, "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>")
          assert.include(metadata, "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>")
          assert.include(metadata, "<pdfaid:part>3</pdfaid:part>")
          assert.include(Buffer.from(bytes).toString("latin1"), "/AFRelationship /Alternative")
        }
      })
    )

    it.effect("and one to a person are different in that alone", () =>
      Effect.gen(function* () {
        const { render } = yield* DocumentRenderer
        const scene = examples.find(({ name }) => name === "motor-fr INVOICE")
        const { bytes } = yield* render(scene!.input)
        assert.notInclude(Buffer.from(bytes).toString("latin1"), "factur-x")
      })
    )
  })

  it("is refused as a file that the typesetter has not written", () => {
    assert.throws(() => asFacturX(Buffer.from("%PDF-1.7\n%%EOF")), "not as expected")
  })
})

/**
 * The rules of EN 16931 judge the same text in `packages/documents`. The schema is no package: `FACTURX_XSD`
 * names Factur-X_1.07.3_EN16931.xsd.
 */
const { FACTURX_XSD: schema } = process.env

describe("the data of an invoice to a company", () => {
  it.skipIf(schema === undefined)("fits the schema of Factur-X", () => {
    for (const scene of companies) {
      execFileSync("xmllint", ["--noout", "--schema", schema!, "-"], {
        input: xmlOf(scene),
        stdio: ["pipe", "ignore", "pipe"]
      })
    }
  })
})
