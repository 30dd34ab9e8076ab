/** The key of the service under which private signing keys are stored. */
import { Environment } from "@quittance/domain/tenants/Tenant"
import { Config, Context, Effect, FileSystem, Layer, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const keyBytes = 32

const KeyText = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{43}$/u, { message: "Expected 32 bytes in base64url" })
)

export class KeyEncryption extends Context.Service<
  KeyEncryption,
  { readonly key: Redacted.Redacted<Uint8Array> }
>()("@quittance/operations/KeyEncryption") {
  /**
   * `KEY_ENCRYPTION_KEY`: 32 bytes in base64url, the same on every instance. Outside production it is
   * made once and kept in `DATA_DIR` when it is not given.
   */
  static readonly layer = Layer.effect(
    KeyEncryption,
    Effect.gen(function* () {
      const environment = yield* Config.schema(Environment, "ENVIRONMENT").pipe(
        Config.withDefault("sandbox" as const)
      )
      const given = Config.schema(Schema.Redacted(KeyText), "KEY_ENCRYPTION_KEY")
      const text =
        environment === "production"
          ? yield* given
          : yield* Config.option(given).pipe(
              Effect.flatMap((key) => Effect.fromOption(key)),
              Effect.catchTag("NoSuchElementError", () => kept)
            )
      return KeyEncryption.of({ key: Redacted.make(decode(Redacted.value(text))) })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

  /** A key of 32 bytes, given. */
  static readonly layerOf = (key: Uint8Array) =>
    Layer.succeed(KeyEncryption, { key: Redacted.make(key) })
}

const decode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"))

const isKeyText = Schema.is(KeyText)

/** The key in the data folder; of processes that start together, one writes it and all read it. */
const kept = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const folder = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
  const file = path.join(folder, "key-encryption-key")
  if (!(yield* fs.exists(file))) {
    yield* fs.makeDirectory(folder, { recursive: true })
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
}).pipe(Effect.orDie)
