/** What is wrong with the specials, fees and taxes of a product's document. */
import type { Product, ProductFault } from "./Product.ts"
import { duplicates, strangers } from "./ProductFieldFaults.ts"
import type { DatedCharge, Special } from "./ProductCharges.ts"

type Faults = Generator<ProductFault, void>

export function* specialFaults({
  perils,
  specials,
  validFrom
}: Pick<Product, "perils" | "specials" | "validFrom">): Faults {
  for (const [index, special] of specials.entries()) {
    const at = `/specials/${index}`
    yield* specialKindFaults(special, perils, at)
    yield* duplicates(`${at}/of`, "", special.of)
    const known = perils.map(({ id }) => id)
    yield* strangers(`${at}/of`, special.of, known, "/perils")
    yield* datedFaults(special.charges, validFrom, `${at}/charges`)
  }
}

function* specialKindFaults(
  { charges = [], kind, of, taxClass, until }: Special,
  perils: Product["perils"],
  at: string
): Faults {
  for (const [index, { from, rate }] of charges.entries()) {
    const pointer = `${at}/charges/${index}`
    if (until !== undefined && until <= from) {
      yield { pointer: `${at}/until`, message: "Choose a day after every entry of its charges." }
    }
    if (kind === "MINIMUM" && rate !== undefined) {
      yield { pointer: `${pointer}/rate`, message: "Give the `amount` that is the least." }
    }
    const [numerator, denominator] = (rate ?? "0/1").split("/").map(Number)
    if (kind === "DISCOUNT" && numerator! > denominator!) {
      yield { pointer: `${pointer}/rate`, message: "Take off at most the whole premium." }
    }
  }
  if (kind !== "DISCOUNT") return
  for (const [position, id] of of.entries()) {
    const peril = perils.find((peril) => peril.id === id)
    if (peril !== undefined && peril.taxClass !== taxClass) {
      const message = `Name perils of class ${taxClass} alone; ${id} has another, so it needs a discount of its own.`
      yield { pointer: `${at}/of/${position}`, message }
    }
  }
}

type Levies = Pick<Product, "brokerageFee" | "fees" | "perils" | "specials" | "taxes" | "validFrom">

export function* levyFaults(product: Levies): Faults {
  const { brokerageFee, fees, perils, specials, taxes, validFrom } = product
  const charged = [
    ...Object.entries({ perils, specials, fees, taxes }).flatMap(([list, levies]) =>
      levies.map((levy, index) => [levy, `/${list}/${index}`] as const)
    ),
    [brokerageFee, "/brokerageFee"] as const
  ]
  for (const [levy, at] of charged) {
    if ("everyTerm" in levy && levy.everyTerm === true && levy.chargeType !== "ONE_TIME") {
      yield { pointer: `${at}/everyTerm`, message: "Leave it out; only ONE_TIME charges repeat." }
    }
  }
  for (const [list, levies] of Object.entries({ fees, taxes })) {
    for (const [index, { charges }] of levies.entries()) {
      yield* datedFaults(charges, validFrom, `/${list}/${index}/charges`)
    }
  }
  yield* duplicates(
    "/brokerageFee/firms",
    "brokerageFirmId",
    (brokerageFee.firms ?? []).map(({ brokerageFirmId }) => brokerageFirmId)
  )
  yield* classFaults(product)
}

/** What has a class is taxed as that class, and what is levied on a class finds one that is there. */
function* classFaults({ brokerageFee, fees, perils, specials, taxes }: Levies): Faults {
  const classed = [
    ...perils.map((peril, index) => [peril.taxClass, `/perils/${index}/taxClass`] as const),
    ...specials.map((one, index) => [one.taxClass, `/specials/${index}/taxClass`] as const)
  ]
  const taxable = [
    ...classed,
    ...fees.map((fee, index) => [fee.taxClass, `/fees/${index}/taxClass`] as const),
    [brokerageFee.taxClass, "/brokerageFee/taxClass"] as const
  ]
  const taxed = new Set(taxes.flatMap((tax) => (tax.level === "COMPONENT" ? tax.classes : [])))
  for (const [taxClass, pointer] of taxable) {
    if (taxClass !== undefined && !taxed.has(taxClass)) {
      yield { pointer, message: `Add a tax of class ${taxClass}; one of 0/1 if it is exempt.` }
    }
  }
  const named = [
    ...fees.map((fee, index) => [fee.classes, classed, `/fees/${index}`] as const),
    ...taxes.map(
      (tax, index) =>
        [tax.classes, tax.level === "POLICY" ? classed : taxable, `/taxes/${index}`] as const
    )
  ]
  for (const [classes = [], known, at] of named) {
    yield* duplicates(`${at}/classes`, "", classes)
    for (const [position, name] of classes.entries()) {
      if (!known.some(([taxClass]) => taxClass === name)) {
        const message = `Name the class of a component; ${name} is the \`taxClass\` of none.`
        yield { pointer: `${at}/classes/${position}`, message }
      }
    }
  }
}

/** A table of charges has an entry in force on every day from `validFrom` on. */
function* datedFaults(
  charges: ReadonlyArray<DatedCharge> = [],
  validFrom: string,
  pointer: string
): Faults {
  const first = charges[0]
  if (first !== undefined && first.from > validFrom) {
    yield {
      pointer: `${pointer}/0/from`,
      message: `Begin on ${validFrom} or before; the product is sold from then on.`
    }
  }
  for (const [index, { from }] of charges.entries()) {
    const before = charges[index - 1]
    if (before !== undefined && before.from >= from) {
      yield {
        pointer: `${pointer}/${index}/from`,
        message: "Put the entries in order of their days."
      }
    }
  }
}
