/** Contents are what was put, or nothing: whatever is done to the bytes, the keys and the rows. */
import { assert, it, layer } from "@effect/vitest"
import * as SealedContent from "@quittance/auth/SealedContent"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Exit, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { Contents } from "../../src/contents/Contents.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { EncryptionKeyRotation } from "../../src/provisioning/EncryptionKeyRotation.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as World from "../World.ts"

const segment = SealedContent.segmentSize
const [before, present] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)]

const bytesOf = (size: number, salt = 0) =>
  Uint8Array.from({ length: size }, (_, index) => (index * 13 + (index >> 7) + salt) & 255)

const as =
  (tenant: TenantId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

const put = (bytes: Uint8Array) => Contents.use((contents) => contents.put(bytes))
const read = (address: string) => Contents.use((contents) => contents.read(address))
const destroy = (address: string) => Contents.use((contents) => contents.destroy(address))

const TestLayer = Layer.provideMerge(
  Layer.merge(Contents.layer, EncryptionKeyRotation.layer),
  Layer.provideMerge(World.layer, NodeServices.layer)
)

it("opens a segment in its place alone, and no other one there", () => {
  const key = SealedContent.newKey()
  const sealed = [...SealedContent.seal(bytesOf(3 * segment), key)]
  assert.strictEqual(sealed.length, 3)
  for (const [number, bytes] of sealed.entries()) {
    for (const [place, isLast] of [0, 1, 2, 3].flatMap((at) => [
      [at, true] as const,
      [at, false] as const
    ])) {
      const isOwn = place === number && isLast === (number === 2)
      const opened = SealedContent.openSegment(bytes, key, { number: place, isLast })
      assert.strictEqual(opened !== undefined, isOwn, `${number} in ${place}, last: ${isLast}`)
    }
    assert.isUndefined(
      SealedContent.openSegment(bytes, SealedContent.newKey(), { number, isLast: number === 2 })
    )
  }
})

layer(TestLayer, { excludeTestServices: true })("contents", (it) => {
  it.effect("are read as they were put, whatever their size, whole and in part", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const sizes = [0, 1, segment - 1, segment, segment + 1, 2 * segment, 1_048_577]
      yield* Effect.gen(function* () {
        const contents = yield* Contents
        for (const size of sizes) {
          const bytes = bytesOf(size, size)
          const stored = yield* put(bytes)
          assert.strictEqual(stored.sha256, createHash("sha256").update(bytes).digest("hex"))
          assert.strictEqual(stored.size, size)
          assert.isTrue(Buffer.from((yield* read(stored.address))!).equals(bytes))
          const opened = (yield* contents.open(stored.address))!
          for (const [start, end] of [
            [0, size],
            [Math.max(0, size - 3), size],
            [size >> 1, Math.min(size, (size >> 1) + segment)],
            [0, Math.min(size, 1)]
          ] as const) {
            const part = yield* Stream.mkUint8Array(opened.bytes({ start, end }))
            assert.isTrue(Buffer.from(part).equals(bytes.subarray(start, end)), `${size} ${start}`)
          }
        }
      }).pipe(as(tenant))
    })
  )

  it.effect("that are equal are stored once for a tenant, and apart for each", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* World.make(), yield* World.make()]
      const bytes = bytesOf(100_000)
      const stored = yield* Effect.all(
        Array.from({ length: 8 }, () => put(bytes)),
        { concurrency: "unbounded" }
      ).pipe(as(one.tenant))
      assert.strictEqual(new Set(stored.map(({ address }) => address)).size, 1)
      const elsewhere = yield* put(bytes).pipe(as(other.tenant))
      assert.notStrictEqual(elsewhere.address, stored[0]!.address)
      assert.isUndefined(yield* read(stored[0]!.address).pipe(as(other.tenant)))
      const sql = yield* SuperuserSql
      const rows = yield* sql`SELECT name FROM content_part WHERE tenant_id = ${one.tenant}`
      assert.strictEqual(rows.length, 1)
    })
  )

  it.effect("whose bytes are encrypted show nothing of what was put", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const text = Buffer.from("Policy of Ms Ada Lovelace, ".repeat(10_000))
      yield* put(text).pipe(as(tenant))
      const sql = yield* SuperuserSql
      const parts = yield* sql<{ readonly bytes: Uint8Array }>`
        SELECT bytes FROM content_part WHERE tenant_id = ${tenant}
      `
      assert.isNotEmpty(parts)
      for (const { bytes } of parts) assert.isFalse(Buffer.from(bytes).includes("Lovelace"))
    })
  )

  it.effect("of which a part is missing, changed, cut, swapped or of another are never read", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const sql = yield* SuperuserSql
      const harm = {
        missing: sql`DELETE FROM content_part WHERE tenant_id = ${tenant} AND number = 1`,
        changed: sql`UPDATE content_part SET bytes = set_byte(bytes, 70000, get_byte(bytes, 70000) # 1)
          WHERE tenant_id = ${tenant} AND number = 0`,
        cut: sql`UPDATE content_part SET bytes = substring(bytes FOR 65552 * 2)
          WHERE tenant_id = ${tenant} AND number = 1`,
        "cut between two segments": sql`DELETE FROM content_part
          WHERE tenant_id = ${tenant} AND number > 0`,
        swapped: sql`UPDATE content_part SET bytes =
            substring(bytes FROM 65553 FOR 65552) || substring(bytes FOR 65552) ||
            substring(bytes FROM 131105)
          WHERE tenant_id = ${tenant} AND number = 0`,
        "of another": sql`UPDATE content_part p SET bytes = (
            SELECT bytes FROM content_part o WHERE o.tenant_id = p.tenant_id
              AND o.name <> p.name AND o.number = p.number)
          WHERE tenant_id = ${tenant}`,
        "with another's key": sql`UPDATE content c SET sealed_key = (
            SELECT sealed_key FROM content o
            WHERE o.tenant_id = c.tenant_id AND o.address <> c.address)
          WHERE tenant_id = ${tenant}`,
        "with another digest": sql`UPDATE content c SET sha256 = decode(repeat('00', 32), 'hex')
          WHERE tenant_id = ${tenant}`
      }
      for (const [name, breach] of Object.entries(harm)) {
        yield* sql`DELETE FROM content_part WHERE tenant_id = ${tenant}`
        yield* sql`DELETE FROM content WHERE tenant_id = ${tenant}`
        const bytes = [bytesOf(1_300_000, 1), bytesOf(1_300_000, 2)]
        const stored = yield* Effect.forEach(bytes, put).pipe(as(tenant))
        yield* breach
        for (const { address } of stored) {
          const exit = yield* Effect.exit(
            Contents.use((contents) => contents.open(address)).pipe(as(tenant))
          )
          assert.isTrue(Exit.isFailure(exit), name)
        }
      }
    })
  )

  it.effect("that have lost their bytes are whole again once they are put again", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const sql = yield* SuperuserSql
      const bytes = bytesOf(10_000)
      const { address } = yield* put(bytes).pipe(as(tenant))
      yield* sql`DELETE FROM content_part WHERE tenant_id = ${tenant}`
      assert.strictEqual((yield* put(bytes).pipe(as(tenant))).address, address)
      assert.isTrue(Buffer.from((yield* read(address).pipe(as(tenant)))!).equals(bytes))
    })
  )

  it.effect("that are destroyed can't be read, whatever copy of the bytes there is", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const sql = yield* SuperuserSql
      const bytes = bytesOf(10_000)
      const { address } = yield* put(bytes).pipe(as(tenant))
      yield* destroy(address).pipe(as(tenant))
      assert.isUndefined(yield* read(address).pipe(as(tenant)))
      const left = sql<{ readonly count: number }>`
        SELECT count(*)::int FROM content_part WHERE tenant_id = ${tenant}
      `
      assert.strictEqual((yield* left)[0]!.count, 1)
      // Put again before the bytes are gone: these are others, and stay.
      yield* put(bytes).pipe(as(tenant))
      assert.strictEqual(yield* Contents.use(({ sweep }) => sweep).pipe(as(tenant)), 1)
      assert.strictEqual(yield* Contents.use(({ sweep }) => sweep).pipe(as(tenant)), 0)
      assert.strictEqual((yield* left)[0]!.count, 1)
      assert.isTrue(Buffer.from((yield* read(address).pipe(as(tenant)))!).equals(bytes))
    })
  )

  it.effect("are read under the new key of the service alone once keys were replaced", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const bytes = bytesOf(70_000)
      const { address } = yield* put(bytes).pipe(as(tenant))
      const both = KeyEncryption.layerOf(present, before)
      const rotated = yield* EncryptionKeyRotation.use(({ rotate }) => rotate).pipe(
        Effect.provide(Layer.fresh(EncryptionKeyRotation.layer).pipe(Layer.provide(both)))
      )
      assert.deepStrictEqual(rotated.lost, [])
      assert.isAbove(rotated.resealed, 1)
      const program = Layer.fresh(Contents.layer).pipe(
        Layer.provide(KeyEncryption.layerOf(present))
      )
      const found = yield* Effect.provide(as(tenant)(read(address)), program)
      assert.isTrue(Buffer.from(found!).equals(bytes))
      const again = yield* Effect.provide(as(tenant)(put(bytes)), program)
      assert.strictEqual(again.address, address)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(as(tenant)(read(address)))))
    })
  )
})
