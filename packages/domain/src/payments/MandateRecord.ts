/** Mandates as they are kept and shown, and what becomes of one by each command. */
import { Result, Schema } from "effect"
import { BankAccountId, CustomerId, MandateId, PaymentMethodId } from "../values/Ids.ts"
import { InvalidReference, type InvalidTransition } from "../requests/RequestErrors.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { CreditorIdentifier } from "./BankAccount.ts"
import {
  AmendmentKind,
  AmendmentStatus,
  DebitScheme,
  endsOn,
  isOverdue,
  MandateStatus,
  MandateType
} from "./Mandate.ts"
import {
  KeptEvidence,
  KeptUnblocking,
  MandateEvidence,
  MandateUnblocking
} from "./MandateEvidence.ts"
import { MandateNotUsable } from "./MandateNotUsable.ts"
import { mandateAfter, type MandateCommand, mandateEdges } from "./MandateLifecycle.ts"
import { isFinal } from "./ReturnReason.ts"

/** A mandate's reference in the letters of SEPA, at most 35 (EPC rulebooks, AT-01). */
export const MandateReference = Schema.String.check(
  Schema.isPattern(/^(?![/ ])(?!.*\/\/)[A-Za-z0-9/?:().,'+ -]{0,34}[A-Za-z0-9?:().,'+-]$/u, {
    message: "Expected at most 35 letters, digits and signs of SEPA, with no `/` at the ends"
  })
)

/** The languages in which mandates are written. */
export const MandateLocale = Schema.Literals(["de", "en", "es", "fr", "it"]).annotate({
  identifier: "MandateLocale"
})
export type MandateLocale = typeof MandateLocale.Type

/** What debtors' banks are told with the next debits: another account, reference or creditor. */
export const MandateAmendment = Schema.Struct({
  kind: AmendmentKind,
  from: Schema.String,
  to: Schema.String,
  at: Instant,
  status: AmendmentStatus
}).annotate({ identifier: "MandateAmendment" })
export type MandateAmendment = typeof MandateAmendment.Type

/** Why nothing more is collected by a mandate: what a bank said of a debit, and when that was known. */
export const MandateBlock = Schema.Struct({ reasonCode: Schema.String, at: Instant }).annotate({
  identifier: "MandateBlock"
})
export type MandateBlock = typeof MandateBlock.Type

/** The text that was agreed to: a digest of it (SHA-256, lower-case hex), and its language. */
export const MandateText = Schema.Struct({
  hash: Schema.String,
  locale: MandateLocale
})

const members = {
  id: MandateId,
  paymentMethodId: PaymentMethodId,
  customerId: CustomerId,
  bankAccountId: BankAccountId,
  creditorIdentifier: CreditorIdentifier,
  umr: MandateReference,
  scheme: DebitScheme,
  type: MandateType,
  status: MandateStatus,
  signedOn: Schema.optionalKey(LocalDate),
  /** The due day of the last debit that a bank was given. */
  lastPresentedOn: Schema.optionalKey(LocalDate),
  amendments: Schema.Array(MandateAmendment),
  blocked: Schema.optionalKey(MandateBlock),
  createdAt: Instant
}

/** A mandate as it is kept. */
export const StoredMandate = Schema.Struct({
  ...members,
  locale: Schema.optionalKey(MandateLocale),
  textHash: Schema.optionalKey(Schema.String),
  evidence: Schema.optionalKey(KeptEvidence),
  bankConfirmation: Schema.optionalKey(KeptEvidence),
  unblocked: Schema.optionalKey(KeptUnblocking)
})
export type StoredMandate = typeof StoredMandate.Type

/** A mandate as it stands on a day. */
export const Mandate = Schema.Struct({
  ...members,
  text: Schema.optionalKey(MandateText),
  evidence: Schema.optionalKey(MandateEvidence),
  bankConfirmation: Schema.optionalKey(MandateEvidence),
  unblocked: Schema.optionalKey(MandateUnblocking),
  endsOn: Schema.optionalKey(LocalDate)
}).annotate({ identifier: "Mandate" })
export type Mandate = typeof Mandate.Type

export class MandateNotFound extends Schema.TaggedError<MandateNotFound>()("MandateNotFound", {
  mandateId: MandateId
}) {
  override get message() {
    return `Mandate ${this.mandateId} does not exist; check the identifier and the tenant.`
  }
}

export class DuplicateMandateReference extends Schema.TaggedError<DuplicateMandateReference>()(
  "DuplicateMandateReference",
  { umr: MandateReference }
) {
  override get message() {
    return `The creditor has a mandate ${this.umr} already; a reference and a creditor are one mandate.`
  }
}

const lastDayOf = ({ lastPresentedOn, signedOn }: StoredMandate): LocalDate | undefined =>
  signedOn === undefined ? undefined : endsOn({ signedOn, lastPresentedOn })

/**
 * The status of a mandate on a day: 36 months without a debit end it, whether anything has looked at it
 * meanwhile or not.
 */
export const statusOn = (mandate: StoredMandate, today: LocalDate): MandateStatus => {
  const last = lastDayOf(mandate)
  const { status } = mandate
  const isOver = last !== undefined && isOverdue({ status, endsOn: last }, today)
  return isOver && expirable.has(status) ? "EXPIRED" : status
}

const expirable = new Set(
  mandateEdges.flatMap(({ command, from }) => (command === "expire" ? from : []))
)

