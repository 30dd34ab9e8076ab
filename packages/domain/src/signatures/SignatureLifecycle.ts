/** What can be done to a requested signature and to each of its signers: one table for each. */
import { Result, Schema } from "effect"
import { InvalidTransition } from "../requests/RequestErrors.ts"
import { NotYourTurn, SignatureClosed } from "./SignatureErrors.ts"

export const SignatureStatus = Schema.Literals([
  /** It waits for its signers. */
  "OPEN",
  /** Each signer has signed and the branch is merged; its files are not sealed yet. */
  "SEALING",
  /** Each signer has signed, and its files are sealed. */
  "COMPLETED",
  /** A signer has declined. */
  "DECLINED",
  /** It was not signed in time. */
  "EXPIRED",
  /** It was withdrawn by those who work on the policy. */
  "CANCELLED",
  /** The branch was changed, reopened, stopped or invalidated: its signers would sign something else. */
  "VOID"
]).annotate({ identifier: "SignatureStatus" })
export type SignatureStatus = typeof SignatureStatus.Type

interface SignatureEdge {
  /** `sign` is that of the last signer; `expire`, `void` and `seal` come by themselves. */
  readonly command: "sign" | "decline" | "expire" | "cancel" | "void" | "seal"
  readonly from: SignatureStatus
  readonly to: SignatureStatus
}

export type SignatureCommand = SignatureEdge["command"]

export const signatureEdges: ReadonlyArray<SignatureEdge> = [
  { command: "sign", from: "OPEN", to: "SEALING" },
  { command: "decline", from: "OPEN", to: "DECLINED" },
  { command: "expire", from: "OPEN", to: "EXPIRED" },
  { command: "cancel", from: "OPEN", to: "CANCELLED" },
  { command: "void", from: "OPEN", to: "VOID" },
  { command: "seal", from: "SEALING", to: "COMPLETED" }
]

/**
 * The status after a command. Fails with `SignatureClosed` once no signer is waited for, else with
 * `InvalidTransition` where the table has no such step.
 */
export const signatureAfter = (
  status: SignatureStatus,
  command: SignatureCommand
): Result.Result<SignatureStatus, InvalidTransition | SignatureClosed> => {
  const edges = signatureEdges.filter(({ from }) => from === status)
  const edge = edges.find((other) => other.command === command)
  if (edge !== undefined) return Result.succeed(edge.to)
  if (status !== "OPEN") return Result.fail(new SignatureClosed({ status }))
  const allowed = edges.map((other) => other.command)
  return Result.fail(new InvalidTransition({ status, command, allowed }))
}

export const SignerStatus = Schema.Literals([
  /** Others sign before. */
  "WAITING",
  /** It is their turn. */
  "NOTIFIED",
  /** They have opened the ceremony. */
  "OPENED",
  /** They have entered the code that was sent to them. */
  "PROVEN",
  "SIGNED",
  "DECLINED"
]).annotate({ identifier: "SignerStatus" })
export type SignerStatus = typeof SignerStatus.Type

interface SignerEdge {
  /** `correct`, `remind` and `link` are those of people who work on the policy. */
  readonly command:
    | "notify"
    | "open"
    | "send-code"
    | "prove"
    | "sign"
    | "decline"
    | "correct"
    | "remind"
    | "link"
  readonly from: ReadonlyArray<SignerStatus>
  /** Absent: they stay where they are. */
  readonly to?: SignerStatus
  /** Whether the step is for signers who are sent a code, or for the others; absent: for both. */
  readonly code?: boolean
}

export type SignerCommand = SignerEdge["command"]

export const signerEdges: ReadonlyArray<SignerEdge> = [
  { command: "notify", from: ["WAITING"], to: "NOTIFIED" },
  { command: "open", from: ["NOTIFIED"], to: "OPENED" },
  // They may come back to it.
  { command: "open", from: ["OPENED", "PROVEN"] },
  { command: "send-code", from: ["OPENED"], code: true },
  { command: "prove", from: ["OPENED"], to: "PROVEN", code: true },
  { command: "sign", from: ["PROVEN"], to: "SIGNED", code: true },
  { command: "sign", from: ["OPENED"], to: "SIGNED", code: false },
  { command: "decline", from: ["NOTIFIED", "OPENED", "PROVEN"], to: "DECLINED" },
  // Who has begun has seen their name, and has proven the address.
  { command: "correct", from: ["WAITING", "NOTIFIED"] },
  { command: "remind", from: ["NOTIFIED", "OPENED", "PROVEN"] },
  { command: "link", from: ["NOTIFIED", "OPENED", "PROVEN"] }
]

/** A signer, as far as the table looks at them. */
export interface SignerPosition {
  readonly status: SignerStatus
  /** Whether they prove by a code that they have the address. */
  readonly needsCode: boolean
}

/**
 * The status of a signer after a command. Fails with `NotYourTurn` while others sign before them, else with
 * `InvalidTransition` where the table has no such step.
 */
export const signerAfter = (
  { needsCode, status }: SignerPosition,
  command: SignerCommand
): Result.Result<SignerStatus, InvalidTransition | NotYourTurn> => {
  const edges = signerEdges.filter(
    ({ code, from }) => from.includes(status) && (code === undefined || code === needsCode)
  )
  const edge = edges.find((other) => other.command === command)
  if (edge !== undefined) return Result.succeed(edge.to ?? status)
  if (status === "WAITING") return Result.fail(new NotYourTurn({}))
  const allowed = edges.map((other) => other.command)
  return Result.fail(new InvalidTransition({ status, command, allowed }))
}

/** A signer among others. */
interface Turn {
  readonly order: number
  readonly status: SignerStatus
}

/** Those whose turn it is now: all of the first order that has not signed as a whole. */
export const nextInTurn = <S extends Turn>(signers: ReadonlyArray<S>): ReadonlyArray<S> => {
  const left = signers.filter(({ status }) => status !== "SIGNED")
  const first = Math.min(...left.map(({ order }) => order))
  return left.filter(({ order, status }) => order === first && status === "WAITING")
}

/** Whether each signer has signed. */
export const isSigned = (signers: ReadonlyArray<Turn>): boolean =>
  signers.length > 0 && signers.every(({ status }) => status === "SIGNED")
