/** Bytes that are kept for good: encrypted, each once for a tenant, and what is read is what was put. */
import { seal as sealText, unseal } from "@quittance/auth/Sealed"
import * as SealedContent from "@quittance/auth/SealedContent"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { type ContentRecord, ContentsRepo } from "@quittance/persistence/contents/ContentsRepo"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { createHash } from "node:crypto"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import type { ContentStoreAway } from "./ContentStore.ts"
import { ContentStores } from "./ContentStores.ts"
import * as OpenedContent from "./OpenedContent.ts"

/** What names a content, and what is known of it. */
export interface StoredContent {
  readonly address: string
  /** Of the plain bytes, in lower-case hex. */
  readonly sha256: string
  readonly size: number
}

/** A content whose bytes were all checked. */
export interface CheckedContent extends StoredContent {
  /** The bytes from `start` up to and without `end`, all of them by default. */
  bytes(range?: OpenedContent.Range): Stream.Stream<Uint8Array, never, CurrentTenant>
}

/** Contents up to this size are read once; larger ones a second time while they are sent. */
const small = 1_048_576

export class Contents extends Context.Service<
  Contents,
  {
    /**
     * Stores bytes, and answers once they are safe. Equal ones are stored once. They are kept for a day,
     * and for as long as a record refers to them.
     */
    put(bytes: Uint8Array): Effect.Effect<StoredContent, never, CurrentTenant>
    /**
     * A content, after its SHA-256 was made again. `undefined` where its key was destroyed; a defect where
     * any of its bytes is not what was put.
     */
    open(address: string): Effect.Effect<CheckedContent | undefined, never, CurrentTenant>
    /** The content that has these bytes, by their SHA-256; `undefined` where the tenant has none. */
    find(sha256: string): Effect.Effect<StoredContent | undefined, never, CurrentTenant>
    /** All bytes of a content of moderate size. */
    read(address: string): Effect.Effect<Uint8Array | undefined, never, CurrentTenant>
    /** Destroys the key of a content, which nothing may refer to any more: no copy can be read then. */
    destroy(address: string): Effect.Effect<void, never, CurrentTenant>
    /** Takes the bytes of destroyed contents out of their stores; answers of how many. */
    readonly sweep: Effect.Effect<number, never, CurrentTenant>
    /** The folder of the tenant in its stores; `undefined` while it has none. */
    readonly folder: Effect.Effect<string | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/Contents") {
  static readonly layer = Layer.effect(
    Contents,
    Effect.gen(function* () {
      const keys = Redacted.value((yield* KeyEncryption).keys)
      const repo = yield* ContentsRepo
      const stores = yield* ContentStores

      const sealKey = (key: Uint8Array, tenant: TenantId, kid: string) =>
        sealText(Buffer.from(key).toString("base64url"), { contentType, kid, tenant }, keys)
      const openKey = (sealed: string, tenant: TenantId, kid: string) =>
        Effect.map(unseal(sealed, { kid, tenant }, keys), decodeKey)

      const tenantKey = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const known = yield* repo.tenantKey
        const sealed =
          known ??
          (yield* repo.addTenantKey(yield* sealKey(SealedContent.newKey(), tenant, addressKey)))
        return yield* openKey(sealed, tenant, addressKey)
      })

      const folder = Effect.gen(function* () {
        const sealed = yield* repo.tenantKey
        if (sealed === undefined) return undefined
        const key = yield* openKey(sealed, yield* CurrentTenant, addressKey)
        return SealedContent.folderOf(key)
      })

      /** The record of a content, a new one where there was none. */
      const reserve = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const tenant = yield* CurrentTenant
        const forAddress = yield* tenantKey
        const sha256 = digestOf(bytes)
        const address = SealedContent.addressOf(forAddress, sha256)
        const name = `${SealedContent.folderOf(forAddress)}/${address.slice(0, 2)}/${address}.${newCopy()}`
        const sealedKey = yield* sealKey(SealedContent.newKey(), tenant, address)
        const store = stores.current.kind
        return yield* repo.reserve({ address, sha256, size: bytes.length, store, name, sealedKey })
      })

      const isWhole = Effect.fnUntraced(function* ({ isStored, name, size, store }: ContentRecord) {
        if (!isStored) return false
        const found = yield* (yield* stores.of(store)).stat(name)
        return found === SealedContent.sealedSize(size)
      }, orNotReady)

      const put: Contents["Service"]["put"] = Effect.fn("Contents.put")(function* (bytes) {
        const record = yield* reserve(bytes)
        const { address, name, size } = record
        if (!(yield* isWhole(record))) {
          const key = yield* openKey(record.sealedKey, yield* CurrentTenant, address)
          const pieces = () => SealedContent.seal(bytes, key)
          const store = yield* stores.of(record.store)
          yield* orNotReady(store.put(name, { size: SealedContent.sealedSize(size), pieces }))
          // It was destroyed meanwhile: it is stored again, under another key.
          if (!(yield* repo.markStored(address, name))) return yield* put(bytes)
        }
        return storedOf(record)
      })

      const open = Effect.fn("Contents.open")(function* (address: string) {
        const record = yield* repo.find(address)
        if (record === undefined) return undefined
        const { sealedKey, size } = record
        const key = yield* openKey(sealedKey, yield* CurrentTenant, address)
        const store = yield* stores.of(record.store)
        const stream = (range: OpenedContent.Range) =>
          OpenedContent.stream(store, record, key, range)
        const everything = { start: 0, end: size }
        if (size > small) {
          yield* orNotReady(OpenedContent.check(stream(everything), record))
          const bytes = (range = everything) => Stream.catch(stream(range), absent)
          return { ...storedOf(record), bytes }
        }
        const whole = yield* orNotReady(OpenedContent.collect(stream(everything), record))
        const bytes = ({ end, start } = everything) => Stream.make(whole.subarray(start, end))
        return { ...storedOf(record), bytes }
      })

      const find = Effect.fn("Contents.find")(function* (sha256: string) {
        const sealed = yield* repo.tenantKey
        if (sealed === undefined) return undefined
        const key = yield* openKey(sealed, yield* CurrentTenant, addressKey)
        const record = yield* repo.find(SealedContent.addressOf(key, Buffer.from(sha256, "hex")))
        return record?.isStored === true ? storedOf(record) : undefined
      })

      const read = Effect.fn("Contents.read")(function* (address: string) {
        const content = yield* open(address)
        if (content === undefined) return undefined
        return yield* Stream.mkUint8Array(content.bytes())
      })

      const sweep = Effect.gen(function* () {
        const found = yield* repo.removals(swept)
        for (const { name, store } of found) {
          yield* orNotReady((yield* stores.of(store)).delete(name))
          yield* repo.removed(name)
        }
        return found.length
      }).pipe(Effect.withSpan("Contents.sweep"))

      return Contents.of({ put, open, find, read, destroy: repo.destroy, sweep, folder })
    })
  ).pipe(Layer.provide([ContentStores.layer, ContentsRepo.layer]))
}

const contentType = "application/octet-stream"

/** What the key that addresses are made with is bound to. */
const addressKey = "content-key"

/** Contents of one round. */
const swept = 100

const decodeKey = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"))

const digestOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

/** So that bytes which are removed are never those that were put under the same address since. */
const newCopy = (): string => Buffer.from(SealedContent.newKey().subarray(0, 8)).toString("hex")

const storedOf = ({ address, sha256, size }: ContentRecord): StoredContent => ({
  address,
  sha256: Buffer.from(sha256).toString("hex"),
  size
})

const absent = (error: ContentStoreAway) =>
  Stream.fromEffect(
    Effect.andThen(Effect.logWarning("The store of contents is away", error.cause), notReady)
  )

const notReady = Effect.suspend(() => Effect.die(new NotReady({})))

/** The caller may try again in a few seconds; the log says what has failed. */
const orNotReady = <A, R>(
  effect: Effect.Effect<A, ContentStoreAway, R>
): Effect.Effect<A, never, R> =>
  Effect.catch(effect, ({ cause }) =>
    Effect.andThen(Effect.logWarning("The store of contents is away", cause), notReady)
  )
