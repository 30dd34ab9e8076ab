import { alphabet, type Id, type Prefix, suffixLength } from "@quittance/domain/values/PrefixedId"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"

/** Makes identifiers from the cryptographic generator, without waiting and without a round trip. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new `<prefix>_…`, outside production `<prefix>_test_…`; 117 bits of randomness. */
    next<P extends Prefix>(prefix: P): Id<P>
    /** The identifier of what is not stored but calculated again each time: of one text always the same. */
    derived<P extends Prefix>(prefix: P, text: string): Id<P>
  }
>()("@quittance/persistence/Ids") {
  static readonly layer = Layer.effect(
    Ids,
    Effect.gen(function* () {
      // A process that forgets to say where it runs can never make production identifiers.
      const environment = yield* runningEnvironment
      const infix = environment === "production" ? "_" : "_test_"
      const suffix = makeSuffixes()
      // The text has the form that the schema's brand stands for, by construction.
      const made = <P extends Prefix>(prefix: P, end: string) => (prefix + infix + end) as Id<P>
      return Ids.of({
        next: (prefix) => made(prefix, suffix()),
        derived: (prefix, text) => made(prefix, derivedSuffix(text))
      })
    })
  )
}

/** A digest's bytes as characters: that some are a little likelier does not matter where nothing is secret. */
const derivedSuffix = (text: string): string =>
  Array.from(
    createHash("sha256").update(text).digest().subarray(0, suffixLength),
    (byte) => alphabet[byte % alphabet.length]!
  ).join("")

/** Bytes at and above the largest multiple of 49 are refused, so that each character is as likely. */
const limit = 256 - (256 % alphabet.length)
const characters = Uint8Array.from({ length: limit }, (_, byte) =>
  alphabet.charCodeAt(byte % alphabet.length)
)

const makeSuffixes = () => {
  const random = new Uint8Array(16_384)
  const text = Buffer.alloc(random.length)
  let filled = 0
  let used = 0
  const refill = () => {
    crypto.getRandomValues(random)
    filled = 0
    for (const byte of random) if (byte < limit) text[filled++] = characters[byte]!
    used = 0
  }
  return (): string => {
    if (used + suffixLength > filled) refill()
    used += suffixLength
    return text.toString("latin1", used - suffixLength, used)
  }
}
