/** What every store of contents promises, and what becomes of it where the one of S3 is in trouble. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { ConfigProvider, Context, Effect, Layer, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import {
  type ContentStore,
  ContentStoreAway,
  type Sealed
} from "../../src/contents/ContentStore.ts"
import { FolderContentStore } from "../../src/contents/FolderContentStore.ts"
import { PostgresContentStore } from "../../src/contents/PostgresContentStore.ts"
import { S3ContentStore } from "../../src/contents/S3ContentStore.ts"
import * as World from "../World.ts"
import * as S3Server from "./S3Server.ts"

class Store extends Context.Service<Store, ContentStore>()("test/Store") {}

/** Bytes that tell their places apart. */
const bytesOf = (size: number, salt: number) =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8) * 7 + salt) & 255)

const sealed = (bytes: Uint8Array, piece: number): Sealed => ({
  size: bytes.length,
  *pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
})

const folder = "0123456789abcdef"
const name = (number: number) => `${folder}/ab/${`${number}`.padStart(64, "0")}.ff`

const read = Effect.fnUntraced(function* (of: string, start: number, end: number) {
  const store = yield* Store
  return yield* Stream.mkUint8Array(store.get(of, start, end))
})

const asTenant =
  (tenant: TenantId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

const MiB = 1_048_576

/** A folder that goes when the scope ends. */
const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(path.join(tmpdir(), "quittance-contents-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const config = (settings: Readonly<Record<string, string>>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

const inFolder = Layer.effect(Store, FolderContentStore).pipe(
  Layer.provide(FolderContentStore.layer),
  Layer.provide(
    Layer.unwrap(Effect.map(temporary, (made) => config({ CONTENT_DIR: `${made}/contents` })))
  ),
  Layer.provide(NodeServices.layer)
)

const bucket = (service: S3Server.S3Service, secretKey = "S3RVER") =>
  Layer.effect(Store, S3ContentStore).pipe(
    Layer.provide(S3ContentStore.layer),
    Layer.provide(
      config({
        CONTENT_S3_BUCKET: "contents",
        CONTENT_S3_ENDPOINT: service.endpoint,
        CONTENT_S3_CA_FILE: service.authorities,
        CONTENT_S3_ACCESS_KEY: "S3RVER",
        CONTENT_S3_SECRET_KEY: secretKey
      })
    ),
    Layer.provide(NodeServices.layer),
    Layer.orDie
  )

const inBucket = Layer.unwrap(Effect.map(S3Server.make, (service) => bucket(service)))

const inDatabase = Layer.effect(Store, PostgresContentStore).pipe(
  Layer.provide(PostgresContentStore.layer)
)

/** One of each kind, for all tests. */
class Stores extends Context.Service<Stores, ReadonlyArray<ContentStore>>()("test/Stores") {}

const stores = Layer.effect(
  Stores,
  Effect.forEach([inDatabase, Layer.orDie(inFolder), inBucket] as const, (kind) =>
    Effect.map(Layer.build(kind), (built) => Context.get(built, Store))
  )
)

/** Runs a promise for one store after the other, in a new tenant. */
const ofEach = <E, R>(promise: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    for (const store of yield* Stores) {
      const { tenant } = yield* World.make()
      yield* promise.pipe(
        Effect.provideService(Store, store),
        Effect.provideService(CurrentTenant, tenant),
        Effect.catch((error) => Effect.die(new Error(store.kind, { cause: error })))
      )
    }
  })

layer(Layer.provideMerge(stores, World.layer), { excludeTestServices: true })(
  "every store",
  (it) => {
    it.effect("gives back what it was given, whole or from any byte to any other", () =>
      ofEach(
        Effect.gen(function* () {
          const store = yield* Store
          const sizes = [1, 65_552, MiB, MiB + 1, 2 * MiB + 17]
          for (const [index, size] of sizes.entries()) {
            const bytes = bytesOf(size, index)
            yield* store.put(name(index), sealed(bytes, 65_552))
            assert.strictEqual(yield* store.stat(name(index)), size)
            const cuts = [0, 2, MiB, size - 1, size]
            const inside = [...new Set(cuts.filter((cut) => cut >= 0 && cut <= size))].sort(
              (a, b) => a - b
            )
            for (const [at, start] of inside.entries()) {
              for (const end of inside.slice(at + 1)) {
                const found = yield* read(name(index), start, end)
                assert.isTrue(
                  Buffer.from(found).equals(bytes.subarray(start, end)),
                  `${size}: ${start}-${end}`
                )
              }
            }
          }
        })
      )
    )

    it.effect("puts bytes in the place of others, also of more", () =>
      ofEach(
        Effect.gen(function* () {
          const store = yield* Store
          yield* store.put(name(20), sealed(bytesOf(2 * MiB + 5, 1), 999))
          yield* store.put(name(20), sealed(bytesOf(70, 2), 9))
          assert.strictEqual(yield* store.stat(name(20)), 70)
          assert.deepStrictEqual([...(yield* read(name(20), 0, 70))], [...bytesOf(70, 2)])
          // There are no more: asking for more gives what there is.
          assert.strictEqual((yield* read(name(20), 60, 90)).length, 10)
        })
      )
    )

    it.effect("knows what it has not, and forgets what is deleted, also twice", () =>
      ofEach(
        Effect.gen(function* () {
          const store = yield* Store
          assert.isUndefined(yield* store.stat(name(30)))
          assert.strictEqual((yield* read(name(30), 0, 5)).length, 0)
          yield* store.put(name(30), sealed(bytesOf(5, 1), 5))
          yield* store.delete(name(30))
          yield* store.delete(name(30))
          assert.isUndefined(yield* store.stat(name(30)))
          assert.strictEqual((yield* read(name(30), 0, 5)).length, 0)
        })
      )
    )

    it.effect("lists a folder, and no other", () =>
      ofEach(
        Effect.gen(function* () {
          const store = yield* Store
          const mine = (number: number) => name(number).replace(folder, "aaaaaaaaaaaaaaaa")
          for (const number of [40, 41, 42]) {
            yield* store.put(mine(number), sealed(bytesOf(number, 1), 7))
          }
          yield* store.put(name(43), sealed(bytesOf(43, 1), 7))
          const found = yield* Stream.runCollect(store.list("aaaaaaaaaaaaaaaa"))
          assert.deepStrictEqual(
            found.map((one) => [one.name, one.size]).sort(),
            [40, 41, 42].map((number) => [mine(number), number])
          )
          assert.isTrue(found.every(({ age }) => age > -5_000 && age < 600_000))
          assert.deepStrictEqual(yield* Stream.runCollect(store.list("bbbbbbbbbbbbbbbb")), [])
        })
      )
    )

    it.effect("of the database shows a tenant nothing of another one", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* World.make(), yield* World.make()]
        const store = (yield* Stores)[0]!
        assert.strictEqual(store.kind, "POSTGRES")
        yield* store.put(name(1), sealed(bytesOf(9, 1), 9)).pipe(asTenant(one.tenant))
        yield* Effect.gen(function* () {
          assert.isUndefined(yield* store.stat(name(1)))
          assert.strictEqual((yield* Stream.mkUint8Array(store.get(name(1), 0, 9))).length, 0)
          assert.deepStrictEqual(yield* Stream.runCollect(store.list(folder)), [])
          yield* store.delete(name(1))
        }).pipe(asTenant(other.tenant))
        assert.strictEqual(yield* store.stat(name(1)).pipe(asTenant(one.tenant)), 9)
      })
    )
  }
)

