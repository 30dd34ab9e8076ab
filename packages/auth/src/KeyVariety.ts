/** Whether bytes can have come from a random generator, so that zeros or a text are no key. */

/** Of 32 random bytes fewer are different once in more than 10^12 times. */
const leastDifferent = 20

/**
 * Finds constants, repetitions, counts upwards and downwards, and texts. It proves no randomness: it
 * finds keys that people write by hand.
 */
export const isVaried = (bytes: Uint8Array): boolean => {
  const steps = bytes.slice(1).map((byte, index) => byte - bytes[index]!)
  return (
    new Set(bytes).size >= leastDifferent &&
    new Set(steps).size >= leastDifferent &&
    !bytes.every(isPrintable)
  )
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f
