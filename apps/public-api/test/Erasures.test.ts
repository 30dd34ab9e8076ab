/** An erasure leaves nothing of the person, in no column of the data map, and all of the others. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AuditVerification } from "@quittance/operations/audit/AuditVerification"
import { Reconciliation } from "@quittance/operations/reconciliation/Reconciliation"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { OwnerSql, SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { at, call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { asked, erase } from "./ErasureRequests.ts"
import { form } from "./Forms.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { imported } from "./matrix/mandates.ts"
import { account } from "./matrix/payment-methods.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { plant, sightings } from "./Planting.ts"
import { quoted, send, signed } from "./Sales.ts"

/** Two contracts of which nothing is left to do: signed, stopped, and nothing owed. */
const over = Effect.fnUntraced(function* (world: World) {
  const ask = (path: string, body?: unknown) => send(world, world.manager, path, body)
  yield* publishTemplates(world)
  const { client: token, tenant } = world
  yield* call("/admin/bank-accounts/main", { tenant, token, method: "PUT", body: bankAccount })
  const sold = [yield* signed(world, world.manager), yield* signed(world, world.manager)] as const
  for (const { customerId, policyId } of sold) {
    const method = yield* ask(`/payment-methods/customers/${customerId}`, account)
    yield* ask(`/mandates/payment-methods/${method.body.id}/import`, {
      ...imported,
      umr: `OLD-${policyId.slice(-8)}`
    })
    const endorsement = yield* ask(`/policies/${policyId}/branches`, { branchType: "MTA" })
    yield* ask(`/branches/${endorsement.body.id}/invalidate`, { reason: "CUSTOMER_REQUEST" })
    // Each its own bytes: those that two documents have are kept for the other.
    const { body, headers } = form({ kind: "UPLOAD" }, { bytes: `a text of ${policyId}` })
    const path = `/documents/policies/${policyId}/uploads`
    yield* send(world, world.manager, path, body, headers)
    yield* ask(`/policies/${policyId}/stop?whenAt=2026-04-15T00:00:00Z`, { reason: "SALE" })
  }
  yield* plan(world)
  yield* call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.manager,
    method: "PUT",
    body: { now: "2026-05-04T00:00:00Z" }
  })
  for (const { customerId, policyId } of sold) {
    const invoices = yield* ask(`/billing/policies/${policyId}/invoices`)
    yield* ask(`/billing/policies/${policyId}/formal-notices`, {
      invoiceIds: [invoices.body.data.at(-1).id],
      payerCustomerId: customerId,
      sentAt: "2026-05-02T09:00:00Z",
      channel: "LETTER",
      evidence: { carrier: "x", reference: "x", address: "x" }
    })
    for (const { id, status } of invoices.body.data) {
      if (status === "ISSUED") yield* ask(`/billing/invoices/${id}/write-off`, { reason: "x" })
    }
  }
  return sold
})

const moved = (world: World, to: string) =>
  TenantSql.use((sql) => sql.transaction(TenantClockRepo.use((clock) => clock.set(at(to))))).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** What the tenant's trail and books say of themselves. */
