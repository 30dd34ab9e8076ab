/** The input of a price, and the errors that prevent one. */
import type { QuoteComponent } from "@quittance/domain/values/Amount"
import type { Duration } from "@quittance/domain/values/Duration"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { FieldValues, InvalidCustomField } from "@quittance/domain/products/ProductFields"
import type { PerilChoice } from "@quittance/domain/products/Quote"
import type {
  InvalidAmount,
  InvalidEffectiveDate,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { BrokerageFee } from "@quittance/domain/products/ProductCharges"

export interface RatedCustomer {
  /** How faults name it; absent: its place in the list. */
  readonly id?: string | undefined
  readonly role: string
  readonly customFields: FieldValues
}

export interface RatedAsset {
  readonly id?: string | undefined
  readonly customFields: FieldValues
}

export interface PriceInput {
  /** The local day on which the priced period starts: tables and ages are of that day. */
  readonly startDate: LocalDate
  /** The term that is priced; absent: the product's own period. */
  readonly periodDuration?: Duration | undefined
  readonly customFields: FieldValues
  readonly customers: ReadonlyArray<RatedCustomer>
  readonly assets: ReadonlyArray<RatedAsset>
  /** Absent: the product's default tier. */
  readonly tierId?: string | undefined
  readonly perils?: ReadonlyArray<PerilChoice> | undefined
  readonly brokerageFees?: ReadonlyArray<BrokerageFee> | undefined
  /** A component that the caller has priced; it is taken as it is. */
  readonly additionalQuoteComponents?: QuoteComponent | undefined
}

/** Why there is no price. Faults of fields are gathered in one `InvalidCustomField`. */
export type PricingFailure =
  | InvalidAmount
  | InvalidCustomField
  | InvalidEffectiveDate
  | InvalidReference

/** All that stands in the way, never empty; the first is the one to answer where one is asked for. */
export type PricingFailures = readonly [PricingFailure, ...ReadonlyArray<PricingFailure>]
