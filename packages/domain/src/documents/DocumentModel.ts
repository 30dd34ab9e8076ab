/**
 * The data that a document is made of, and that it carries inside (`data.json`): what a template may show.
 * Days are those of the product's time zone; last days are inclusive. Amounts are in the minor unit.
 */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { CustomFieldValue } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { TimeZone } from "../values/TimeZone.ts"
import { FieldType } from "../products/ProductFields.ts"
import {
  DocumentKind,
  DocumentTrigger,
  TemplateId,
  TemplateVersion
} from "../products/documents/DocumentDefinition.ts"

/** A custom field with a value, as the product names it; `text` is what an ENUM's value is called. */
export const ModelField = Schema.Struct({
  key: Schema.String,
  label: Schema.String,
  type: FieldType,
  value: CustomFieldValue,
  text: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ModelField" })
export type ModelField = typeof ModelField.Type

const fields = Schema.Array(ModelField)

export const ModelParty = Schema.Struct({
  id: Schema.String,
  role: Schema.String,
  type: Schema.Literals(["INDIVIDUAL", "COMPANY"]),
  name: Schema.String,
  /** As on an envelope, below the name, with line feeds between its lines; empty where none is known. */
  address: Schema.String,
  /** The same address in its parts, as far as they are known. */
  postal: Schema.optionalKey(
    Schema.Struct({
      street: Schema.optionalKey(Schema.String),
      postalCode: Schema.optionalKey(Schema.String),
      city: Schema.optionalKey(Schema.String)
    })
  ),
  email: Schema.optionalKey(Schema.String),
  paymentMode: Schema.Literals(["DIRECT_DEBIT", "BANK_TRANSFER"]),
  fields
}).annotate({ identifier: "ModelParty" })
export type ModelParty = typeof ModelParty.Type

export const ModelAsset = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  /** Its name, else what its fields say first. */
  name: Schema.String,
  fields
}).annotate({ identifier: "ModelAsset" })
export type ModelAsset = typeof ModelAsset.Type

export const ModelCover = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Money),
  deductible: Schema.optionalKey(Money),
  options: Schema.Array(Schema.Struct({ label: Schema.String, value: Schema.String })),
  /** With fees and taxes. */
  premium: Money
}).annotate({ identifier: "ModelCover" })
export type ModelCover = typeof ModelCover.Type

const sums = { net: Money, fees: Money, taxes: Money, total: Money }
const Levies = Schema.Array(
  Schema.Struct({ id: Schema.String, name: Schema.String, amount: Money })
)

/** What a term costs: `total` is `net` with `fees` and `taxes`, and the sum of its components. */
export const ModelPrice = Schema.Struct({
  ...sums,
  components: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, ...sums })),
  feeList: Levies,
  taxList: Levies,
  validUntil: Schema.optionalKey(LocalDate)
}).annotate({ identifier: "ModelPrice" })
export type ModelPrice = typeof ModelPrice.Type

export const ModelPolicy = Schema.Struct({
  id: Schema.String,
  /** What people call it: the number that was given to it, else its identifier. */
  number: Schema.String,
  status: Schema.String,
  createdOn: LocalDate,
  signedOn: Schema.optionalKey(LocalDate),
  startsAt: Instant,
  startsOn: LocalDate,
  /** The last day of the term that is agreed. */
  endsOn: LocalDate,
  stoppedOn: Schema.optionalKey(LocalDate),
  suspendedOn: Schema.optionalKey(LocalDate),
  duration: Duration,
  frequency: Schema.String,
  firstPayment: Schema.String,
  tier: Schema.optionalKey(Schema.Struct({ id: Schema.String, name: Schema.String })),
  fields
}).annotate({ identifier: "ModelPolicy" })
export type ModelPolicy = typeof ModelPolicy.Type

const period = { periodStart: LocalDate, periodEnd: LocalDate }

export const ModelInvoice = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(["INVOICE", "CREDIT_NOTE"]),
  number: Schema.String,
  issuedOn: LocalDate,
  dueOn: LocalDate,
  ...period,
  payer: ModelParty,
  /** Whether each line is of the invoice's whole period, so that it need not be said line by line. */
  onePeriod: Schema.Boolean,
  lines: Schema.Array(Schema.Struct({ label: Schema.String, ...period, ...sums })),
  ...sums,
  feeList: Levies,
  taxList: Levies,
  paid: Money,
  due: Money,
  /** How what is due is paid; `NOTHING_DUE` where nothing is. */
  payment: Schema.Literals(["NOTHING_DUE", "DIRECT_DEBIT", "BANK_TRANSFER"]),
  /** The number of the invoice that a credit note corrects. */
  creditedNumber: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ModelInvoice" })
export type ModelInvoice = typeof ModelInvoice.Type

