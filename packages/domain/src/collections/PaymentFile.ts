/** Files of debits that a bank is given, and how far each is. */
import { Result, Schema } from "effect"
import { DebitScheme } from "../payments/Mandate.ts"
import { InvalidTransition } from "../requests/RequestErrors.ts"
import { Currency, Money } from "../values/Amount.ts"
import { BankAccountId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const PaymentFileId = PrefixedId.schema("payment_file")
export type PaymentFileId = typeof PaymentFileId.Type

/**
 * `OPEN` while it takes debits, `FILLED` once it has all of them, `SEALED` once its bytes are kept, `DELIVERING` from
 * when a folder may have it, `DELIVERED` once the bank has it; then what the bank answers: all of its debits, some, or none.
 */
export const PaymentFileStatus = Schema.Literals([
  "OPEN",
  "FILLED",
  "SEALED",
  "DELIVERING",
  "DELIVERED",
  "ACCEPTED",
  "PARTLY_REJECTED",
  "REJECTED",
  "CANCELLED"
]).annotate({ identifier: "PaymentFileStatus" })
export type PaymentFileStatus = typeof PaymentFileStatus.Type

/** The debits of one sequence and day, as the bank is told of them. */
export const PaymentFileGroup = Schema.Struct({
  paymentInformationId: Schema.String,
  sequence: Schema.Literals(["FRST", "OOFF", "RCUR"]),
  collectOn: LocalDate,
  count: Schema.Int,
  /** In minor units. */
  sum: Money
}).annotate({ identifier: "PaymentFileGroup" })
export type PaymentFileGroup = typeof PaymentFileGroup.Type

/** Where the file breaks what banks ask for; it repeats nothing that is personal. */
export const PaymentFileFault = Schema.Struct({
  rule: Schema.String,
  /** The number of the file, the group or the debit. */
  at: Schema.String,
  message: Schema.String
}).annotate({ identifier: "PaymentFileFault" })

/** What the bank says of the whole file, or of one of its groups. */
export const PaymentFileAnswer = Schema.Struct({
  /** The number of the file or the group. */
  id: Schema.String,
  /** As the bank gives it, such as `ACCP` or `RJCT`. */
  code: Schema.String,
  reasonCode: Schema.optionalKey(Schema.String),
  at: Instant
}).annotate({ identifier: "PaymentFileAnswer" })
export type PaymentFileAnswer = typeof PaymentFileAnswer.Type

export const PaymentFile = Schema.Struct({
  id: PaymentFileId,
  bankAccountId: BankAccountId,
  kind: Schema.Literal("COLLECTION"),
  scheme: DebitScheme,
  /** The day on which the bank is given it. */
  submitOn: LocalDate,
  /** From 1, among the files of one account, scheme and day. */
  run: Schema.Int,
  message: Schema.String,
  /** The number that the bank repeats in its answers. */
  messageId: Schema.String,
  currency: Currency,
  status: PaymentFileStatus,
  count: Schema.Int,
  /** In minor units. */
  sum: Money,
  groups: Schema.Array(PaymentFileGroup),
  faults: Schema.Array(PaymentFileFault),
  /** The latest last. */
  answers: Schema.Array(PaymentFileAnswer),
  /** Of its bytes, in lower-case hex. */
  sha256: Schema.optionalKey(Schema.String),
  openedAt: Instant,
  sealedAt: Schema.optionalKey(Instant),
  deliveredAt: Schema.optionalKey(Instant),
  cancelledAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "PaymentFile" })
export type PaymentFile = typeof PaymentFile.Type

export class PaymentFileNotFound extends Schema.TaggedError<PaymentFileNotFound>()(
  "PaymentFileNotFound",
  { paymentFileId: PaymentFileId }
) {
  override get message() {
    return `Payment file ${this.paymentFileId} does not exist; check the identifier and the tenant.`
  }
}

/** Whether its bank may have it already, though no one has said so. */
export const isOnItsWay = ({ status }: Pick<PaymentFile, "status">): boolean =>
  status === "SEALED" || status === "DELIVERING"

/** What a bank has answered of a file so far. */
export interface AnsweredFile {
  readonly status: PaymentFileStatus
  readonly count: number
  /** How many of its debits were rejected. */
  readonly rejected: number
  /** Whether the bank says now that it takes the file, or a part of it. */
  readonly isAccepted: boolean
}

/** The status of a delivered file after an answer; what waits changes nothing. */
export const answeredStatus = ({
  count,
  isAccepted,
  rejected,
  status
}: AnsweredFile): PaymentFileStatus => {
  if (rejected > 0) return rejected < count ? "PARTLY_REJECTED" : "REJECTED"
  return isAccepted ? "ACCEPTED" : status
}

const edges: Readonly<
  Record<"cancel" | "mark-delivered" | "seal", ReadonlyArray<PaymentFileStatus>>
> = {
  "mark-delivered": ["SEALED", "DELIVERING"],
  seal: ["FILLED"],
  cancel: ["FILLED", "SEALED"]
}
export type PaymentFileCommand = keyof typeof edges

/** Fails with `InvalidTransition` where the file is not in a status that has the command. */
export const commandedFile = (
  status: PaymentFileStatus,
  command: PaymentFileCommand
): Result.Result<void, InvalidTransition> => {
  const commands: ReadonlyArray<PaymentFileCommand> = ["seal", "mark-delivered", "cancel"]
  const allowed = commands.filter((one) => edges[one].includes(status))
  return allowed.includes(command)
    ? Result.succeed(undefined)
    : Result.fail(new InvalidTransition({ status, command, allowed }))
}
