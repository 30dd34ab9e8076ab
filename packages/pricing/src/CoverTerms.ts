/** What a product says of the cover of losses, compiled once for each version of it. */
import type { CoverTerms, Exclusion } from "@quittance/domain/claims/CoverTerms"
import type { LossType, ProductClaims } from "@quittance/domain/products/claims/ProductClaims"
import type { Product } from "@quittance/domain/products/Product"
import { compileSelection } from "@quittance/domain/products/sale/Selected"
import { Result } from "effect"
import { compileClaimExpression, factsOf, isAskedFor } from "./ClaimExpressions.ts"
import { compiledOnce } from "./Compiled.ts"

/** The terms of a loss type; a product without any has its perils for loss types, and checks what needs no data. */
export type CoverTermsOf = (lossType: string) => CoverTerms

/**
 * How a version of a product covers losses.
 *
 * @throws InvalidProduct for a document that publishing would have refused
 */
export const coverTerms: (product: Product) => CoverTermsOf = compiledOnce((product) => {
  const select = compileSelection(product)
  const covered: CoverTerms["covered"] = (selection) => {
    const selected = select(selection?.tierId, selection?.perils)
    // A version that has lost the tier covers nothing of it.
    return "covered" in selected ? selected.covered : []
  }
  const { claims, perils } = product
  const exclusions = compileExclusions(product)
  return (lossType) => {
    const type = claims?.lossTypes.find(({ id }) => id === lossType)
    return {
      product,
      covered,
      perilsOfType: claims === undefined ? ownPeril(perils, lossType) : type?.perils,
      perils: claims?.perils ?? {},
      exclusions: type === undefined ? [] : exclusions(type),
      declareWithin: claims === undefined ? undefined : declareWithin(claims, lossType),
      needsDecree: type?.needsDecree === true,
      deductible: type?.legalDeductible?.deductible
    }
  }
})

/** Without loss types of its own a product has its perils for them. */
const ownPeril = (perils: Product["perils"], lossType: string): ReadonlyArray<string> | undefined =>
  perils.some(({ id }) => id === lossType) ? [lossType] : undefined

/** The exclusions that say something of a loss type. */
const compileExclusions = (product: Product): ((type: LossType) => ReadonlyArray<Exclusion>) => {
  const compiled = (product.claims?.exclusions ?? []).map(({ expression: text, ...exclusion }) => {
    // The product was examined before.
    const expression = Result.getOrThrow(compileClaimExpression(product, text))
    return {
      facts: factsOf(product, expression),
      exclusion: {
        ...exclusion,
        reads: expression.variables,
        holds: (value: Parameters<typeof expression.evaluate>[0]) => {
          const made = expression.evaluate(value)
          return typeof made === "boolean" ? made : undefined
        }
      }
    }
  })
  return (type) =>
    compiled.flatMap(({ exclusion, facts }) => (isAskedFor(type, facts) ? [exclusion] : []))
}

/** The time to declare a loss of a type: its own, else the one for all types. */
const declareWithin = (claims: ProductClaims, lossType: string): CoverTerms["declareWithin"] =>
  claims.declareWithin.find(({ lossTypes }) => lossTypes?.includes(lossType) === true) ??
  claims.declareWithin.find(({ lossTypes }) => lossTypes === undefined)
