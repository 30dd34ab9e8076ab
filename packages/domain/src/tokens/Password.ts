/** What people choose to sign in with (NIST SP 800-63B, section 5.1.1: length, and no common choice). */
import { Schema } from "effect"

export const shortestPassword = 12
export const longestPassword = 1024

const advice = {
  SHORT: `Choose at least ${shortestPassword} characters; a few words that nobody else puts together are good.`,
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

/** What is common once digits and signs around it are gone; of at least twelve characters with them. */
const common: ReadonlySet<string> = new Set(
  "password passwort motdepasse contrasena azerty azertyuiop qwerty qwertyuiop qwertz asdfghjkl letmein welcome bienvenue bonjour iloveyou administrator changeme superman princess football baseball dragon monkey sunshine master trustno quittance insurance assurance".split(
    " "
  )
)

/** Why a password is not taken; `undefined` for one that is. */
export const passwordFault = (password: string, email: string): WeakPassword | undefined => {
  const length = [...password].length
  if (length < shortestPassword) return new WeakPassword({ reason: "SHORT" })
  if (length > longestPassword) return new WeakPassword({ reason: "LONG" })
  const folded = password.normalize("NFKC").toLowerCase()
  const core = folded.replaceAll(/[^\p{L}]+/gu, "")
  if (isRepeated(folded) || common.has(core) || isRepetitionOfCommon(core)) {
    return new WeakPassword({ reason: "COMMON" })
  }
  const [name = ""] = email.toLowerCase().split("@")
  return name.length >= 4 && folded.includes(name)
    ? new WeakPassword({ reason: "ADDRESS" })
    : undefined
}

/** A short text over and over, such as `abcabcabcabc`. */
const isRepeated = (text: string): boolean => /^(.{1,4})\1+$/su.test(text)

const isRepetitionOfCommon = (core: string): boolean =>
  [...common].some((word) => core.length > word.length && core.replaceAll(word, "") === "")
