/** What a product demands before a price may be sold. */
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import type { ComplianceGateNotMet } from "@quittance/domain/policies/Compliance"
import { DerogationRequired } from "@quittance/domain/products/Derogation"
import type { QuoteOutdated } from "@quittance/domain/products/Quote"
import { Effect } from "effect"
import type { PolicyFault } from "../policies/PolicyChecks.ts"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"

/** Why a quoted policy is not confirmed or signed. */
export type SaleFailure =
  | ComplianceGateNotMet
  | DerogationRequired
  | InvalidTransition
  | PolicyFault
  | QuoteOutdated

/** Fails while a rule of the product refers the quoted risk to an underwriter. */
export const requireNoDerogation = (
  quotes: ReadonlyArray<QuoteRecord>
): Effect.Effect<void, DerogationRequired> => {
  const derogations = quotes.flatMap(({ content }) => content.derogations ?? [])
  return derogations.length === 0
    ? Effect.void
    : Effect.fail(new DerogationRequired({ derogations }))
}
