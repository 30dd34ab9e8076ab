/** How letters leave the service. */
import { makeFolder } from "@quittance/persistence/MakeFolder"
import { Clock, Config, Context, Effect, FileSystem, Layer, Path, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { encode, type MailMessage } from "./MailMessage.ts"

/** A letter was not handed over. */
export class MailNotSent extends Schema.TaggedError<MailNotSent>()("MailNotSent", {
  /** `ADDRESS`: no mail can be sent there, now or later. */
  reason: Schema.Literals(["ADDRESS", "TRANSPORT"]),
  /** What went wrong, for the log: it names no person. */
  detail: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    const what =
      this.reason === "ADDRESS"
        ? "No mail can be sent to this address; correct it."
        : "The letter could not be handed over; it is tried again later."
    return this.detail === undefined ? what : `${what} (${this.detail})`
  }
}

/** Letters would be lost, so whatever sends them does not start. */
export class MailFolderUnusable extends Schema.TaggedError<MailFolderUnusable>()(
  "MailFolderUnusable",
  { folder: Schema.String }
) {
  override get message() {
    return `Letters can't be left in ${this.folder}: choose a folder that can be written to with MAIL_DIR.`
  }
}

/** How letters leave the service: one of its layers is chosen by the environment. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Hands a message over for delivery; the same message again takes the place of the first. */
    send(message: MailMessage): Effect.Effect<void, MailNotSent>
  }
>()("@quittance/operations/Mailer") {
  /**
   * Leaves each message as a file `*.eml` in `MAIL_DIR`, `mail` in `DATA_DIR` by default, for whatever
   * delivers mail on the machine. A file appears whole, and only its owner may read it: it has a link.
   */
  static readonly layerFolder = Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const random = yield* SecureRandom.SecureRandom
      const dataDir = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
      const folder = yield* Config.String("MAIL_DIR").pipe(
        Config.withDefault(path.join(dataDir, "mail"))
      )

      yield* makeFolder(folder, "MAIL_DIR", 0o700).pipe(
        Effect.andThen(fs.access(folder, { writable: true })),
        Effect.mapError(() => new MailFolderUnusable({ folder }))
      )

      const write = Effect.fnUntraced(
        function* (file: string, content: string) {
          const draft = path.join(folder, `.${yield* random.uuidV4()}.draft`)
          const whole = Effect.gen(function* () {
            const handle = yield* fs.open(draft, { flag: "wx", mode: 0o600 })
            yield* handle.writeAll(Buffer.from(content))
            yield* handle.sync
          })
          // Its name, too, is on the disk before the database forgets the letter.
          const named = Effect.scoped(Effect.flatMap(fs.open(folder), (handle) => handle.sync))
          yield* Effect.scoped(whole).pipe(
            Effect.andThen(fs.rename(draft, path.join(folder, file))),
            // Windows refuses it for a folder, and writes names down by itself.
            Effect.andThen(Effect.ignore(named)),
            Effect.onError(() => Effect.ignore(fs.remove(draft, { force: true })))
          )
        },
        Effect.mapError((cause) => new MailNotSent({ reason: "TRANSPORT", cause }))
      )

      const send = Effect.fn("Mailer.send")(function* (message: MailMessage) {
        const content = encode(message, yield* Clock.currentTimeMillis)
        if (content === undefined) return yield* new MailNotSent({ reason: "ADDRESS" })
        yield* write(`${message.id}.eml`, content)
      })

      return Mailer.of({ send })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