const soundness = (world: World) =>
  Effect.gen(function* () {
    const { faults } = yield* AuditVerification.use((verification) =>
      verification.verify(undefined)
    )
    const { difference } = yield* Reconciliation.use(({ reconcile }) => reconcile)
    return { faults: faults.filter(({ kind }) => kind !== "LATE"), difference }
  }).pipe(
    Effect.provide(Layer.mergeAll(AuditVerification.layer, Reconciliation.layer)),
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** How many contents can be read, and the bytes of how many wait for their removal. */
const contentsOf = ({ tenant }: World) =>
  Effect.flatMap(
    SuperuserSql,
    (sql) => sql`
      SELECT (SELECT count(*)::int FROM content WHERE tenant_id = ${tenant}) AS keys,
        (SELECT count(*)::int FROM content_removal WHERE tenant_id = ${tenant}) AS removals
    `
  ).pipe(Effect.map(([row]) => ({ ...row })))

const readsOf = ({
  assetId,
  customerId,
  policyId
}: {
  readonly assetId: string
  readonly customerId: string
  readonly policyId: string
}) => [
  `/policies/${policyId}`,
  `/policies/${policyId}?whenAt=2026-04-02T00:00:00Z`,
  `/policies/${policyId}?knownAt=2026-03-10T09:00:00Z`,
  `/policies/${policyId}/timeline`,
  `/policies/${policyId}/changes`,
  `/policies/${policyId}/branches`,
  `/policies/${policyId}/events?count=100`,
  `/billing/policies/${policyId}/formal-notices`,
  `/payment-methods/customers/${customerId}`,
  `/mandates/customers/${customerId}`,
  `/assets/policies/${policyId}`,
  `/assets/${assetId}?knownAt=2026-03-10T09:00:00Z`,
  `/customers?policyId=${policyId}`,
  `/customers/${customerId}`,
  "/customers",
  "/policies",
  "/invitations",
  `/quotes/policies/${policyId}`,
  `/documents/policies/${policyId}`,
  `/billing/policies/${policyId}/invoices`,
  `/billing/policies/${policyId}/schedule`
]

const amounts = (text: string) => text.match(/"(?:amount|total|paid)\w*":-?\d+/gu) ?? []

const allReads = (world: World, records: Parameters<typeof readsOf>[0]) =>
  Effect.forEach(readsOf(records), (path) =>
    Effect.map(call(path, { tenant: world.tenant, token: world.manager }), ({ status, text }) => ({
      path,
      status,
      amounts: amounts(text),
      text
    }))
  )

layer(TestLayer, { excludeTestServices: true })("an erasure", (it) => {
  it.effect("leaves nothing that was planted, sound books, and the same amounts", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [mine, theirs] = yield* over(world)
      yield* moved(world, "2047-01-01T00:00:00Z")
      const before = yield* allReads(world, mine)
      const sound = yield* soundness(world)
      const left = yield* plant(mine, "planted")
      yield* plant(theirs, "kept")
      const kept = yield* sightings("kept")
      assert.deepStrictEqual(left, [])
      assert.isAbove((yield* sightings("planted")).length, 30)

      const path = yield* asked(world, [mine.customerId])
      const preview = yield* send(world, world.manager, `${path}/preview`)
      assert.deepStrictEqual([preview.body.kept, preview.body.holds], [[], []])
      assert.isAbove((yield* sightings("planted")).length, 30, "a preview changes nothing")
      const contents = yield* contentsOf(world)
      const answer = yield* erase(world, path)

      assert.deepStrictEqual(contents, { keys: 2, removals: 0 })
      assert.deepStrictEqual(yield* contentsOf(world), { keys: 1, removals: 1 })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(yield* sightings("planted"), [])
      assert.deepStrictEqual(yield* sightings("kept"), kept)
      assert.deepStrictEqual(yield* soundness(world), sound)
      for (const [index, after] of (yield* allReads(world, mine)).entries()) {
        const { amounts: same, path: read, status } = before[index]!
        assert.strictEqual(after.status, status, `${read}: ${after.text}`)
        assert.deepStrictEqual(after.amounts, same, read)
      }
      const listed = yield* send(world, world.manager, "/privacy/erasures?count=100")
      assert.isTrue(
        listed.body.data.every(
          ({ customerId }: { readonly customerId: string }) => customerId === mine.customerId
        )
      )
      // The second time there is nothing to do but to say so again.
      assert.strictEqual((yield* erase(world, path)).status, 200)
    })
  )

  it.effect("is refused under a clock and under a hold, and takes what is free", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const running = yield* signed(world, world.manager)
      const kept = yield* asked(world, [running.customerId])
      const refused = yield* erase(world, kept, { classes: ["CONTRACT", "PERSON"] })
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "RETENTION_DUTY"])
      assert.deepInclude(refused.body.details.classes[0], {
        policyId: running.policyId,
        class: "CONTRACT",
        waitsFor: "CONTRACT_OPEN"
      })
      assert.strictEqual((yield* erase(world, kept)).body.code, "RETENTION_DUTY")

      const prospect = yield* quoted(world, world.session)
      const free = yield* asked(world, [prospect.customerId])
      for (const body of [{ customerId: prospect.customerId }, { policyId: prospect.policyId }]) {
        const hold = yield* send(world, world.manager, "/privacy/holds", {
          ...body,
          reason: "A dispute"
        })
        const held = yield* erase(world, free)
        assert.deepStrictEqual(
          [held.status, held.body.code, held.body.details],
          [409, "RETENTION_HOLD", { holds: [hold.body.id] }]
        )
        const lifted = yield* call(`/privacy/holds/${hold.body.id}`, {
          tenant: world.tenant,
          token: world.manager,
          method: "DELETE"
        })
        assert.strictEqual(lifted.status, 204)
      }
      yield* plant(prospect, "prospect")
      assert.strictEqual((yield* erase(world, free)).status, 200)
      assert.deepStrictEqual(yield* sightings("prospect"), [])
    })
  )

  it.effect(
    "takes a person's own part of a policy with others on it, and the rest with the last",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const first = yield* quoted(world, world.session)
        const { body } = yield* send(
          world,
          world.session,
          `/customers/policies/${first.policyId}`,
          {
            role: "DRIVER",
            name: "Second Driver",
            customFields: fieldExamples(motor.fields.customer, "DRIVER")
          }
        )
        const second: string = body.customerId
        const statesOf = (own: boolean) =>
          Effect.flatMap(
            SuperuserSql,
            (sql) => sql<{ readonly state: object }>`
            SELECT state FROM validity WHERE policy_id = ${first.policyId}
              AND (entity_id = ${second}) = ${own} ORDER BY entity_id, valid_from
          `
          )
        const others = yield* statesOf(false)
        const before = yield* statesOf(true)
        assert.isTrue(before.some(({ state }) => JSON.stringify(state).includes("customFields")))

        assert.strictEqual((yield* erase(world, yield* asked(world, [second]))).status, 200)

        assert.deepStrictEqual(yield* statesOf(false), others)
        for (const { state } of yield* statesOf(true))
          assert.deepInclude(state, { customFields: {} })
        const sql = yield* SuperuserSql
        const patches = yield* sql`
        SELECT e.value FROM policy_change c, jsonb_array_elements(c.patch) e
        WHERE c.policy_id = ${first.policyId} AND e.value->>'path' LIKE ${`/customers/${second}%`}
          AND e.value #> '{value,customFields}' <> '{}'
      `
        assert.deepStrictEqual(patches, [])
        // By the log, and by the states that were made of it: both say the same.
        const read = (path: string) =>
          Effect.map(call(path, { tenant: world.tenant, token: world.manager }), (answer) => answer)
        const known = yield* read(`/customers/${second}?policyId=${first.policyId}`)
        assert.deepStrictEqual([known.status, known.body.customFields ?? []], [200, []])
        assert.notProperty(known.body, "name")

        yield* plant(first, "last")
        assert.strictEqual(
          (yield* erase(world, yield* asked(world, [first.customerId]))).status,
          200
        )
        assert.deepStrictEqual(yield* sightings("last"), [])
      })
  )

  it.effect("can be called by the runtime for its own tenant alone, and changes no digest", () =>
    Effect.gen(function* () {
      const sql = yield* OwnerSql
      const { reason } = yield* Effect.flip(
        sql`SELECT erase('acme', 'customer_x', 'PERSON', NULL, 'erasure_x', NULL, 'x', now())`
      )
      assert.include(String(reason.cause), "is not the one of this transaction")
    })
  )
})
