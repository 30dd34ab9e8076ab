/** What merging a branch would change. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Difference } from "./Differences.ts"
import type { PolicyQuote } from "../products/Quote.ts"
import { ChangeId } from "../values/Ids.ts"

/** An amount with fees and taxes on both sides, in minor units. */
const Compared = { before: Money, after: Money, difference: Money }

export const ComponentDifference = Schema.Struct({ componentId: Schema.String, ...Compared })
export type ComponentDifference = typeof ComponentDifference.Type

export const InvoiceDifference = Schema.Struct({ periodStart: LocalDate, ...Compared })
export type InvoiceDifference = typeof InvoiceDifference.Type

/** What a command would do to the invoices of its policy, in minor units with fees and taxes. */
export const InvoicePreview = Schema.Struct({
  /** What credit notes would credit at once, over all payers. */
  refund: Money,
  /** What invoices would charge at once beside the grid, over all payers. */
  charge: Money,
  /** The invoices to come without and with the command, by their first day. */
  invoices: Schema.Array(InvoiceDifference)
}).annotate({ identifier: "InvoicePreview" })
export type InvoicePreview = typeof InvoicePreview.Type

export const BranchDiff = Schema.Struct({
  changes: Schema.Array(Difference),
  /** What a later change of the base branch ends. */
  shadowed: Schema.Array(Schema.Struct({ path: Schema.String, from: Instant, by: ChangeId })),
  /** The price of a whole term where the branch takes effect; empty until it is quoted. */
  price: Schema.Array(ComponentDifference),
  /** The invoices to come, and credit notes as negative amounts; empty until it is quoted. */
  invoices: Schema.Array(InvoiceDifference)
}).annotate({ identifier: "BranchDiff" })
export type BranchDiff = typeof BranchDiff.Type

/** Two quotes side by side, component by component in the order of the later one. */
export const componentDifferences = (
  before: PolicyQuote,
  after: PolicyQuote
): ReadonlyArray<ComponentDifference> => {
  const amounts = ({ components }: PolicyQuote) =>
    new Map(components.map(({ id, premium }) => [id, premium.amountWithFeesAndTaxes]))
  const was = amounts(before)
  const is = amounts(after)
  return [...new Set([...is.keys(), ...was.keys()])].map((componentId) => {
    const [old, now] = [was.get(componentId) ?? 0, is.get(componentId) ?? 0]
    return { componentId, before: old, after: now, difference: now - old }
  })
}
