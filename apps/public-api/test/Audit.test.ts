/** The audit trail as auditors read it over HTTP. */
import { assert, layer } from "@effect/vitest"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

interface Entry {
  readonly id: string
  readonly recordedAt: string
  readonly businessAt: string
  readonly requestId: string
  readonly action: string
  readonly recordId: string
  readonly outcome: string
  readonly before?: string
  readonly after?: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly seal?: { readonly position: number; readonly hash: string }
}

const read = Effect.fnUntraced(function* (world: World, query = "", token = world.auditor) {
  const { body, status } = yield* call(`/audit${query}`, { tenant: world.tenant, token })
  assert.strictEqual(status, 200, JSON.stringify(body))
  // As the contract says; what a test takes out of it, it compares.
  return body as { readonly data: ReadonlyArray<Entry>; readonly totalCount: number }
})

/** All rows, the newest first, through pages of three. */
const readAll = Effect.fnUntraced(function* (world: World, query = "") {
  const rows: Array<Entry> = []
  for (let page = 1; ; page++) {
    const { data, totalCount } = yield* read(world, `?count=3&page=${page}${query}`)
    rows.push(...data)
    if (data.length === 0) {
      assert.strictEqual(rows.length, totalCount)
      return rows
    }
  }
})

const idOf = ({ tenant }: World, token: string) =>
  Effect.map(call("/account", { tenant, token }), ({ body }) => String(body.id))

/** A policy that a visitor has opened and changed, and that another one was not let see. */
const busy = Effect.gen(function* () {
  const world = yield* newTenant
  const { tenant } = world
  const { policyId } = yield* prepared(world, world.session)
  const path = `/policies/${policyId}`
  const requestId = randomUUID()
  const { status } = yield* call(path, {
    tenant,
    token: world.session,
    method: "PATCH",
    body: { name: "The family's car" },
    headers: { "x-request-id": requestId }
  })
  assert.strictEqual(status, 200)
  assert.strictEqual((yield* call(path, { tenant, token: world.stranger })).status, 403)
  return { world, policyId, requestId }
})

const Live = Layer.provideMerge(AuditSealer.layer, TestLayer)

layer(Live, { excludeTestServices: true })("GET /audit", (it) => {
  it.effect("refuses a query that asks for nothing that could be there", () =>
    Effect.gen(function* () {
      const { client, tenant } = yield* newTenant
      for (const [query, name] of [
        ["actorId=", "actorId"],
        ["recordId=a%20b", "recordId"],
        ["recordId=%00", "recordId"],
        [`action=${"x".repeat(201)}`, "action"],
        ["outcome=done", "outcome"],
        ["from=2026-02-31T00:00:00Z", "from"],
        ["to=yesterday", "to"],
        ["count=101", "count"]
      ]) {
        const { body, status } = yield* call(`/audit?${query}`, { tenant, token: client })
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], query)
        assert.deepStrictEqual(
          body.details.issues.map(({ path }: { readonly path: string }) => path),
          [name]
        )
      }
    })
  )

  it.effect("is for auditors and managers of the whole tenant, and leaves no row itself", () =>
    Effect.gen(function* () {
      const { world } = yield* busy
      const before = yield* readAll(world)
      yield* read(world, "", world.manager)
      yield* read(world, "", world.client)
      assert.deepStrictEqual(yield* readAll(world), before)
      for (const token of [world.north, world.session]) {
        const { status } = yield* call("/audit", { tenant: world.tenant, token })
        assert.strictEqual(status, 403)
      }
      const [latest] = yield* readAll(world)
      assert.deepStrictEqual(
        [latest!.action, latest!.outcome, latest!.recordId],
        ["audit.read", "REFUSED", world.tenant]
      )
    })
  )

  it.effect("tells of a write who did it, by which request, and digests of before and after", () =>
    Effect.gen(function* () {
      const { policyId, requestId, world } = yield* busy
      const [opened, updated] = [
        yield* readAll(world, `&recordId=${policyId}&action=policy.create`),
        yield* readAll(world, `&recordId=${policyId}&action=policy.update`)
      ]
      assert.deepStrictEqual([opened.length, updated.length], [1, 1])
      const { after, before, id, recordedAt, ...rest } = updated[0]!
      assert.deepInclude(rest, {
        businessAt: "2026-03-10T09:00:00.000Z",
        actor: { kind: "ANONYMOUS", id: yield* idOf(world, world.session) },
        action: "policy.update",
        recordId: policyId,
        outcome: "DONE",
        requestId
      })
      assert.match(id, /^audit_entry_test_/u)
      assert.notStrictEqual(recordedAt.slice(0, 10), "2026-03-10")
      for (const digest of [before, after]) assert.match(digest!, /^[0-9a-f]{64}$/u)
      assert.notStrictEqual(before, after)
      assert.isUndefined(opened[0]!.before)
    })
  )

  it.effect("answers with every filter what all rows hold that fits, the newest first", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* busy
      const all = yield* readAll(world)
      assert.isAbove(all.length, 4)
      const order = all.map(({ recordedAt }) => recordedAt)
      assert.deepStrictEqual(order, order.toSorted().toReversed())
      const { actor, recordedAt } = all[2]!
      const filters: ReadonlyArray<readonly [string, (row: Entry) => boolean]> = [
        [`&actorId=${actor.id}`, (row) => row.actor.id === actor.id],
        [`&recordId=${policyId}`, (row) => row.recordId === policyId],
        ["&action=policy.read", (row) => row.action === "policy.read"],
        ["&outcome=REFUSED", (row) => row.outcome === "REFUSED"],
        ["&outcome=DONE", (row) => row.outcome === "DONE"],
        [`&from=${recordedAt}`, (row) => row.recordedAt >= recordedAt],
        [`&to=${recordedAt}`, (row) => row.recordedAt < recordedAt],
        [
          `&recordId=${policyId}&outcome=REFUSED&from=${recordedAt}`,
          (row) =>
            row.recordId === policyId && row.outcome === "REFUSED" && row.recordedAt >= recordedAt
        ]
      ]
      for (const [query, fits] of filters) {
        const expected = all.filter(fits)
        assert.deepStrictEqual(yield* readAll(world, query), expected, query)
        if (!query.startsWith("&to")) assert.isNotEmpty(expected, query)
      }
      assert.deepStrictEqual(yield* readAll(world, "&actorId=unknown"), [])
    })
  )

  it.effect("shows the seal of a row once it has one, and no other tenant's rows", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* busy
      const other = yield* newTenant
      const unsealed = yield* readAll(world)
      assert.isTrue(unsealed.every(({ seal }) => seal === undefined))
      const sealer = yield* AuditSealer
      yield* Effect.provideService(sealer.sealBatch, CurrentTenant, world.tenant)
      const sealed = yield* readAll(world)
      assert.deepStrictEqual(
        sealed.map(({ seal }) => seal?.position),
        unsealed.map((_, index) => unsealed.length - index)
      )
      assert.deepStrictEqual(
        sealed.map(({ seal: _seal, ...row }) => row),
        unsealed
      )
      assert.deepStrictEqual(yield* readAll(other, `&recordId=${policyId}`), [])
    })
  )
})
