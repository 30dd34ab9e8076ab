/** Corrections of how a signer is reached. */
import { Result } from "effect"
import { CorrectionRefused } from "./SignatureErrors.ts"
import type { CorrectSigner } from "./SignatureRequests.ts"
import type { Signer } from "./Signer.ts"

/** So often at most a signer is corrected: each time a letter may leave for an address that they never gave. */
export const maximumCorrections = 5

/** Digits of a telephone number that evidence shows: so many at its start, so many at its end. */
const shownDigits = { start: 3, end: 2 }

/** A telephone number whose middle digits are hidden, such as `+33 6 •• •• •• 78`; all of them where it is short. */
export const maskedPhone = (phone: string): string => {
  const count = phone.match(/\d/gu)?.length ?? 0
  const { end, start } = shownDigits
  const isLong = count >= 2 * (start + end)
  let place = 0
  return phone.replaceAll(/\d/gu, (digit) => {
    place += 1
    return isLong && (place <= start || place > count - end) ? digit : "•"
  })
}

/**
 * What a correction comes to, after so many before it: whether the signer has another address by it. Fails with
 * `CorrectionRefused` where it changes nothing, or there were enough of them.
 */
export const corrected = (
  { email, phone }: Pick<Signer, "email" | "phone">,
  input: CorrectSigner,
  before: number
): Result.Result<{ readonly isReaddressed: boolean }, CorrectionRefused> => {
  const isReaddressed = input.email !== undefined && input.email !== email
  const isChanged = isReaddressed || (input.phone !== undefined && input.phone !== phone)
  if (!isChanged) return Result.fail(new CorrectionRefused({ reason: "UNCHANGED" }))
  if (before < maximumCorrections) return Result.succeed({ isReaddressed })
  return Result.fail(new CorrectionRefused({ reason: "TOO_OFTEN" }))
}
