/**
 * A product is data: one document, versioned, never changed once published. A policy pins the version
 * that it was quoted with. The document is closed: a property that it does not know is refused.
 */
import { Schema } from "effect"
import { Currency } from "../values/Amount.ts"
import type { EventType } from "../requests/Event.ts"
import { DerogationRule } from "./Derogation.ts"
import { Duration } from "../values/Duration.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Field, FieldKey } from "./ProductFields.ts"
import { BrokerageFeeTerms, PolicyFee, Rounding, Special, TaxTerms } from "./ProductCharges.ts"
import { Factor, Name, Peril, RatingInput } from "./ProductRating.ts"
import {
  Activation,
  BillingAssignmentConfig,
  type BranchType,
  ComplianceGate,
  Consent,
  Dunning,
  InvoicingTerms,
  Limits,
  Reasons,
  Reinstatement,
  Renewal,
  Signatures,
  StopReason,
  Suspension
} from "./ProductTerms.ts"
import { DocumentDefinition, RequestedDocument } from "./documents/DocumentDefinition.ts"
import { ProductClaims } from "./claims/ProductClaims.ts"
import { ProductPayments } from "./payments/ProductPayments.ts"
import { Needs } from "./sale/Needs.ts"
import { SignatureTerms } from "./sale/SignatureTerms.ts"
import { SalesChannel, WithdrawalTerms } from "./sale/Withdrawal.ts"
import { QuoteProviderReference } from "./QuoteProvider.ts"
import { TimeZone } from "../values/TimeZone.ts"

export const PolicyType = Schema.Literals(["INDIVIDUAL", "FLEET", "GROUP", "MASTER"])

export type PolicyType = typeof PolicyType.Type

/** A slug chosen by people: `motor-fr`. */
export const ProductId = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9-]{1,62}[a-z0-9]$/u, {
    message: "Expected 3 to 64 characters: a lower-case letter, then letters, digits and hyphens"
  })
)

export const ProductVersion = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/u, {
    message: "Expected at most 32 letters, digits, `.`, `_` and `-`, such as 2026.1"
  })
)

/** No product needs more, and what a quote may cost is bounded. */
const upTo = (length: number) => Schema.isMaxLength(length)

export const Tier = Schema.Struct({
  id: Name,
  name: Schema.NonEmptyString,
  description: Schema.optionalKey(Schema.String),
  /** What it covers; an optional peril of it may be left out, another optional one added. */
  perils: Schema.Array(Name).check(Schema.isMinLength(1)),
  /** Values of options that differ in this tier from the option's own default. */
  defaults: Schema.optionalKey(
    Schema.Array(Schema.Struct({ perilId: Name, optionId: Name, valueId: Name }))
  )
})
export type Tier = typeof Tier.Type

