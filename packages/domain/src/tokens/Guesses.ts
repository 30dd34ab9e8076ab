/**
 * How many wrong passwords in a row one account accepts, over all addresses that they come from (NIST SP
 * 800-63B-4, section 3.2.2: no more than 100).
 */

/** After so many in a row the password counts no more, until it is chosen again by a letter's link. */
export const maximumGuesses = 100

/** Guesses without any delay: people mistype. */
const free = 5
/** Seconds. */
const longestDelay = 3600

/** Seconds until the next guess is looked at, after so many wrong ones in a row. */
export const delayAfter = (wrong: number): number =>
  wrong < free ? 0 : Math.min(2 ** (wrong - free), longestDelay)

/** `delayAfter` of 1, 2, 3, … up to the maximum. */
export const delays: ReadonlyArray<number> = Array.from({ length: maximumGuesses }, (_, index) =>
  delayAfter(index + 1)
)
