/** What people choose to sign in with (NIST SP 800-63B, section 5.1.1: length, and no common choice). */
import { Schema } from "effect"
import { isCommon, wordsOf } from "./CommonPassword.ts"

export const shortestPassword = 12
export const longestPassword = 1024

const advice = {
  SHORT: `Choose at least ${shortestPassword} characters; a few words that no one else puts together are good.`,
  LONG: `Choose at most ${longestPassword} characters.`,
  COMMON: "Choose another password; this one is among the first that are tried.",
  ADDRESS: "Choose a password that your e-mail address is no part of."
} as const

export class WeakPassword extends Schema.TaggedError<WeakPassword>()("WeakPassword", {
  reason: Schema.Literals(["SHORT", "LONG", "COMMON", "ADDRESS"])
}) {
  override get message() {
    return advice[this.reason]
  }
}

/** The given present password is wrong. */
export class WrongPassword extends Schema.TaggedError<WrongPassword>()("WrongPassword", {}) {
  override get message() {
    return "The present password is not right. Try again, or have a letter sent to choose another one."
  }
}

/**
 * Why a password is not taken; `undefined` for one that is. `ownWords`: what is publicly known of the person,
 * such as names and the tenant. `listed`: passwords that are tried first.
 */
export const passwordFault = (
  password: string,
  email: string,
  ownWords: ReadonlyArray<string> = [],
  listed?: ReadonlySet<string>
): WeakPassword | undefined => {
  const length = [...password].length
  if (length < shortestPassword) return new WeakPassword({ reason: "SHORT" })
  if (length > longestPassword) return new WeakPassword({ reason: "LONG" })
  const folded = password.normalize("NFKC").toLowerCase()
  if (isCommon(password, wordsOf(...ownWords, email), listed)) {
    return new WeakPassword({ reason: "COMMON" })
  }
  const [name = ""] = email.toLowerCase().split("@")
  return name.length >= 4 && folded.includes(name)
    ? new WeakPassword({ reason: "ADDRESS" })
    : undefined
}
