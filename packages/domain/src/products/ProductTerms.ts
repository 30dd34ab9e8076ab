/** What a product's document says of a policy's life: stops, invoices, arrears, renewal, dates. */
import { Schema } from "effect"
import { Duration } from "../values/Duration.ts"
import { FirstPayment, Frequency, InvoicingConfig, Timing } from "./InvoicingConfig.ts"
import { SalesChannel } from "./sale/Withdrawal.ts"
import { Fraction, Name, Price } from "./ProductRating.ts"

/** `BASE` is the base branch: what is in force. It opens when the first new business merges. */
export const BranchType = Schema.Literals(["BASE", "NEW_BUSINESS", "MTA", "RENEWAL", "REPRICING"])

export type BranchType = typeof BranchType.Type

const Days = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 36_525 }))

/** What a stop gives back: by days, by a table, nothing, or everything invoiced for the term. */
export const RefundMethod = Schema.Literals(["PRO_RATA", "SHORT_RATE", "NONE", "FULL"])
export type RefundMethod = typeof RefundMethod.Type

/** When the law lets a contract end for a reason, and by when what was paid for later days is paid back. */
export const StopRule = Schema.Struct({
  /** The article of the law, as people cite it. */
  article: Schema.NonEmptyString,
  /**
   * `NOTICE`: once the notice is over. `TERM`: with a term, once the notice is over. `ANY_DAY`: at any instant
   * within the product's limits, such as that of a death.
   */
  end: Schema.Literals(["NOTICE", "TERM", "ANY_DAY"]),
  /** How long the notice is, in days, weeks, months or years; absent: the contract ends with its day. */
  notice: Schema.optionalKey(Duration),
  /** How long after its first start the contract may be ended so; absent: from the beginning on. */
  notBefore: Schema.optionalKey(Duration),
  /** Days after the end within which the law wants the refund paid. */
  refundWithinDays: Schema.optionalKey(Days)
})
export type StopRule = typeof StopRule.Type

export const StopReason = Schema.Struct({
  id: Name,
  name: Schema.NonEmptyString,
  refund: RefundMethod,
  /** For `SHORT_RATE`: the share of the term's premium kept when at most so many days were used. */
  shortRate: Schema.optionalKey(Schema.Array(Schema.Struct({ upToDays: Days, kept: Fraction }))),
  /** Absent: the contract may end for it at any time within the product's limits. */
  rule: Schema.optionalKey(StopRule)
})
export type StopReason = typeof StopReason.Type

/** The stop reasons that the service itself uses. */
export const Reasons = Schema.Struct({
  notTakenUp: Name,
  unpaid: Name,
  expired: Name,
  renewalRefused: Name
})

/** Where the grid of invoicing periods lies: on the start day, or through a day of the month. */
export const Alignment = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("START_DATE") }),
  Schema.Struct({
    kind: Schema.Literal("DAY_OF_MONTH"),
    day: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))
  })
])
export type Alignment = typeof Alignment.Type

export const InvoicingTerms = Schema.Struct({
  default: InvoicingConfig,
  frequencies: Schema.Array(Frequency).check(Schema.isMinLength(1)),
  timings: Schema.Array(Timing).check(Schema.isMinLength(1)),
  firstPayments: Schema.Array(FirstPayment).check(Schema.isMinLength(1)),
  alignment: Alignment,
  /** An invoice in advance is planned so many days before its period. */
  issueLeadDays: Days,
  /** It is due so many days after the later of its planned and its actual issue day. */
  dueDays: Days
})
export type InvoicingTerms = typeof InvoicingTerms.Type

/** A way of sharing a policy between payers: who may pay, and which components may be assigned. */
export const BillingAssignmentConfig = Schema.Struct({
  id: Name,
  name: Schema.NonEmptyString,
  payerRoles: Schema.Array(Name).check(Schema.isMinLength(1)),
  /** Absent: every component. */
  components: Schema.optionalKey(Schema.Array(Name))
})

export const Activation = Schema.Struct({
  /** `GATE`: cover starts only when the first invoice is paid. */
  firstPayment: Schema.Literals(["GATE", "NONE"]),
  /** A policy whose first payment has not come by then is stopped as not taken up. */
  notTakenUpAfterDays: Schema.optionalKey(Days),
  /** `PAYMENT`: cover starts at the payment where that is after the planned start. */
  coverFrom: Schema.Literals(["START_DATE", "PAYMENT"])
})

/** Whether time suspended for another reason than unpaid premiums is invoiced. */
export const Suspension = Schema.Struct({ bill: Schema.Boolean })

