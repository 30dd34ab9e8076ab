/**
 * What a document of a product would be about, by the product's own examples: a policy with the fewest
 * things and people that it may have, an invoice of its price, a notice of that invoice.
 */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Customer } from "@quittance/domain/customers/Customer"
import type { Policy } from "@quittance/domain/policies/Policy"
import type {
  DocumentDefinition,
  DocumentTrigger
} from "@quittance/domain/products/documents/DocumentDefinition"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { FieldValues } from "@quittance/domain/products/ProductFields"
import type { PolicyQuote, SelectedTier } from "@quittance/domain/products/Quote"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays, addMonths, type LocalDate, parse } from "@quittance/domain/values/LocalDate"
import { plus, startOfDay } from "@quittance/domain/values/TimeZone"
import { credited, exampleInstalments, exampleInvoice } from "./BillingExample.ts"
import { exampleEndorsement } from "./EndorsementExample.ts"
import type { ModelInput } from "./Model.ts"
import { exampleNotice, id } from "./NoticeExample.ts"

/** What the product's own price of its example is; absent where another program prices it. */
export interface ExamplePrice {
  readonly quote: Omit<PolicyQuote, "id" | "entityId">
  readonly selectedTier: SelectedTier
}

/** A day of the example that has its row in every table of the product. */
export const exampleDay = ({ validFrom }: Pick<Product, "validFrom">): LocalDate => {
  const day = parse("2027-04-01")!
  return validFrom > day ? validFrom : day
}

/** A template's definition; a file of the product is shown as it is, and needs no example. */
export type TemplateDefinition = DocumentDefinition & {
  readonly source: { readonly template: string }
}

export const isOfTemplate = (
  definition: DocumentDefinition
): definition is DocumentDefinition & {
  readonly source: { readonly template: string; readonly version: string }
} => "template" in definition.source

/**
 * What the document of a definition is about, when it is made for the first of its triggers.
 *
 * @param locale of its template, which says how values are written
 */
export const exampleInput = (
  product: Product,
  definition: DocumentDefinition,
  price: ExamplePrice | undefined,
  locale: string
): ModelInput | undefined => {
  if (!isOfTemplate(definition)) return undefined
  const trigger = definition.on[0]!
  const startsOn = exampleDay(product)
  const isEndorsement = definition.kind === "ENDORSEMENT"
  const days = isEndorsement ? daysOfEndorsement : daysAfterStart[trigger]
  const at = startOfDay(addDays(startsOn, days), product.timeZone)
  const policy = examplePolicy(product, startsOn, price)
  const stopped = trigger === "STOPPED" || trigger === "REINSTATED"
  const customers = [exampleCustomer(product, at)] as const
  const assets = exampleAssets(product, at)
  const endorsedAt = startOfDay(addMonths(startsOn, 6), product.timeZone)
  return {
    definition: { kind: definition.kind, title: definition.title, source: definition.source },
    trigger,
    at,
    draft: true,
    example: true,
    tenant: { id: "example", name: sellers[product.country] ?? "Example Insurance" },
    product,
    policy: stopped ? stoppedPolicy(policy, product, at) : policy,
    customers,
    assets,
    locale,
    customerId: id("customer"),
    ...(product.assets.min > 0 ? { assetId: id("asset") } : {}),
    ...(isEndorsement || trigger === "CONFIRMED"
      ? { change: exampleEndorsement(product, { policy, customers, assets }, endorsedAt) }
      : {}),
    ...about(trigger, product, policy, startsOn)
  }
}

/** What an insurer could be called there. */
const sellers: Readonly<Record<string, string>> = {
  BE: "Assurances Exemple",
  DE: "Beispiel Versicherung AG",
  ES: "Seguros Ejemplo",
  FR: "Assurances Exemple",
  IT: "Assicurazioni Esempio"
}

