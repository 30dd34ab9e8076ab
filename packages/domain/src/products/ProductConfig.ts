/** The public part of a product: what a front end needs to render its forms and to sell. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { Duration } from "../values/Duration.ts"
import { FirstPayment, Frequency, InvoicingConfig, Timing } from "./InvoicingConfig.ts"
import { PolicyType, type Product } from "./Product.ts"
import { Field } from "./ProductFields.ts"
import type { Peril, PerilOption } from "./ProductRating.ts"
import { ClaimConfig, claimConfig } from "./claims/ClaimConfig.ts"
import { PaymentConfig, paymentConfig } from "./payments/ProductPayments.ts"
import { Consent } from "./ProductTerms.ts"

const PublicOption = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  default: Schema.String,
  values: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      amount: Schema.optionalKey(Money)
    })
  )
})

/** What `GET /config/{productId}` answers. It has no rates, no rules, no commission. */
export const ProductConfig = Schema.Struct({
  productId: Schema.String,
  version: Schema.String,
  name: Schema.String,
  type: PolicyType,
  currency: Currency,
  timeZone: Schema.String,
  locale: Schema.String,
  stopReasons: Schema.Array(Schema.String),
  fields: Schema.Struct({
    policy: Schema.Array(Field),
    customer: Schema.Array(Field),
    asset: Schema.Array(Field)
  }),
  customerRoles: Schema.Array(Schema.String),
  tiers: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      description: Schema.optionalKey(Schema.String),
      perils: Schema.Array(Schema.String)
    })
  ),
  perils: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      description: Schema.optionalKey(Schema.String),
      optional: Schema.Boolean,
      options: Schema.Array(PublicOption)
    })
  ),
  periodDuration: Duration,
  invoicing: Schema.Struct({
    default: InvoicingConfig,
    frequencies: Schema.Array(Frequency),
    timings: Schema.Array(Timing),
    firstPayments: Schema.Array(FirstPayment)
  }),
  payments: Schema.optionalKey(PaymentConfig),
  consents: Schema.Array(Schema.Struct({ ...Consent.fields, hash: Schema.String })),
  claims: Schema.optionalKey(ClaimConfig)
}).annotate({ identifier: "ProductConfig" })
export type ProductConfig = typeof ProductConfig.Type

/**
 * What a product shows to everybody, member by member, so that what is added to the document stays
 * secret until it is listed here. `sha256` gives the hash of a consent's text in lower-case hex.
 */
export const publicConfig = (
  product: Product,
  sha256: (text: string) => string
): ProductConfig => ({
  productId: product.productId,
  version: product.version,
  name: product.name,
  type: product.type,
  currency: product.currency,
  timeZone: product.timeZone,
  locale: product.locale,
  stopReasons: product.stopReasons.map(({ id }) => id),
  fields: product.fields,
  customerRoles: product.customerRoles,
  tiers: product.tiers.map(({ id, name, perils, ...tier }) => ({
    id,
    name,
    ...described(tier),
    perils
  })),
  perils: product.perils.map(publicPeril),
  periodDuration: product.periodDuration,
  invoicing: {
    default: product.invoicing.default,
    frequencies: product.invoicing.frequencies,
    timings: product.invoicing.timings,
    firstPayments: product.invoicing.firstPayments
  },
  ...(product.payments === undefined ? {} : { payments: paymentConfig(product.payments) }),
  consents: product.consents.map(({ requiredFor, text, textId }) => ({
    textId,
    text,
    hash: sha256(text),
    requiredFor
  })),
  ...(product.claims === undefined ? {} : { claims: claimConfig(product.claims) })
})

const publicPeril = ({ id, name, optional, options, ...peril }: Peril) => ({
  id,
  name,
  ...described(peril),
  optional,
  options: options.map(publicOption)
})

const publicOption = ({ default: preset, id, name, values }: PerilOption) => ({
  id,
  name,
  default: preset,
  values: values.map(({ amount, id, name }) => ({
    id,
    name,
    ...(amount === undefined ? {} : { amount })
  }))
})

const described = ({ description }: { readonly description?: string }) =>
  description === undefined ? {} : { description }
