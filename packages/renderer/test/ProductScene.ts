/** The documents of all products: of their examples, and of policies with long names and long lists. */
import type { RenderInput } from "@quittance/documents/DocumentRenderer"
import { documentModel, type ModelInput } from "@quittance/documents/model/Model"
import { exampleDay, exampleInput, isOfTemplate } from "@quittance/documents/model/ModelExample"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Customer } from "@quittance/domain/customers/Customer"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { compile } from "@quittance/pricing/Engine"
import { read } from "@quittance/pricing/Publishable"
import { make } from "@quittance/domain/values/Amount"
import { Result, Schema } from "effect"
import { globSync, readFileSync } from "node:fs"

const root = new URL("../../../products/", import.meta.url)

const json = (file: string): unknown => JSON.parse(readFileSync(new URL(file, root), "utf8"))

const products: ReadonlyArray<Product> = globSync("*.json", { cwd: root.pathname })
  .sort()
  .map((file) => Result.getOrThrow(read(json(file))))

const templates = new Map(
  globSync("templates/*/*.json", { cwd: root.pathname })
    .map((file) =>
      Schema.decodeUnknownSync(DocumentTemplate)(json(file), { onExcessProperty: "error" })
    )
    .map((template) => [`${template.templateId} ${template.version}`, template])
)

export interface Scene {
  readonly name: string
  readonly product: Product
  readonly input: RenderInput
}

/** What people are called, in the worst case: markup of the typesetter among it. */
export const longName = `Maximiliane-Wilhelmine von Donaudampfschifffahrtsgesellschaft #read("/etc/passwd") *x* $y$ @a <b> [c] // d`

const scenesOf = (
  product: Product,
  change = (input: ModelInput) => input
): ReadonlyArray<Scene> => {
  const startDate = exampleDay(product)
  const price =
    product.quoteProvider === undefined
      ? Result.getOrThrow(
          compile(product)
            .tiers({ ...exampleOf(product), startDate })
            .at(-1)!.result
        )
      : undefined
  return (product.documents ?? []).filter(isOfTemplate).map((definition) => {
    const { template, version } = definition.source
    const written = templates.get(`${template} ${version}`)!
    const input = change(exampleInput(product, definition, price, written.locale)!)
    return {
      name: `${product.productId} ${definition.id}`,
      product,
      input: {
        template: written,
        model: documentModel(input),
        files: new Map()
      }
    }
  })
}

const nameKeys = new Set(["lastName", "companyName"])

const stress = (input: ModelInput): ModelInput => {
  const [holder] = input.customers
  const named: Customer = {
    ...holder,
    name: longName,
    customFields: (holder.customFields ?? []).map((field) =>
      nameKeys.has(field.key) ? { ...field, value: longName } : field
    )
  }
  const drivers = Array.from({ length: 40 }, (): Customer => ({ ...named, role: "DRIVER" }))
  const { type } = input.product
  return {
    ...input,
    customers: [named, ...drivers],
    assets: input.assets.flatMap((asset) =>
      Array.from({ length: type === "FLEET" ? 60 : 1 }, () => asset)
    ),
    ...(input.invoice === undefined ? {} : { invoice: longer(input.invoice) })
  }
}

const times = 5

/** Its lines five times over, and of other days than the invoice: they need a column of their own. */
const longer = (invoice: Invoice): Invoice => {
  const { amountPreFeesAndTaxes, fees, taxes } = invoice.total
  const multiplied = <A extends { readonly amount: number }>(levies: ReadonlyArray<A>) =>
    levies.map((levy) => ({ ...levy, amount: times * levy.amount }))
  return {
    ...invoice,
    total: make(times * amountPreFeesAndTaxes, multiplied(fees), multiplied(taxes)),
    amountDue: times * invoice.amountDue,
    lines: Array.from({ length: times }, () => invoice.lines)
      .flat()
      .map((line) => ({ ...line, slice: { ...line.slice, start: invoice.dueOn } }))
  }
}

/** As the product's own example is, by the name of product and document. */
export const examples: ReadonlyArray<Scene> = products.flatMap((product) => scenesOf(product))

/** The same with all that makes pages long and lines full; each template once, of a fleet if it has one. */
export const stressed: ReadonlyArray<Scene> = [
  ...new Map(
    products
      .flatMap((product) => scenesOf(product, stress))
      .map((scene) => [
        scene.product.type === "FLEET" ? scene.name : scene.input.template.templateId,
        scene
      ])
  ).values()
]