export const ModelNotice = Schema.Struct({
  id: Schema.String,
  writtenOn: LocalDate,
  channel: Schema.String,
  payer: ModelParty,
  invoices: Schema.Array(
    Schema.Struct({
      number: Schema.String,
      issuedOn: LocalDate,
      dueOn: LocalDate,
      ...period,
      total: Money,
      due: Money
    })
  ),
  /** What is owed of these invoices together. */
  due: Money,
  /** What the notice itself costs the payer. */
  cost: Money,
  /** The first day without cover, if nothing is paid and it is dispatched on the day it is written. */
  suspendsOn: Schema.optionalKey(LocalDate),
  /** From this day on the contract may be ended, or ends, on the same terms. */
  terminableOn: Schema.optionalKey(LocalDate),
  announcesTermination: Schema.Boolean
}).annotate({ identifier: "ModelNotice" })
export type ModelNotice = typeof ModelNotice.Type

export const ModelRenewal = Schema.Struct({
  /** The first day of the next term, and its last. */
  startsOn: LocalDate,
  endsOn: LocalDate,
  /** What the term that ends costs. */
  previousTotal: Money,
  /** The last day on which the customer may refuse, and the last legal day of this notice. */
  refuseBy: Schema.optionalKey(LocalDate),
  noticeBy: Schema.optionalKey(LocalDate),
  /** Whether it is sent after its last legal day: the customer then has twenty days from its dispatch. */
  late: Schema.Boolean
}).annotate({ identifier: "ModelRenewal" })
export type ModelRenewal = typeof ModelRenewal.Type

export const ModelEndorsement = Schema.Struct({
  /** Absent on an offer: a number is given when it comes into force. */
  number: Schema.optionalKey(Schema.String),
  effectiveOn: LocalDate,
  changes: Schema.Array(
    Schema.Struct({ label: Schema.String, before: Schema.String, after: Schema.String })
  ),
  previousTotal: Money,
  /** What the change costs for the remaining term; below 0 it is refunded. */
  restOfTerm: Money
}).annotate({ identifier: "ModelEndorsement" })
export type ModelEndorsement = typeof ModelEndorsement.Type

export const ModelInstalment = Schema.Struct({
  number: Schema.Int,
  payer: Schema.String,
  issueOn: LocalDate,
  dueOn: LocalDate,
  ...period,
  amount: Money
}).annotate({ identifier: "ModelInstalment" })
export type ModelInstalment = typeof ModelInstalment.Type

/** Everything that templates can name. What is about one trigger alone is there for that trigger. */
export const DocumentModel = Schema.Struct({
  document: Schema.Struct({
    /** The form of this data; grows when a member is taken away or means something else. */
    model: Schema.Literal(1),
    kind: DocumentKind,
    title: Schema.String,
    trigger: DocumentTrigger,
    template: Schema.Struct({ id: TemplateId, version: TemplateVersion }),
    /** The business time of the trigger, which is the time that the file tells. */
    at: Instant,
    date: LocalDate,
    /** Whether it is of an offer that is not in force. */
    draft: Schema.Boolean,
    /** Whether it is an example that the product's check has made. */
    example: Schema.Boolean
  }),
  tenant: Schema.Struct({ id: Schema.String, name: Schema.String }),
  product: Schema.Struct({
    id: Schema.String,
    version: Schema.String,
    name: Schema.String,
    country: Schema.String,
    currency: Currency,
    timeZone: TimeZone
  }),
  policy: ModelPolicy,
  holder: ModelParty,
  parties: Schema.Array(ModelParty),
  assets: Schema.Array(ModelAsset),
  covers: Schema.Array(ModelCover),
  price: Schema.optionalKey(ModelPrice),
  /** Of `per: CUSTOMER`, `PAYER` and `ASSET`: whose document it is. */
  customer: Schema.optionalKey(ModelParty),
  asset: Schema.optionalKey(ModelAsset),
  schedule: Schema.optionalKey(
    Schema.Struct({ instalments: Schema.Array(ModelInstalment), total: Money })
  ),
  invoice: Schema.optionalKey(ModelInvoice),
  notice: Schema.optionalKey(ModelNotice),
  renewal: Schema.optionalKey(ModelRenewal),
  endorsement: Schema.optionalKey(ModelEndorsement),
  /** The days that are paid for without a break. */
  certificate: Schema.optionalKey(Schema.Struct({ from: LocalDate, to: LocalDate })),
  /** `lastDay`: the last one with cover. `refund` is what the stop gives back. */
  termination: Schema.optionalKey(
    Schema.Struct({ lastDay: LocalDate, reason: Schema.String, refund: Money })
  )
}).annotate({ identifier: "DocumentModel" })
export type DocumentModel = typeof DocumentModel.Type
