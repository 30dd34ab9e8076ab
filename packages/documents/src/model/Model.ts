/** The data of a document, from what the service shows of a policy, its invoices and notices. */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Instalment, Invoice } from "@quittance/domain/billing/Invoice"
import type { Customer } from "@quittance/domain/customers/Customer"
import type {
  DocumentModel,
  ModelAsset,
  ModelParty,
  ModelPolicy
} from "@quittance/domain/documents/DocumentModel"
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import type { Policy } from "@quittance/domain/policies/Policy"
import type {
  DocumentKind,
  DocumentTrigger
} from "@quittance/domain/products/documents/DocumentDefinition"
import type { Product } from "@quittance/domain/products/Product"
import type { PolicyQuote } from "@quittance/domain/products/Quote"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { invoiceOf, noticeOf, type PartyById, scheduleOf } from "./BillingModel.ts"
import { type EndorsementInput, endorsementOf } from "./EndorsementModel.ts"
import { assetOf, fieldsOf, partyOf } from "./PartyModel.ts"
import { coversOf, priceOf } from "./PriceModel.ts"
import { renewalOf } from "./RenewalModel.ts"

/** What a document is about; `policy` and its price are as of the trigger, on the document's branch. */
export interface ModelInput {
  readonly definition: {
    readonly kind: DocumentKind
    readonly title: string
    readonly source: { readonly template: string; readonly version: string }
  }
  readonly trigger: DocumentTrigger
  /** The business time of the trigger. */
  readonly at: Instant
  /** Whether the branch is not in force. */
  readonly draft: boolean
  readonly example?: boolean
  readonly tenant: { readonly id: string; readonly name: string }
  readonly product: Product
  readonly policy: Policy
  /** Those on the policy, and payers who were on it; policyholders first. */
  readonly customers: readonly [Customer, ...ReadonlyArray<Customer>]
  readonly assets: ReadonlyArray<Asset>
  /** Of a quote: the last day on which it can be accepted. */
  readonly validUntil?: LocalDate
  readonly customerId?: string
  readonly assetId?: string
  readonly invoice?: Invoice
  readonly creditedNumber?: string
  readonly notice?: FormalNotice
  /** Those that the notice is about. */
  readonly noticeInvoices?: ReadonlyArray<Invoice>
  readonly instalments?: ReadonlyArray<Instalment>
  /** Of a renewal: what the next term costs, where `policy` still shows the term that ends. */
  readonly nextQuote?: PolicyQuote
  /** Of an endorsement: the policy without it and with it. */
  readonly change?: EndorsementInput
  /** Of the template, which says how values of a change are written; absent: `en-IE`. */
  readonly locale?: string
  readonly certificate?: { readonly from: LocalDate; readonly to: LocalDate }
  /** What the stop gives back, in minor units. */
  readonly refund?: number
}

/** A function of its input alone, in which nothing is reckoned that the service has not shown. */
export const documentModel = (input: ModelInput): DocumentModel => {
  const { nextQuote, policy, product, tenant } = input
  const assets = input.assets.map((asset) => assetOf(product, asset))
  const [first, ...others] = input.customers
  const holder = partyOf(product, first, assets)
  const parties = [holder, ...others.map((customer) => partyOf(product, customer, assets))]
  const quote = nextQuote ?? policy.quote
  return {
    document: headOf(input),
    tenant: { id: tenant.id, name: tenant.name },
    product: {
      id: product.productId,
      version: product.version,
      name: product.name,
      country: product.country,
      currency: product.currency,
      timeZone: product.timeZone
    },
    policy: policyOf(input),
    holder,
    parties,
    assets,
    covers: policy.selectedTier === undefined ? [] : coversOf(product, policy.selectedTier),
    ...present("price", quote && { ...priceOf(product, quote), ...validity(input) }),
    ...present("customer", byId(parties, input.customerId)),
    ...present("asset", byId(assets, input.assetId)),
    ...aboutMoney(input, (id) => byId(parties, id) ?? holder),
    ...present("renewal", nextQuote && renewalOf(input, nextQuote)),
    ...present("endorsement", endorsementIn(input)),
    ...present("certificate", input.certificate),
    ...present("termination", terminationOf(input))
  }
}

const endorsementIn = ({ change, locale = "en-IE", product }: ModelInput) =>
  change && endorsementOf(product, change, locale)

const headOf = ({ at, definition, draft, example, product, trigger }: ModelInput) => ({
  model: 1 as const,
  kind: definition.kind,
  title: definition.title,
  trigger,
  template: { id: definition.source.template, version: definition.source.version },
  at,
  date: localDate(at, product.timeZone),
  draft,
  example: example ?? false
})

const validity = ({ validUntil }: ModelInput) => present("validUntil", validUntil)

const byId = <A extends ModelAsset | ModelParty>(
  all: ReadonlyArray<A>,
  wanted: string | undefined
): A | undefined => all.find(({ id }) => id === wanted)

/** The last day before an instant at which something ends. */
export const lastDayBefore = (instant: Instant, { timeZone }: Product): LocalDate =>
  localDate(fromEpochMillis(toEpochMillis(instant) - 1), timeZone)

const policyOf = ({ at, policy, product }: ModelInput): ModelPolicy => {
  const day = (instant: Instant) => localDate(instant, product.timeZone)
  const startsAt = policy.startedAt ?? at
  const { stoppedAt, suspendedAt } = policy
  return {
    id: policy.id,
    number: policy.externalId ?? policy.incrementalId?.toString() ?? policy.id,
    status: policy.status,
    createdOn: day(policy.createdAt),
    ...present("signedOn", policy.signedAt && day(policy.signedAt)),
    startsAt,
    startsOn: day(startsAt),
    endsOn: lastDayBefore(policy.endedAt ?? policy.nextRenewalAt ?? startsAt, product),
    ...present("stoppedOn", stoppedAt && day(stoppedAt)),
    ...present("suspendedOn", suspendedAt && day(suspendedAt)),
    duration: policy.periodDuration,
    frequency: policy.invoicingConfig.frequency,
    firstPayment: policy.invoicingConfig.firstPayment,
    ...present("tier", tierOf(policy)),
    fields: fieldsOf(product.fields.policy, policy.customFields)
  }
}

const tierOf = ({ selectedTier }: Policy) =>
  selectedTier && { id: selectedTier.id, name: selectedTier.name }

const aboutMoney = (input: ModelInput, party: PartyById) => {
  const { creditedNumber, instalments, invoice, notice, noticeInvoices = [], product } = input
  return {
    ...present("schedule", instalments && scheduleOf(instalments, party)),
    ...present("invoice", invoice && invoiceOf(product, invoice, party, creditedNumber)),
    ...present("notice", notice && noticeOf(product, notice, noticeInvoices, party))
  }
}

const terminationOf = ({ policy, product, refund }: ModelInput) => {
  const { stop, stoppedAt } = policy
  if (stop === undefined || stoppedAt === undefined) return undefined
  return {
    lastDay: lastDayBefore(stoppedAt, product),
    reason: product.stopReasons.find(({ id }) => id === stop.reason)?.name ?? stop.reason,
    refund: refund ?? 0
  }
}

/** An optional member: there when its value is. */
const present = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  // A computed key widens to an index signature.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