export const Product = Schema.Struct({
  /** Where an editor finds the schema of the document. */
  $schema: Schema.optionalKey(Schema.String),
  productId: ProductId,
  version: ProductVersion,
  name: Schema.NonEmptyString,
  type: PolicyType,
  /** ISO 3166-1 alpha-2, the country by whose law it is sold; taxes of others are told by `where`. */
  country: Schema.String.check(
    Schema.isPattern(/^[A-Z]{2}$/u, {
      message: "Expected a country in two capitals, as in ISO 3166-1: FR"
    })
  ),
  currency: Currency,
  timeZone: TimeZone,
  locale: Schema.String.check(
    Schema.isPattern(/^[a-z]{2}(?:-[A-Z]{2})?$/u, {
      message: "Expected a language, with its country or without: fr-FR"
    })
  ),
  /** Who prices it; absent: the built-in engine, by the tables of this document. */
  quoteProvider: Schema.optionalKey(QuoteProviderReference),
  /** The first day on which a priced period may start: from then on every table has its row. */
  validFrom: LocalDate,
  fields: Schema.Struct({
    policy: Schema.Array(Field).check(upTo(200)),
    customer: Schema.Array(Field).check(upTo(200)),
    asset: Schema.Array(Field).check(upTo(200))
  }),
  /** The kind of thing insured, and how many of it a policy covers when it is quoted. */
  assets: Schema.Struct({
    type: Name,
    min: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
    max: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
  }),
  customerRoles: Schema.Array(Name).check(Schema.isMinLength(1)),
  tiers: Schema.Array(Tier).check(Schema.isMinLength(1), upTo(50)),
  defaultTier: Name,
  perils: Schema.Array(Peril).check(Schema.isMinLength(1), upTo(200)),
  rating: Schema.Struct({
    inputs: Schema.Array(RatingInput).check(upTo(300)),
    factors: Schema.Array(Factor).check(upTo(300))
  }),
  /** Absent: every amount to the minor unit, the premium of a peril for each asset by itself. */
  rounding: Schema.optionalKey(Rounding),
  specials: Schema.Array(Special).check(upTo(100)),
  fees: Schema.Array(PolicyFee).check(upTo(100)),
  brokerageFee: BrokerageFeeTerms,
  taxes: Schema.Array(TaxTerms).check(upTo(100)),
  stopReasons: Schema.Array(StopReason).check(Schema.isMinLength(1)),
  reasons: Reasons,
  /** The term that its prices are of. */
  periodDuration: Duration,
  /**
   * What a term of another length costs: as much in proportion (`PRO_RATA`, also where this is absent), or
   * nothing, since it is not sold (`REFUSED`). Another program that prices the product is told the term.
   */
  otherTermLengths: Schema.optionalKey(Schema.Literals(["PRO_RATA", "REFUSED"])),
  invoicing: InvoicingTerms,
  billingAssignmentConfigs: Schema.Array(BillingAssignmentConfig),
  /** How its money is collected and paid back; absent: by transfers and by hand. */
  payments: Schema.optionalKey(ProductPayments),
  quote: Schema.Struct({
    validDays: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 }))
  }),
  activation: Activation,
  suspension: Suspension,
  dunning: Dunning,
  renewal: Renewal,
  /** Absent: a stop is for good, but for its withdrawal. */
  reinstatement: Schema.optionalKey(Reinstatement),
  limits: Limits,
  consents: Schema.Array(Consent),
  /** Whether an endorsement is signed, by its branch; absent: an `MTA` is, the others are not. */
  signatures: Schema.optionalKey(Signatures),
  /** How it is signed; absent: by one call of the program in which the signer acts. */
  signature: Schema.optionalKey(SignatureTerms),
  /** Fields without a price that may still change after the signature. */
  trunkFields: Schema.Struct({
    policy: Schema.Array(FieldKey),
    customer: Schema.Array(FieldKey),
    asset: Schema.Array(FieldKey)
  }),
  /** Risks that may be quoted, but are sold only after an underwriter has accepted them. */
  derogations: Schema.optionalKey(Schema.Array(DerogationRule)),
  complianceGates: Schema.optionalKey(Schema.Array(ComplianceGate)),
  /** How it is sold where a policy does not say it; a policy that a session opened is sold at a distance. */
  salesChannel: Schema.optionalKey(SalesChannel),
  /** Absent: the law gives no right of withdrawal. */
  withdrawal: Schema.optionalKey(WithdrawalTerms),
  /** What customers are asked about their demands and needs, and what is made of it. */
  needs: Schema.optionalKey(Needs),
  /** The papers of the product. */
  documents: Schema.optionalKey(Schema.Array(DocumentDefinition).check(upTo(100))),
  /** What customers have to bring. */
  requestedDocuments: Schema.optionalKey(Schema.Array(RequestedDocument).check(upTo(50))),
  /** What losses are declared as, and what decides on their cover. */
  claims: Schema.optionalKey(ProductClaims)
}).annotate({ identifier: "Product" })
export type Product = typeof Product.Type

/** A fault of a document and where it lies, as a JSON pointer. */
export const ProductFault = Schema.Struct({ pointer: Schema.String, message: Schema.String })
export type ProductFault = typeof ProductFault.Type

/** The components that a quote of the product can have, in their order. */
export const componentsOf = (
  product: Pick<Product, "brokerageFee" | "fees" | "perils" | "specials" | "taxes">
): ReadonlyArray<{ readonly id: string; readonly name: string }> => [
  ...product.perils,
  ...product.specials,
  product.brokerageFee,
  ...product.fees,
  ...product.taxes.filter(({ level }) => level === "POLICY")
]

/** Whether a branch of a signed policy is signed like the sale, or merged as it is. */
export const needsSignature = ({ signatures }: Product, branchType: BranchType): boolean =>
  signatures?.[branchType as keyof typeof signatures] ?? branchType === "MTA"

/** What invoices and explanations call a component of a quote, or a tax on one. */
export const componentName = (product: Product, id: string): string =>
  [...componentsOf(product), ...product.taxes].find((named) => named.id === id)?.name ?? id

/** `productId` of a request names no product of the tenant. */
export class UnknownProduct extends Schema.TaggedError<UnknownProduct>()("UnknownProduct", {
  productId: Schema.String
}) {
  override get message() {
    return `The tenant does not sell ${this.productId}; \`GET /config\` lists its products.`
  }
}

/** The path names no product of the tenant. */
export class ProductNotFound extends Schema.TaggedError<ProductNotFound>()("ProductNotFound", {
  productId: Schema.String
}) {
  override get message() {
    return `Product ${this.productId} does not exist; \`GET /config\` lists the tenant's products.`
  }
}

export class InvalidProduct extends Schema.TaggedError<InvalidProduct>()("InvalidProduct", {
  faults: Schema.Array(ProductFault)
}) {
  override get message() {
    return "Mend the faults listed in details, each at its JSON pointer, and publish again."
  }
}

export class InvalidRole extends Schema.TaggedError<InvalidRole>()("InvalidRole", {
  role: Schema.String,
  accepted: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The product has no role ${this.role}; choose one of: ${this.accepted.join(", ")}.`
  }
}

/** The events of products. */
export const productEvents = {
  "product.publish": {
    type: "product.published",
    data: Schema.Struct({ productId: ProductId, version: ProductVersion }),
    // The audit trail names a version as `motor-fr@1.0`; its events are counted by product.
    ofRecord: (recordId: string) => {
      const at = recordId.lastIndexOf("@")
      const [productId, version] = [recordId.slice(0, at), recordId.slice(at + 1)]
      return { subject: `product:${productId}`, payload: { productId, version } }
    }
  }
} satisfies Record<string, EventType>