/** In a sale before the start, of a policy in its first term, or at its end. */
const daysAfterStart: Record<DocumentTrigger, number> = {
  QUOTED: -10,
  CONFIRMED: -8,
  SIGNED: -7,
  MERGED: -7,
  STARTED: 0,
  INVOICED: 0,
  CREDITED: 40,
  NOTICE_WRITTEN: 25,
  SUSPENDED: 60,
  REACTIVATED: 70,
  ON_DEMAND: 30,
  STOPPED: 90,
  REINSTATED: 100,
  RENEWAL_NOTICE: 275
}

/** An endorsement is agreed a few days before it holds, half a term after the start. */
const daysOfEndorsement = 176

const fieldList = (fields: FieldValues) =>
  Object.entries(fields).map(([key, value]) => ({ key, value }))

const exampleCustomer = (product: Product, at: Instant): Customer => ({
  id: id("customer"),
  type: product.type === "FLEET" ? "COMPANY" : "INDIVIDUAL",
  createdAt: at,
  lastModifiedAt: at,
  status: "CUSTOMER_CONFIRMED",
  policies: [id("policy")],
  role: "POLICYHOLDER",
  paymentMode: "BANK_TRANSFER",
  name: "Camille Martin",
  customFields: fieldList(exampleOf(product).customers[0]!.customFields)
})

const exampleAssets = (product: Product, at: Instant): ReadonlyArray<Asset> =>
  exampleOf(product).assets.map(({ customFields }) => ({
    id: id("asset"),
    type: product.assets.type,
    policyId: id("policy"),
    status: "ASSET_STARTED",
    customFields: fieldList(customFields),
    createdAt: at,
    lastModifiedAt: at
  }))

const examplePolicy = (
  product: Product,
  startsOn: LocalDate,
  price: ExamplePrice | undefined
): Policy => {
  const startedAt = startOfDay(startsOn, product.timeZone)
  const quote = price && { id: id("quote"), entityId: id("policy"), ...price.quote }
  return {
    id: id("policy"),
    type: product.type,
    productId: product.productId,
    createdAt: startedAt,
    lastModifiedAt: startedAt,
    status: "POLICY_CONFIRMED",
    assets: [],
    customers: [id("customer")],
    periodDuration: product.periodDuration,
    invoicingConfig: product.invoicing.default,
    externalId: "2027-000123",
    customFields: fieldList(exampleOf(product).customFields),
    startedAt,
    endedAt: plus(startedAt, product.periodDuration, 1, product.timeZone),
    ...(quote && price ? { quote, proratedQuote: quote, selectedTier: price.selectedTier } : {})
  }
}

const stoppedPolicy = (policy: Policy, { reasons }: Product, stoppedAt: Instant): Policy => ({
  ...policy,
  status: "POLICY_STOPPED",
  stoppedAt,
  endedAt: stoppedAt,
  stop: { reason: reasons.unpaid }
})

/** What is there for one trigger alone. */
const about = (
  trigger: DocumentTrigger,
  product: Product,
  policy: Policy,
  startsOn: LocalDate
): Partial<ModelInput> => {
  const invoice = exampleInvoice(product, policy, startsOn)
  const { quote } = policy
  switch (trigger) {
    case "QUOTED":
      return { validUntil: addDays(startsOn, 20) }
    case "SIGNED":
      return { instalments: exampleInstalments(product, invoice) }
    case "RENEWAL_NOTICE":
      return quote === undefined ? {} : { nextQuote: quote }
    case "INVOICED":
      return { invoice }
    case "CREDITED":
      return { invoice: credited(invoice), creditedNumber: invoice.number }
    case "NOTICE_WRITTEN":
      return { notice: exampleNotice(product, invoice), noticeInvoices: [invoice] }
    case "ON_DEMAND":
      return { certificate: { from: startsOn, to: addDays(addMonths(startsOn, 12), -1) } }
    case "STOPPED":
      return { refund: 1234 }
    default:
      return {}
  }
}