const asStranger = asTenant("stranger" as TenantId)

describe("the store of S3", () => {
  it.live("says that it is away: a wrong key, no answer, an answer that is cut", () =>
    Effect.gen(function* () {
      const service = yield* S3Server.make
      const bytes = bytesOf(200_000, 3)
      const work = Effect.gen(function* () {
        const store = yield* Store
        const refused = yield* Effect.flip(store.put(name(2), sealed(bytes, 65_552)))
        assert.instanceOf(refused, ContentStoreAway)
        assert.instanceOf(yield* Effect.flip(store.stat(name(1))), ContentStoreAway)
        assert.instanceOf(yield* Effect.flip(read(name(1), 0, 200_000)), ContentStoreAway)
        assert.instanceOf(yield* Effect.flip(Stream.runDrain(store.list(folder))), ContentStoreAway)
      }).pipe(asStranger)
      const right = bucket(service)
      yield* Effect.gen(function* () {
        const store = yield* Store
        yield* store.put(name(1), sealed(bytes, 65_552))
      }).pipe(asStranger, Effect.provide(right))

      yield* Effect.provide(work, bucket(service, "another secret"))
      assert.deepStrictEqual([...new Set(service.refused)], ["SignatureDoesNotMatch"])

      service.trouble = "AWAY"
      yield* Effect.provide(work, right)

      service.trouble = "CUT"
      const cut = yield* Effect.flip(Effect.provide(asStranger(read(name(1), 0, 200_000)), right))
      assert.instanceOf(cut, ContentStoreAway)

      service.trouble = "NONE"
      const found = yield* Effect.provide(asStranger(read(name(1), 0, 200_000)), right)
      assert.isTrue(Buffer.from(found).equals(bytes))
    }).pipe(Effect.scoped)
  )

  it.live("trusts no certificate without a trusted issuer", () =>
    Effect.gen(function* () {
      const service = yield* S3Server.make
      const stranger = bucket({
        ...service,
        authorities: path.join(import.meta.dirname, "none.pem")
      })
      const exit = yield* Effect.exit(
        Effect.provide(asStranger(Effect.flatMap(Store, (store) => store.stat(name(1)))), stranger)
      )
      assert.strictEqual(exit._tag, "Failure")
    }).pipe(Effect.scoped)
  )
})

describe("the store of a folder", () => {
  it.live("stores nothing where it may not write, and leaves nothing half stored", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const failing: Sealed = {
        size: 10,
        *pieces() {
          yield bytesOf(5, 1)
          throw new Error("the disk is full")
        }
      }
      const exit = yield* Effect.exit(asStranger(store.put(name(1), failing)))
      assert.strictEqual(exit._tag, "Failure")
      assert.isUndefined(yield* asStranger(store.stat(name(1))))
      assert.deepStrictEqual(yield* asStranger(Stream.runCollect(store.list(folder))), [])
    }).pipe(Effect.provide(inFolder))
  )
})
