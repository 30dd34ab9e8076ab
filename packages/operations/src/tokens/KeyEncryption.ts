/** The keys of the service under which private signing keys and secrets are stored. */
import { isVaried } from "@quittance/auth/KeyVariety"
import type { ServiceKeys } from "@quittance/auth/Sealed"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { makeFolder } from "@quittance/persistence/MakeFolder"
import { Config, Context, Effect, FileSystem, Layer, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const keyBytes = 32

const expected =
  "Expected 32 random bytes in base64url, as docs/operations.md shows how to make them: one key, or two with a comma between while keys are replaced"

const KeyText = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/u, { message: expected }))

const KeyTexts = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{43}(?:,[A-Za-z0-9_-]{43})?$/u, { message: expected })
)

/** Whether it is safe for production: none of them can be guessed. */
const StrongKeyTexts = KeyTexts.check(
  Schema.makeFilter((text) => decode(text).every(isVaried), { message: expected })
)

export class KeyEncryption extends Context.Service<
  KeyEncryption,
  {
    /** The first seals, every one of them opens. */
    readonly keys: Redacted.Redacted<ServiceKeys>
  }
>()("@quittance/operations/KeyEncryption") {
  /**
   * `KEY_ENCRYPTION_KEY`: 32 bytes in base64url, the same on every instance; while it is replaced, two
   * of them with a comma between. Outside production it is made once and kept in `DATA_DIR` when it is
   * not given.
   */
  static readonly layer = Layer.effect(
    KeyEncryption,
    Effect.gen(function* () {
      const environment = yield* runningEnvironment
      const Given = environment === "production" ? StrongKeyTexts : KeyTexts
      const given = Config.schema(Schema.Redacted(Given), "KEY_ENCRYPTION_KEY")
      const text =
        environment === "production"
          ? yield* given
          : yield* Config.option(given).pipe(
              Effect.flatMap((key) => Effect.fromOption(key)),
              Effect.catchTag("NoSuchElementError", () => kept)
            )
      return KeyEncryption.of({ keys: Redacted.make(decode(Redacted.value(text))) })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

  /** Keys of 32 bytes, given. */
  static readonly layerOf = (...keys: ServiceKeys) =>
    Layer.succeed(KeyEncryption, { keys: Redacted.make(keys) })
}

const decode = (text: string): ServiceKeys => {
  const [first = "", ...others] = text.split(",")
  return [bytesOf(first), ...others.map(bytesOf)]
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"))

const isKeyText = Schema.is(KeyText)

/** The key in the data folder; of processes that start together, one writes it and all read it. */
const kept = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const folder = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
  const file = path.join(folder, "key-encryption-key")
  if (!(yield* fs.exists(file))) {
    yield* makeFolder(folder, "DATA_DIR")
    // Written whole under another name first: a link appears with its content, and only once.
    const draft = path.join(folder, `key-encryption-key.${yield* random.uuidV4()}`)
    const text = Buffer.from(yield* random.randomBytes(keyBytes)).toString("base64url")
    yield* fs.writeFileString(draft, text, { mode: 0o600, flag: "wx" })
    yield* Effect.ignore(fs.link(draft, file))
    yield* fs.remove(draft)
  }
  const text = (yield* fs.readFileString(file)).trim()
  return isKeyText(text)
    ? Redacted.make(text)
    : yield* Effect.die(new Error(`${file} does not hold 32 bytes in base64url`))
}).pipe(Effect.catchTag("PlatformError", Effect.die))
