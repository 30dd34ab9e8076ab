/** What is wrong with fees and taxes that are levied only somewhere, and what goes untaxed elsewhere. */
import type { CustomFieldValue } from "../values/CustomField.ts"
import type { Product, ProductFault } from "./Product.ts"
import type { TaxTerms, Jurisdiction } from "./ProductCharges.ts"
import { duplicates } from "./ProductFieldFaults.ts"
import { type Domains, domainsOf, inputNameFaults } from "./ProductInputFaults.ts"

type Faults = Generator<ProductFault, void>

type Levied = Pick<
  Product,
  "brokerageFee" | "fees" | "fields" | "perils" | "rating" | "specials" | "taxes"
>

export function* whereFaults(product: Levied): Faults {
  const domains = domainsOf(product)
  for (const [list, levies] of Object.entries({ fees: product.fees, taxes: product.taxes })) {
    for (const [index, { where }] of levies.entries()) {
      if (where === undefined) continue
      yield* placeFaults(product, domains, where, `/${list}/${index}/where`)
    }
  }
  yield* untaxedFaults(product, domains)
}

function* placeFaults(product: Levied, domains: Domains, where: Jurisdiction, at: string): Faults {
  yield* inputNameFaults(product, where.input, `${at}/input`)
  const [input, domain] = domains.get(where.input) ?? []
  if (input === undefined || domain === undefined) return
  if (input.of !== "POLICY" || domain.kind !== "LISTED") {
    yield {
      pointer: `${at}/input`,
      message:
        "Name an input of the POLICY whose values are listed: an ENUM or BOOLEAN field, or an expression with `values`."
    }
    return
  }
  yield* duplicates(`${at}/in`, "", where.in.map(String))
  for (const [position, value] of where.in.entries()) {
    const fault = domain.valueFault(value)
    if (fault !== undefined) yield { pointer: `${at}/in/${position}`, message: fault }
  }
}

/** What is taxed in some place only has a tax in every place; an exempt one is said to be so. */
function* untaxedFaults(
  { brokerageFee, fees, perils, specials, taxes }: Levied,
  domains: Domains
): Faults {
  const classed = [
    ...Object.entries({ perils, specials, fees }).flatMap(([list, components]) =>
      components.map(({ taxClass }, index) => [taxClass, `/${list}/${index}`] as const)
    ),
    [brokerageFee.taxClass, "/brokerageFee"] as const
  ]
  for (const [taxClass, at] of classed) {
    const levied = taxes.filter((tax) => isOn(tax, taxClass))
    const missing = placesWithout(levied, domains)
    if (missing !== undefined) {
      yield {
        pointer: `${at}/taxClass`,
        message: `Add a tax of class ${taxClass} where ${missing.input} is ${missing.values.join(", ")}; one of 0/1 if it is exempt there.`
      }
    }
  }
}

const isOn = (tax: TaxTerms, taxClass: string | undefined): boolean =>
  tax.level === "COMPONENT" && tax.classes.some((name) => name === taxClass)

/** Undefined where one of the taxes is levied everywhere, or those by one input are. */
const placesWithout = (taxes: ReadonlyArray<TaxTerms>, domains: Domains) => {
  const places = taxes.map(({ where }) => where)
  let missing:
    | { readonly input: string; readonly values: ReadonlyArray<CustomFieldValue> }
    | undefined
  for (const where of places) {
    if (where === undefined) return undefined
    const { input } = where
    const listed = domains.get(input)?.[1].values ?? []
    const taxed = new Set(places.flatMap((place) => (place?.input === input ? place.in : [])))
    const values = listed.filter((value) => !taxed.has(value))
    if (values.length === 0) return undefined
    missing ??= { input, values }
  }
  return missing
}
