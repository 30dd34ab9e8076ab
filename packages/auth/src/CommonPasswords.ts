/** Passwords that are tried first, by a list that others maintain. */
import { dictionary } from "@zxcvbn-ts/language-common"

/** Some thirty thousand, in small letters. Only the list is used: the estimator takes as long as its input wants. */
export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].map((password) => password.toLowerCase())
)