/** What happens when a premium is not paid. French law: art. L113-3 code des assurances. */
export const Dunning = Schema.Struct({
  firstPremium: Schema.Literals(["COVER", "NO_COVER"]),
  grace: Schema.optionalKey(Duration),
  /** Absent: no formal notice. */
  notice: Schema.optionalKey(
    Schema.Struct({
      required: Schema.Boolean,
      channel: Schema.Literals(["REGISTERED_LETTER", "LETTER", "EMAIL"])
    })
  ),
  suspend: Schema.Struct({
    after: Duration,
    from: Schema.Literals(["DUE_DATE", "NOTICE"]),
    /** Whether a suspension for a part of a term's premium ends with the term at the latest. */
    untilYearEnd: Schema.optionalKey(Schema.Boolean)
  }),
  terminate: Schema.Struct({
    after: Duration,
    from: Schema.Literals(["DUE_DATE", "NOTICE", "SUSPENSION"]),
    mode: Schema.Literals(["MANUAL", "ANNOUNCED", "AUTOMATIC"])
  }),
  reactivation: Schema.Literals(["NEXT_DAY_NOON", "IMMEDIATE", "END_OF_DAY", "NEXT_DAY"]),
  /** How long after termination a payment still revives the policy. */
  reviveWithin: Schema.optionalKey(Duration),
  /** What a notice costs the payer, in minor units. */
  feesRebilled: Price,
  /**
   * An invoice of which at most this is left to pay, in minor units, counts as paid here: no notice, no
   * suspension, and no end follow from the rest. It stays owed. Absent: a single cent counts.
   */
  tolerance: Schema.optionalKey(Price),
  stopReason: Name
})
export type Dunning = typeof Dunning.Type

/**
 * How long before the end of a term a tacit renewal may be refused at the latest, and how many days before
 * that the insurer has to have told so. French law: two months and fifteen days, art. L113-15-1 code des
 * assurances.
 */
export const Refusal = Schema.Struct({
  before: Duration,
  notice: Schema.Struct({ leadDays: Days }),
  /** A notice that comes later is lawful, and gives twenty days from its dispatch; absent: it is never late. */
  late: Schema.optionalKey(Schema.Literal("TWENTY_DAYS"))
})
export type Refusal = typeof Refusal.Type

export const Renewal = Schema.Struct({
  mode: Schema.Literals(["TACIT", "ON_ACCEPTANCE", "NEVER"]),
  openDaysBefore: Days,
  /** Absent: no law asks for a notice of the renewal. */
  refusal: Schema.optionalKey(Refusal)
})

/** Which branches of a signed policy need a signature of their own. */
export const Signatures = Schema.Struct({
  MTA: Schema.optionalKey(Schema.Boolean),
  RENEWAL: Schema.optionalKey(Schema.Boolean),
  REPRICING: Schema.optionalKey(Schema.Boolean)
})

/** Whether and how long after its stop a policy can be taken up again. */
export const Reinstatement = Schema.Struct({ withinDays: Days })

/** How many days before and after now an effective date may lie. */
const DateLimits = Schema.Struct({ pastDays: Days, futureDays: Days })
export const Limits = Schema.Struct({ start: DateLimits, change: DateLimits, stop: DateLimits })

/** A text that a customer agrees to; what was shown is proven by its hash. */
export const Consent = Schema.Struct({
  textId: Name,
  text: Schema.NonEmptyString,
  requiredFor: Schema.Literals(["CONFIRM", "SIGN"])
})
export type Consent = typeof Consent.Type

/** A duty of the distributor that has to be met before a step of the sale. */
export const ComplianceGate = Schema.Struct({
  kind: Schema.Literals([
    "DEMANDS_AND_NEEDS",
    "IPID",
    "INTERMEDIARY_INFORMATION",
    "ADVICE",
    "BROKER_REGISTRATION",
    "WITHDRAWAL_RIGHT"
  ]),
  requiredFor: Schema.Literals(["CONFIRM", "SIGN"]),
  /** Absent: every branch that is confirmed or signed. */
  branches: Schema.optionalKey(
    Schema.Array(BranchType.pick(["NEW_BUSINESS", "MTA", "RENEWAL", "REPRICING"]))
  ),
  /** Absent: whatever the policyholder is. */
  customerTypes: Schema.optionalKey(Schema.Array(Schema.Literals(["INDIVIDUAL", "COMPANY"]))),
  /** How the policy is sold; absent: in whatever way. It counts for a sale whose channel is not known. */
  channels: Schema.optionalKey(Schema.Array(SalesChannel).check(Schema.isMinLength(1))),
  /** How many days ago a broker's registration may have been looked up; absent: at any time. */
  maxAgeDays: Schema.optionalKey(Days)
})
export type ComplianceGate = typeof ComplianceGate.Type
