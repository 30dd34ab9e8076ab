/** Checks a policy's data at each step of the sale, and reports all faults of its fields at once. */
import { type Duration, isSameLength } from "@quittance/domain/values/Duration"
import { addDays } from "@quittance/domain/values/LocalDate"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { InvalidBillingAssignment } from "@quittance/domain/policies/Policy"
import {
  InvalidInvoicingConfig,
  type InvoicingConfig
} from "@quittance/domain/products/InvoicingConfig"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { InvalidRole, type Product } from "@quittance/domain/products/Product"
import { type FieldStage, InvalidCustomField } from "@quittance/domain/products/ProductFields"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Effect } from "effect"
import {
  fieldIssues,
  fieldsFrom,
  type Judged,
  statesFrom
} from "@quittance/domain/policies/aggregate/DataOverTime"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

export type PolicyFault =
  | InvalidBillingAssignment
  | InvalidCustomField
  | InvalidEffectiveDate
  | InvalidInvoicingConfig

/** Instants from `earliest` until before `latest`. */
export interface DateLimits {
  readonly earliest: Instant
  readonly latest: Instant
}

/** The limits of an instant that a product gives in days before and after now. */
export const windowOf = (
  { limits, timeZone }: Product,
  window: keyof Product["limits"],
  now: Instant
): DateLimits => {
  const { futureDays, pastDays } = limits[window]
  const today = localDate(now, timeZone)
  return {
    earliest: startOfDay(addDays(today, -pastDays), timeZone),
    latest: startOfDay(addDays(today, futureDays + 1), timeZone)
  }
}

/** Whether an instant lies within such limits. */
export const isWithin = ({ earliest, latest }: DateLimits, at: Instant): boolean =>
  at >= earliest && at < latest

export const withinWindow = (
  product: Product,
  window: keyof Product["limits"],
  field: InvalidEffectiveDate["field"],
  at: Instant,
  now: Instant
): Effect.Effect<void, InvalidEffectiveDate> => {
  const limits = windowOf(product, window, now)
  return isWithin(limits, at)
    ? Effect.void
    : Effect.fail(new InvalidEffectiveDate({ field, ...limits }))
}

/** Checks all that a policy's data must satisfy as it is opened, also that its start lies within limits. */
export const checkOpening = Effect.fnUntraced(function* (
  product: Product,
  state: PolicyState,
  now: Instant
) {
  const issues = fieldIssues(product, state, "DRAFT")
  if (issues.length > 0) return yield* new InvalidCustomField({ issues })
  yield* withinWindow(product, "start", "startedAt", state.startedAt, now)
  yield* checkInvoicing(product, state.invoicingConfig)
  yield* checkTermLength(product, state.periodDuration)
  yield* checkAssignment(product, state)
})

/** Checks how a policy is invoiced, and who pays, at every instant from one on. */
export const checkTerms = Effect.fnUntraced(function* (judged: Judged, from: Instant) {
  for (const { product, state } of statesFrom(judged, from)) {
    yield* checkInvoicing(product, state.invoicingConfig)
    yield* checkAssignment(product, state)
  }
})

/**
 * Checks all that a policy's data must satisfy at a step of the sale, at every instant from its start on;
 * with `now` also that its start lies within the product's limits.
 *
 * @param effect where the branch takes effect: nothing is judged before that either; `origin` for a sale
 */
export const checkStep = Effect.fnUntraced(function* (
  judged: Judged,
  {
    effect,
    now,
    stage
  }: {
    readonly effect: Instant
    readonly stage: Exclude<FieldStage, "DRAFT">
    readonly now: Instant | undefined
  }
) {
  const { product, state } = statesFrom(judged, effect).at(-1)!
  const from = max(effect, state.startedAt)
  yield* Effect.fromResult(fieldsFrom(judged, { from, stage }))
  if (now !== undefined) yield* withinWindow(product, "start", "startedAt", state.startedAt, now)
  yield* checkTerms(judged, from)
})

