/** How a product's money is collected and paid back; absent: by transfers and by hand. */
import { Schema } from "effect"
import { Money } from "../../values/Amount.ts"

export const CollectionMode = Schema.Literals(["DIRECT_DEBIT", "BANK_TRANSFER", "CARD"])
export type CollectionMode = typeof CollectionMode.Type

const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Schemes = Schema.Array(Schema.Literals(["CORE", "B2B"])).check(
  Schema.isMinLength(1),
  Schema.isUnique()
)

/** Days between telling the payer of a debit and collecting it. */
const NotificationDays = wholeNumber(1, 90)

/** When money that was lacking is collected once more. */
export const DebitRetryTerms = Schema.Struct({
  /** How often it is tried in all, the first time included. */
  maxAttempts: wholeNumber(1, 3),
  afterDays: wholeNumber(1, 90),
  notificationDays: NotificationDays,
  /** The day of a month on which the payer has money; it goes before `afterDays`. */
  payDay: Schema.optionalKey(wholeNumber(1, 31))
})

export const DirectDebitTerms = Schema.Struct({
  schemes: Schemes,
  /** 14 by the rule of the schemes (EPC rulebooks, 4.3.1); fewer where the product's text agrees it. */
  notificationDays: NotificationDays,
  /** `INVOICE`: each debit is announced by itself; `SCHEDULE`: all those of a term at once. */
  announce: Schema.Literals(["INVOICE", "SCHEDULE"]),
  retry: DebitRetryTerms,
  /** What a payer is charged for a debit that their bank returns, in minor units. */
  returnFee: Schema.optionalKey(Money.check(Schema.isBetween({ minimum: 1, maximum: 100_000_00 })))
})
export type DirectDebitTerms = typeof DirectDebitTerms.Type

/** Which credit balances are paid out, and when. */
const RefundTerms = Schema.Struct({
  /** Whether a balance that waits is paid out by itself. */
  automatic: Schema.Boolean,
  /** The least that is paid out by itself, in minor units. */
  minimum: Money.check(Schema.isGreaterThanOrEqualTo(0)),
  afterDays: wholeNumber(0, 366),
  /** So many days after a debit that its bank may still refund. */
  notBeforeDays: wholeNumber(0, 366),
  speed: Schema.Literals(["STANDARD", "INSTANT"]),
  /** Whether an instant transfer that fails for a technical reason goes again as a standard one. */
  fallback: Schema.Boolean
})

export const ProductPayments = Schema.Struct({
  modes: Schema.Array(CollectionMode).check(Schema.isMinLength(1), Schema.isUnique()),
  directDebit: Schema.optionalKey(DirectDebitTerms),
  refunds: Schema.optionalKey(RefundTerms),
  /** In minor units, what a transfer may lack of an invoice that it pays. */
  tolerance: Schema.optionalKey(Money.check(Schema.isGreaterThanOrEqualTo(0)))
}).annotate({ identifier: "ProductPayments" })
export type ProductPayments = typeof ProductPayments.Type

/** What a front end needs of it, as `GET /config/{productId}` shows it. */
export const PaymentConfig = Schema.Struct({
  modes: Schema.Array(CollectionMode),
  schemes: Schema.optionalKey(Schema.Array(Schema.Literals(["CORE", "B2B"]))),
  notificationDays: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "PaymentConfig" })
export type PaymentConfig = typeof PaymentConfig.Type

export const paymentConfig = ({ directDebit, modes }: ProductPayments): PaymentConfig => ({
  modes,
  ...(directDebit === undefined
    ? {}
    : { schemes: directDebit.schemes, notificationDays: directDebit.notificationDays })
})
