/** What requests for a price without a record say. */
import { Schema } from "effect"
import { InvoicingConfig } from "../products/InvoicingConfig.ts"
import { BrokerageFee } from "../products/ProductCharges.ts"
import { PerilChoice } from "../products/Quote.ts"
import { CustomField, customFieldsOf } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { InstantFromString } from "../values/Instant.ts"

/** A whole risk in one body: what a comparison site prices without leaving a record. */
export const PreviewQuote = Schema.Struct({
  productId: Schema.String,
  startedAt: Schema.optionalKey(InstantFromString),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  periodDuration: Schema.optionalKey(Duration),
  customFields: customFieldsOf(CustomField),
  customers: Schema.Array(
    Schema.Struct({ role: Schema.String, customFields: customFieldsOf(CustomField) })
  ).check(Schema.isMaxLength(100)),
  assets: Schema.Array(Schema.Struct({ customFields: customFieldsOf(CustomField) })).check(
    Schema.isMaxLength(1000)
  ),
  tierId: Schema.optionalKey(Schema.String),
  perils: Schema.optionalKey(Schema.Array(PerilChoice).check(Schema.isMaxLength(200))),
  brokerageFees: Schema.optionalKey(Schema.Array(BrokerageFee).check(Schema.isMaxLength(100)))
}).annotate({ identifier: "PreviewQuote" })
export type PreviewQuote = typeof PreviewQuote.Type
