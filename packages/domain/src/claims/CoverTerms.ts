/** What is asked of a policy for one line of a claim, and what its product says of it. */
import type { DeclareWithin, PerilClaims } from "../products/claims/ProductClaims.ts"
import type { MoneyByHand } from "./ByLaw.ts"
import type { Deductible } from "../products/claims/Deductible.ts"
import type { Change } from "../policies/Change.ts"
import type { Lineage } from "../policies/ChangeView.ts"
import type { PolicyState, Selection } from "../policies/PolicyState.ts"
import type { Product } from "../products/Product.ts"
import type { FieldValues } from "../products/ProductFields.ts"
import type { CoveredPeril } from "../products/sale/Selected.ts"
import type { CustomFieldValue } from "../values/CustomField.ts"
import type { AssetId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { LocalDate } from "../values/LocalDate.ts"
import type { TimeZone } from "../values/TimeZone.ts"

/** A loss that is not covered, where its expression is true. */
export interface Exclusion {
  readonly id: string
  readonly label: string
  /** Absent: it holds for every peril. */
  readonly perils?: ReadonlyArray<string> | undefined
  /** The names that it reads, of facts of the claim or fields of the policy. */
  readonly reads: ReadonlyArray<string>
  /** Whether it is true; `undefined` where it has no value, as after a division by zero. */
  readonly holds: (value: (name: string) => CustomFieldValue) => boolean | undefined
}

/** What a version of a product says of the cover of losses of one type. */
export interface CoverTerms {
  readonly product: Pick<Product, "activation" | "assets" | "fields" | "timeZone" | "version">
  /** The perils that are covered by what was chosen, with the value of each option. */
  readonly covered: (selection: Selection | undefined) => ReadonlyArray<CoveredPeril>
  /** The perils that may cover a loss of the type; `undefined` where the version does not know the type. */
  readonly perilsOfType: ReadonlyArray<string> | undefined
  readonly perils: Readonly<Record<string, Omit<PerilClaims, "limitPer">>>
  readonly exclusions: ReadonlyArray<Exclusion>
  readonly declareWithin?: Pick<DeclareWithin, "days" | "from" | "working"> | undefined
  /** Whether losses of the type are covered only by a decree, as natural disasters are (art. L125-1). */
  readonly needsDecree: boolean
  /** What the law lets the insured bear, whatever the contract says. */
  readonly deductible?: Deductible | undefined
}

/** What happened, as far as cover goes by it. */
export interface Incident {
  readonly at: Instant
  readonly timeZone: TimeZone
  /** Two capitals, as in ISO 3166-1; absent where the place is not known. */
  readonly country?: string | undefined
}

export interface CoverQuestion {
  /** The whole log of the policy, in the order in which it was recorded. */
  readonly changes: ReadonlyArray<Change>
  /** The base branch: what is in force. */
  readonly base: Lineage
  readonly incident: Incident
  /** What is claimed on; without an asset where it is not known, or where the product has none. */
  readonly line: { readonly perilId: string; readonly assetId?: AssetId | undefined }
  /** What the claim says, by the keys of the facts of its loss type. */
  readonly facts: FieldValues
  readonly declaredAt: Instant
  /** Every payment and return of the policy that no bank tells of. */
  readonly moneyByHand: ReadonlyArray<MoneyByHand>
  /** Until when what was recorded counts: the instant of the check, or an earlier one that is looked back to. */
  readonly knownAt: Instant
  /** The day on which the decree of the place and day was published. */
  readonly decreePublishedOn?: LocalDate | undefined
  /** What the limit of the peril has already paid for, of the same claim or year. */
  readonly used?: number | undefined
  /** Whether a payment of the first premium was on its way at the incident and has neither come nor failed. */
  readonly firstPremiumInFlight?: boolean | undefined
  readonly termsOf: (state: Pick<PolicyState, "productVersion">) => CoverTerms
}
