/** Contents as files of a folder, such as one that several instances share. */
import { makeFolder } from "@quittance/persistence/MakeFolder"
import {
  Clock,
  Config,
  Context,
  Effect,
  FileSystem,
  Layer,
  Path,
  type PlatformError,
  Stream
} from "effect"
import { SecureRandom } from "effect/crypto"
import { type ContentStore, ContentStoreAway, type Sealed } from "./ContentStore.ts"

export class FolderContentStore extends Context.Service<FolderContentStore, ContentStore>()(
  "@quittance/operations/FolderContentStore"
) {
  /** Keeps files in `CONTENT_DIR`, `contents` in `DATA_DIR` by default. Only their owner may read them. */
  static readonly layer = Layer.effect(
    FolderContentStore,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const random = yield* SecureRandom.SecureRandom
      const dataDir = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
      const root = yield* Config.String("CONTENT_DIR").pipe(
        Config.withDefault(path.join(dataDir, "contents"))
      )
      const fileOf = (name: string) => path.join(root, ...name.split("/"))

      /** A name, too, is on the disk before it is relied on. */
      const named = (folder: string) =>
        // Windows refuses it for a folder, and writes names down by itself.
        Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder), (handle) => handle.sync)))

      const put = Effect.fn("FolderContentStore.put")(
        function* (name: string, { pieces }: Sealed) {
          const file = fileOf(name)
          const folder = path.dirname(file)
          yield* makeFolder(folder, "CONTENT_DIR", 0o700)
          // Half of it never has the name of the whole.
          const draft = `${file}.${yield* random.uuidV4()}.draft`
          const whole = Effect.gen(function* () {
            const handle = yield* fs.open(draft, { flag: "wx", mode: 0o600 })
            for (const piece of pieces()) yield* handle.writeAll(piece)
            yield* handle.sync
          })
          yield* Effect.scoped(whole).pipe(
            Effect.andThen(fs.rename(draft, file)),
            Effect.andThen(named(folder)),
            Effect.andThen(named(path.dirname(folder))),
            Effect.onError(() => Effect.ignore(fs.remove(draft, { force: true })))
          )
        },
        Effect.mapError((cause) => new ContentStoreAway({ cause }))
      )

      const get = (name: string, start: number, end: number) =>
        fs.stream(fileOf(name), { offset: start, bytesToRead: end - start }).pipe(
          Stream.catchIf(isMissing, () => Stream.empty),
          Stream.mapError((cause) => new ContentStoreAway({ cause }))
        )

      const stat = Effect.fn("FolderContentStore.stat")((name: string) =>
        fs.stat(fileOf(name)).pipe(
          Effect.map(({ size }): number | undefined => Number(size)),
          Effect.catchIf(isMissing, () => Effect.undefined),
          Effect.mapError((cause) => new ContentStoreAway({ cause }))
        )
      )

      const remove = Effect.fn("FolderContentStore.delete")((name: string) =>
        fs
          .remove(fileOf(name), { force: true })
          .pipe(Effect.mapError((cause) => new ContentStoreAway({ cause })))
      )

      const listed = Effect.fnUntraced(function* (folder: string, file: string) {
        const { mtime, size, type } = yield* fs.stat(path.join(root, folder, file))
        if (type !== "File") return []
        const now = yield* Clock.currentTimeMillis
        const age = mtime._tag === "Some" ? now - mtime.value.getTime() : 0
        return [{ name: [folder, ...file.split(path.sep)].join("/"), size: Number(size), age }]
      })

      const list = (folder: string) =>
        Stream.fromIterableEffect(
          fs
            .readDirectory(path.join(root, folder), { recursive: true })
            .pipe(Effect.catchIf(isMissing, () => Effect.succeed([])))
        ).pipe(
          Stream.mapEffect((file) =>
            // Another program may have taken it away meanwhile.
            Effect.catchIf(listed(folder, file), isMissing, () => Effect.succeed([]))
          ),
          Stream.flatMap(Stream.fromIterable),
          Stream.mapError((cause) => new ContentStoreAway({ cause }))
        )

      return FolderContentStore.of({ kind: "FOLDER", put, get, stat, delete: remove, list })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}

const isMissing = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"