/** A mandate as it is shown on a day: without what the requests came from. */
export const shownOn = (mandate: StoredMandate, today: LocalDate): Mandate => {
  const { bankConfirmation, evidence, locale, textHash, unblocked, ...shown } = mandate
  const last = lastDayOf(mandate)
  return {
    ...shown,
    status: statusOn(mandate, today),
    ...(textHash === undefined || locale === undefined ? {} : { text: { hash: textHash, locale } }),
    ...(evidence === undefined ? {} : { evidence: shownEvidence(evidence) }),
    ...(bankConfirmation === undefined
      ? {}
      : { bankConfirmation: shownEvidence(bankConfirmation) }),
    ...(unblocked === undefined ? {} : { unblocked: shownEvidence(unblocked) }),
    ...(last === undefined ? {} : { endsOn: last })
  }
}

const shownEvidence = <Kept extends Pick<KeptEvidence, "address" | "userAgent">>({
  address: _,
  userAgent: __,
  ...shown
}: Kept) => shown

/** The step of a command on a day; fails with `InvalidTransition` where the life cycle has none. */
const step = (
  mandate: StoredMandate,
  command: MandateCommand,
  today: LocalDate
): Result.Result<StoredMandate, InvalidTransition> =>
  Result.map(
    mandateAfter(
      {
        status: statusOn(mandate, today),
        scheme: mandate.scheme,
        blockedBy: mandate.blocked?.reasonCode
      },
      command
    ),
    (status) => ({ ...mandate, status })
  )

/** Whether a day of signature leaves a mandate that can be used: at most today, within 36 months. */
export const signedOnFault = (
  signedOn: LocalDate,
  lastPresentedOn: LocalDate | undefined,
  today: LocalDate
): InvalidReference | undefined => {
  const latest = lastPresentedOn ?? signedOn
  const fits =
    signedOn <= latest && latest <= today && today <= endsOn({ signedOn, lastPresentedOn })
  return fits
    ? undefined
    : new InvalidReference({
        field: lastPresentedOn === undefined ? "signedOn" : "lastPresentedOn",
        value: latest,
        expected: "a day of the last 36 months that is not before the signature"
      })
}

/** The mandate once it is signed: a B2B one waits for the debtor's bank. */
export const signedBy = (
  mandate: StoredMandate,
  signature: {
    readonly signedOn: LocalDate
    readonly textHash: string
    readonly evidence: KeptEvidence
  },
  today: LocalDate
): Result.Result<StoredMandate, InvalidReference | InvalidTransition> =>
  Result.flatMap(step(mandate, "sign", today), (signed) => {
    const fault = signedOnFault(signature.signedOn, undefined, today)
    return fault === undefined ? Result.succeed({ ...signed, ...signature }) : Result.fail(fault)
  })

/** The mandate once the debtor's bank knows it. */
export const confirmedByBank = (
  mandate: StoredMandate,
  bankConfirmation: KeptEvidence,
  today: LocalDate
): Result.Result<StoredMandate, InvalidTransition> =>
  Result.map(step(mandate, "confirm-bank", today), (confirmed) => ({
    ...confirmed,
    bankConfirmation
  }))

/** The mandate once it is withdrawn. */
export const cancelledOn = (
  mandate: StoredMandate,
  today: LocalDate
): Result.Result<StoredMandate, InvalidTransition> => step(mandate, "cancel", today)

/**
 * The mandate once a bank's reason blocks it; as it is where nothing more can be collected by it anyway. Of a blocked one
 * the reason that is final counts: it is not unblocked any more.
 */
export const blockedBy = (
  mandate: StoredMandate,
  blocked: MandateBlock,
  today: LocalDate
): StoredMandate => {
  const isMild = mandate.blocked !== undefined && !isFinal(mandate.blocked.reasonCode)
  if (statusOn(mandate, today) === "BLOCKED" && isMild && isFinal(blocked.reasonCode)) {
    return { ...mandate, blocked }
  }
  return Result.match(step(mandate, "block", today), {
    onFailure: () => mandate,
    onSuccess: (after) => ({ ...after, blocked })
  })
}

/** The mandate once people have seen that it may be used again; never after a reason that is final. */
export const unblockedBy = (
  mandate: StoredMandate,
  unblocked: KeptUnblocking,
  today: LocalDate
): Result.Result<StoredMandate, InvalidTransition | MandateNotUsable> => {
  const { blocked, ...others } = mandate
  const status = statusOn(mandate, today)
  if (status === "BLOCKED" && blocked !== undefined && isFinal(blocked.reasonCode)) {
    const { reasonCode } = blocked
    return Result.fail(new MandateNotUsable({ mandateId: mandate.id, status, reasonCode }))
  }
  return Result.map(step(mandate, "unblock", today), (after) => ({
    ...others,
    status: after.status,
    unblocked
  }))
}

/**
 * The mandate on another account of the debtor. Banks are told where the account was that they know: what
 * was amended and never sent is forgotten, and an account that comes back needs no telling.
 */
export const movedTo = (
  mandate: StoredMandate,
  { at, paymentMethodId }: { readonly paymentMethodId: PaymentMethodId; readonly at: Instant },
  today: LocalDate
): Result.Result<StoredMandate, InvalidTransition> =>
  Result.map(step(mandate, "amend", today), (amended) => {
    if (paymentMethodId === mandate.paymentMethodId) return mandate
    const isUnsent = ({ kind, status }: MandateAmendment) =>
      kind === "ACCOUNT" && status === "PENDING"
    const from = mandate.amendments.find(isUnsent)?.from ?? mandate.paymentMethodId
    const others = mandate.amendments.filter((other) => !isUnsent(other))
    const amendment = { kind: "ACCOUNT", from, to: paymentMethodId, at, status: "PENDING" } as const
    return {
      ...amended,
      paymentMethodId,
      amendments: from === paymentMethodId ? others : [...others, amendment]
    }
  })
