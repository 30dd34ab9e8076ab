/** Why a step of the page was refused, and what the signer does next. */
import type { SignWords } from "@quittance/domain/signatures/words/SignWords"

/** By its name in the words of the page. */
export interface StepProblem {
  readonly name: keyof SignWords["problems"]
  /** The field that is wrong. */
  readonly field?: "code" | "name" | "reason"
  readonly triesLeft?: number
  readonly minutes?: number
}

interface Refusal {
  readonly _tag: string
  readonly triesLeft?: number
  readonly retryAfter?: number
}

/** What a refusal of a command means on the page; all others say to look at it again. */
export const problemOf = ({ _tag, retryAfter = 0, triesLeft = 0 }: Refusal): StepProblem => {
  switch (_tag) {
    case "RateLimited":
      return { name: "wait", minutes: Math.ceil(retryAfter / 60) }
    case "OtpInvalid":
      return { name: "code", field: "code", triesLeft }
    case "OtpLocked":
      return { name: "locked" }
    case "NameMismatch":
      return { name: "name", field: "name" }
    case "DocumentNotShown":
      return { name: "unread" }
    case "ComplianceGateNotMet":
      return { name: "consents" }
    default:
      return { name: "moved" }
  }
}

/** The problem in words. */
export const problemText = (
  { minutes = 0, name, triesLeft = 0 }: StepProblem,
  { problems }: SignWords
): string => {
  if (name === "wait") return problems.wait(minutes)
  return name === "code" ? problems.code(triesLeft) : problems[name]
}