/** A role has to be one that the product knows. */
export const checkRole = (
  { customerRoles }: Product,
  role: string
): Effect.Effect<void, InvalidRole> =>
  customerRoles.includes(role)
    ? Effect.void
    : Effect.fail(new InvalidRole({ role, accepted: customerRoles }))

/** A way of invoicing has to be one that the product offers. */
export const checkInvoicing = (
  product: Product,
  config: InvoicingConfig
): Effect.Effect<void, InvalidInvoicingConfig> => {
  const reason = invoicingFault(product, config)
  return reason === undefined ? Effect.void : Effect.fail(new InvalidInvoicingConfig({ reason }))
}

/** A term has to be of a length that the product has a price for. */
export const checkTermLength = (
  { otherTermLengths, periodDuration }: Product,
  term: Duration
): Effect.Effect<void, InvalidInvoicingConfig> => {
  if (otherTermLengths !== "REFUSED" || isSameLength(term, periodDuration)) return Effect.void
  const { amount, unit } = periodDuration
  const reason = `Choose the \`periodDuration\` that the product has a price for: ${amount} ${unit}.`
  return Effect.fail(new InvalidInvoicingConfig({ reason }))
}

/** What the product does not offer of a way of invoicing, as a sentence; `undefined` if it does. */
const invoicingFault = (
  { activation, invoicing }: Product,
  { firstPayment, frequency, timing }: InvoicingConfig
): string | undefined => {
  if (!invoicing.frequencies.includes(frequency)) {
    return `Choose a frequency that the product offers: ${invoicing.frequencies.join(", ")}.`
  }
  if (!invoicing.timings.includes(timing)) {
    return `Choose a timing that the product offers: ${invoicing.timings.join(", ")}.`
  }
  if (!invoicing.firstPayments.includes(firstPayment)) {
    return `Choose a first payment that the product offers: ${invoicing.firstPayments.join(", ")}.`
  }
  return activation.firstPayment === "GATE" && timing === "IN_ARREAR" && firstPayment === "NONE"
    ? "Cover waits for the first payment: invoice in advance, or ask for a first payment."
    : undefined
}

/** Everything that an assignment names must be there: its config, its payers, its components. */
const checkAssignment = (
  product: Product,
  { billingAssignment, customers }: PolicyState
): Effect.Effect<void, InvalidBillingAssignment> => {
  if (billingAssignment === undefined) return Effect.void
  const { componentOverrides = [], configId, defaultPayerId } = billingAssignment
  const config = product.billingAssignmentConfigs.find(({ id }) => id === configId)
  const refuse = (field: string, value: string) =>
    Effect.fail(new InvalidBillingAssignment({ field, value }))
  if (config === undefined) return refuse("configId", configId)
  const mayPay = (id: string) =>
    Object.entries(customers).some(
      ([customerId, { role }]) => customerId === id && config.payerRoles.includes(role)
    )
  if (!mayPay(defaultPayerId)) return refuse("defaultPayerId", defaultPayerId)
  const named = new Set<string>()
  for (const { componentId, payerCustomerId } of componentOverrides) {
    // Two payers for one component would be ambiguous.
    if (named.has(componentId)) return refuse("componentId", componentId)
    named.add(componentId)
    if (!mayPay(payerCustomerId)) return refuse("payerCustomerId", payerCustomerId)
    if (!assignable(product, config.components, componentId)) {
      return refuse("componentId", componentId)
    }
  }
  return Effect.void
}

const assignable = (
  product: Product,
  components: ReadonlyArray<string> | undefined,
  componentId: string
): boolean =>
  components === undefined
    ? [...product.perils, ...product.specials, ...product.fees, ...product.taxes].some(
        ({ id }) => id === componentId
      ) || product.brokerageFee.id === componentId
    : components.includes(componentId)
