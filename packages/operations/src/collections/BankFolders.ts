/**
 * The folders through which a bank's own program takes files and leaves them:
 * `BANK_DIR/<tenant>/<account>/{tmp,out,in,done,failed}`.
 */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { makeFolder } from "@quittance/persistence/MakeFolder"
import { Config, Context, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"

/** A file that a bank has left. */
export interface IncomingFile {
  readonly tenant: string
  readonly account: string
  readonly name: string
}

export class BankFolders extends Context.Service<
  BankFolders,
  {
    /** Writes a copy where no bank looks, and answers once it is on the disk. */
    write(
      account: string,
      copy: string,
      bytes: Uint8Array
    ): Effect.Effect<void, never, CurrentTenant>
    /** Gives a copy to the bank under a name, in one step; whether it was still there. */
    release(
      account: string,
      copy: string,
      name: string
    ): Effect.Effect<boolean, never, CurrentTenant>
    /** Takes away copies whose names begin so, which may not be released. */
    discard(account: string, start: string): Effect.Effect<void, never, CurrentTenant>
    /** What banks have left, of all tenants; without what is still being written. */
    readonly incoming: Effect.Effect<ReadonlyArray<IncomingFile>>
    /** The bytes of one, unless another worker has taken it, or it is no file of a moderate size. */
    read(file: IncomingFile): Effect.Effect<Uint8Array | "GONE" | "TOO_LARGE">
    /** Moves one away that was read; what has its name there already stays. */
    move(file: IncomingFile, to: "done" | "failed"): Effect.Effect<void>
  }
>()("@quittance/operations/BankFolders") {
  /** In `BANK_DIR`, `bank` in `DATA_DIR` by default. Only their owner may read what is made here. */
  static readonly layer = Layer.effect(
    BankFolders,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const dataDir = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
      const root = yield* Config.String("BANK_DIR").pipe(
        Config.withDefault(path.join(dataDir, "bank"))
      )

      /** A name, too, is on the disk before it is relied on. */
      const named = (folder: string) =>
        // Windows refuses it for a folder, and writes names down by itself.
        Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder), (handle) => handle.sync)))

      const folderOf = Effect.fnUntraced(function* (account: string, name: string) {
        const folder = path.join(root, yield* CurrentTenant, account, name)
        yield* makeFolder(folder, "BANK_DIR", 0o700)
        return folder
      }, Effect.orDie)

      const write = Effect.fn("BankFolders.write")(function* (
        account: string,
        copy: string,
        bytes: Uint8Array
      ) {
        const folder = yield* folderOf(account, "tmp")
        const whole = Effect.gen(function* () {
          const handle = yield* fs.open(path.join(folder, copy), { flag: "wx", mode: 0o600 })
          yield* handle.writeAll(bytes)
          yield* handle.sync
        })
        yield* Effect.orDie(Effect.scoped(whole))
        yield* named(folder)
      })

      const release = Effect.fn("BankFolders.release")(function* (
        account: string,
        copy: string,
        name: string
      ) {
        const [tmp, out] = yield* Effect.all([folderOf(account, "tmp"), folderOf(account, "out")])
        const isThere = yield* fs.rename(path.join(tmp, copy), path.join(out, name)).pipe(
          Effect.as(true),
          Effect.catchIf(isMissing, () => Effect.succeed(false)),
          Effect.orDie
        )
        yield* named(out)
        yield* named(tmp)
        return isThere
      })

      const discard = Effect.fn("BankFolders.discard")(function* (account: string, start: string) {
        const folder = yield* folderOf(account, "tmp")
        const copies = (yield* fs.readDirectory(folder)).filter((name) => name.startsWith(start))
        yield* Effect.forEach(copies, (name) => fs.remove(path.join(folder, name), { force: true }))
      }, Effect.orDie)

      const listed = (...names: ReadonlyArray<string>) =>
        fs.readDirectory(path.join(root, ...names)).pipe(
          Effect.map((found) => found.filter((name) => !isUnfinished(name)).sort()),
          Effect.catchIf(isNoFolder, () => Effect.succeed<ReadonlyArray<string>>([]))
        )

      const incoming = Effect.gen(function* () {
        const found: Array<IncomingFile> = []
        for (const tenant of yield* listed()) {
          for (const account of yield* listed(tenant)) {
            for (const name of yield* listed(tenant, account, "in")) {
              found.push({ tenant, account, name })
            }
          }
        }
        return found
      }).pipe(Effect.orDie, Effect.withSpan("BankFolders.incoming"))

      const placeOf = ({ account, name, tenant }: IncomingFile) =>
        path.join(root, tenant, account, "in", name)

      const read = Effect.fn("BankFolders.read")((file: IncomingFile) =>
        Effect.gen(function* () {
          const { size, type } = yield* fs.stat(placeOf(file))
          if (type !== "File" || Number(size) > mostBytes) return "TOO_LARGE" as const
          return yield* fs.readFile(placeOf(file))
        }).pipe(
          Effect.catchIf(isMissing, () => Effect.succeed("GONE" as const)),
          Effect.orDie
        )
      )

      const move = Effect.fn("BankFolders.move")(function* (
        file: IncomingFile,
        to: "done" | "failed"
      ) {
        const folder = path.join(root, file.tenant, file.account, to)
        yield* makeFolder(folder, "BANK_DIR", 0o700)
        for (let copy = 0; ; copy++) {
          const target = path.join(folder, copy === 0 ? file.name : `${copy}-${file.name}`)
          if (yield* fs.exists(target)) continue
          yield* fs.rename(placeOf(file), target).pipe(Effect.catchIf(isMissing, () => Effect.void))
          return yield* named(folder)
        }
      }, Effect.orDie)

      return BankFolders.of({ write, release, discard, incoming, read, move })
    })
  )
}

/** The most that is read of a file: 1 GiB. */
const mostBytes = 1_073_741_824

/** Programs write under such a name, and give the file its own once it is whole. */
const isUnfinished = (name: string): boolean =>
  name.startsWith(".") || /\.(?:part|tmp|filepart)$/iu.test(name)

const isMissing = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"

/** What lies beside folders is none of them. */
const isNoFolder = (error: PlatformError.PlatformError): boolean =>
  isMissing(error) || error.reason._tag === "BadResource"
