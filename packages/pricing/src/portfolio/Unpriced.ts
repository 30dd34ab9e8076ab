/** Why a version of a product can't price insured risks, in words that group equal reasons. */
import type { Derogation } from "@quittance/domain/products/Derogation"
import type { Product } from "@quittance/domain/products/Product"
import type { PricingFailure } from "../PriceInput.ts"
import type { InvalidReference } from "@quittance/domain/requests/RequestErrors"

/** A reason without anything that is of one policy alone. */
export interface Reason {
  readonly code:
    | "DEROGATION_REQUIRED"
    | "INVALID_AMOUNT"
    | "INVALID_CUSTOM_FIELD"
    | "INVALID_EFFECTIVE_DATE"
    | "INVALID_REFERENCE"
    /** What is paid now is paid in another currency. */
    | "OTHER_CURRENCY"
  /** Where in the policy; whichever record of a list is `*`. */
  readonly at: string
  readonly message: string
}

/** What stands in the way of a price. */
export const reasonsOf = (
  product: Product,
  failures: ReadonlyArray<PricingFailure>
): ReadonlyArray<Reason> =>
  failures.flatMap((failure): ReadonlyArray<Reason> => {
    switch (failure._tag) {
      case "InvalidCustomField":
        return failure.issues.map(({ message, path }) => ({
          code: "INVALID_CUSTOM_FIELD",
          at: path.replace(/^(\/customers|\/assets)\/[^/]+/u, "$1/*"),
          message
        }))
      case "InvalidEffectiveDate":
        return [
          {
            code: "INVALID_EFFECTIVE_DATE",
            at: "/startedAt",
            message: `The priced period starts before ${product.validFrom}, from which day on the version is valid.`
          }
        ]
      case "InvalidReference":
        return [{ code: "INVALID_REFERENCE", at: anyOf(failure.field), message: unknown(failure) }]
      case "InvalidAmount":
        return [
          {
            code: "INVALID_AMOUNT",
            at: anyOf(failure.field),
            message: "The amount is out of its bounds."
          }
        ]
    }
  })

/** A rule of the version that refers the risk to an underwriter. */
export const referred = ({ id, label }: Derogation): Reason => ({
  code: "DEROGATION_REQUIRED",
  at: `/derogations/${id}`,
  message: label
})

export const otherCurrency = (currency: string): Reason => ({
  code: "OTHER_CURRENCY",
  at: "/quote",
  message: `The price in force is in ${currency}.`
})

const anyOf = (field: string) => `/${field.replaceAll(/\/\d+(?=\/|$)/gu, "/*")}`

const unknown = ({ field, value }: InvalidReference): string => {
  if (field === "tierId") return `The version has no tier ${value}.`
  if (/^perils\/\d+\/id$/u.test(field)) return `The version has no peril ${value}.`
  if (/^perils\/\d+\/included$/u.test(field)) {
    return "The version has the peril fixed; it can be neither added nor left out."
  }
  if (/^perils\/\d+\/options$/u.test(field)) return `The version has no option ${value}.`
  return `${value} is not among what the version allows.`
}

/** A reason, how many policies have it, and some of them. */
export interface Counted extends Reason {
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

const mostReasons = 100
const mostExamples = 3

/** Counts policies without a price by their reasons; a policy may have several. */
export class Unpriced {
  readonly #reasons = new Map<string, { -readonly [K in keyof Counted]: Counted[K] }>()
  #count = 0
  #further = 0

  add(policyId: string, reasons: ReadonlyArray<Reason>): void {
    this.#count += 1
    const keys = new Map(reasons.map((reason) => [JSON.stringify(reason), reason]))
    for (const [key, reason] of keys) this.#countOne(key, reason, policyId)
  }

  #countOne(key: string, reason: Reason, policyId: string) {
    const known = this.#reasons.get(key)
    if (known !== undefined) {
      known.count += 1
      if (known.examples.length < mostExamples) known.examples = [...known.examples, policyId]
    } else if (this.#reasons.size < mostReasons) {
      this.#reasons.set(key, { ...reason, count: 1, examples: [policyId] })
    } else this.#further += 1
  }

  /** How many policies have no price. */
  get count(): number {
    return this.#count
  }

  /** How often there was a reason that is not in the list, which holds the first hundred. */
  get further(): number {
    return this.#further
  }

  /** The most frequent first. */
  get reasons(): ReadonlyArray<Counted> {
    return [...this.#reasons]
      .sort(([a, { count: countA }], [b, { count: countB }]) => countB - countA || (a < b ? -1 : 1))
      .map(([, counted]) => counted)
  }
}
