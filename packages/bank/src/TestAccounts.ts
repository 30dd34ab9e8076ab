/**
 * Accounts of the simulated bank, for sandboxes. Their bank code is 99999, which no bank has. The account number
 * tells what becomes of a payment: `0SIM`, a phase, a count, `0` and a reason code, such as `0SIMT10AM04`.
 */
import { Schema } from "effect"

/** `R` is rejected; `T` returned after 2 TARGET days, `W` refunded after 6 weeks, `L` after 400 days. */
export type FailurePhase = "R" | "T" | "W" | "L"

/** What becomes of payments with a test account. */
export interface TestOutcome {
  readonly phase: FailurePhase
  /** How many payments fail before one succeeds; 0 where every payment fails. */
  readonly times: number
  readonly reasonCode: string
}

const bankCode = "99999"
const branchCode = "00001"

const form = new RegExp(
  `^FR\\d{2}${bankCode}${branchCode}0SIM([RTWL])(\\d)0([A-Z]{2}\\d{2})\\d{2}$`,
  "u"
)

/** What an account makes of payments; `undefined` where they simply succeed. */
export const outcomeOf = (iban: string): TestOutcome | undefined => {
  const parts = form.exec(iban)
  if (parts === null) return undefined
  // The pattern has these letters alone.
  return { phase: parts[1] as FailurePhase, times: Number(parts[2]), reasonCode: parts[3]! }
}

/** Whether the n-th payment (from 1) with an account of that outcome fails. */
export const fails = ({ times }: TestOutcome, nth: number): boolean => times === 0 || nth <= times

/** An account number that has not 11 letters and digits. */
export class InvalidTestAccount extends Schema.TaggedError<InvalidTestAccount>()(
  "InvalidTestAccount",
  { account: Schema.String }
) {
  override get message() {
    return `An account number of the simulated bank has 11 capitals and digits; ${this.account} has not.`
  }
}

/**
 * The French IBAN of an account number, with its national key and its check digits.
 *
 * @param account 11 capitals and digits
 * @throws InvalidTestAccount for any other
 */
export const testIban = (account: string): string => {
  if (!/^[A-Z0-9]{11}$/u.test(account)) throw new InvalidTestAccount({ account })
  const national =
    89n * BigInt(bankCode) +
    15n * BigInt(branchCode) +
    3n * BigInt([...account].map(keyDigit).join(""))
  const key = String(97n - (national % 97n)).padStart(2, "0")
  const bban = `${bankCode}${branchCode}${account}${key}`
  const digits = [...`${bban}FR00`].map((character) => Number.parseInt(character, 36)).join("")
  return `FR${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}`
}

/** Letters in the French key: A and J count 1, B, K and S 2, and so on. */
const keyDigit = (character: string): string => {
  const value = Number.parseInt(character, 36)
  if (value < 10) return character
  const index = value - 10
  return String(index < 18 ? (index % 9) + 1 : index - 16)
}

/** What the simulated bank of a payee says of a holder's name, by how that ends. */
export const payeeCheckOf = (
  name: string
): "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE" => {
  const text = name.trim().toUpperCase()
  if (text.endsWith("NOMATCH")) return "NO_MATCH"
  if (text.endsWith("CLOSEMATCH")) return "CLOSE_MATCH"
  return text.endsWith("NOCHECK") ? "NOT_POSSIBLE" : "MATCH"
}

/** An account that is ready to try, and what it does. */
export interface TestAccount {
  readonly iban: string
  readonly does: string
}

const ready: ReadonlyArray<readonly [account: string, does: string]> = [
  ["00000000101", "Every payment succeeds."],
  ["0SIMT10AM04", "The first debit is returned for want of money (AM04), later ones succeed."],
  ["0SIMT00AM04", "Every debit is returned for want of money (AM04)."],
  ["0SIMT20MS03", "The first two debits are returned without a reason (MS03), later ones succeed."],
  ["0SIMR00AC01", "Every payment is rejected: the account does not exist (AC01)."],
  ["0SIMR00AG01", "Every debit is rejected: the account allows none (AG01)."],
  ["0SIMT00AC04", "Every payment is returned: the account is closed (AC04)."],
  ["0SIMT00MS02", "Every debit is returned: the payer refused it (MS02)."],
  ["0SIMT00MD01", "Every debit is returned: the payer says there is no mandate (MD01)."],
  ["0SIMT00MD07", "Every debit is returned: the payer has died (MD07)."],
  ["0SIMW00MD06", "Every debit is refunded to the payer after six weeks (MD06)."],
  ["0SIML00MD01", "Every debit is refunded after 400 days: there was no mandate (MD01)."]
]

/** Accounts that each fail in their own way, and one that does not. */
export const testAccounts: ReadonlyArray<TestAccount> = ready.map(([account, does]) => ({
  iban: testIban(account),
  does
}))
