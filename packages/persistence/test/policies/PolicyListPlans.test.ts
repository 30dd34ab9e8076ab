/**
 * How PostgreSQL runs the lists of policies and customers of a tenant with 50,000 of each: the
 * statements as they are sent, planned for their values and for any values, and what they touch.
 */
import type { Coverage } from "@quittance/auth/Grants"
import { assert, layer } from "@effect/vitest"
import { policyOrderKeys } from "@quittance/domain/policies/PolicyList"
import { Effect, Layer } from "effect"
import { type CustomerFilter, CustomerListRepo } from "../../src/customers/CustomerListRepo.ts"
import {
  PolicyListRepo,
  type PolicyFilter,
  type PolicyListQuery
} from "../../src/policies/PolicyListRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { assertNoScan, worksOf } from "../Work.ts"
import type { BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const tenant = TenantId.make("crowd")
const all = 50_000
const firms = 500

// Identifiers have no digits 0, 1, 2 and 5: they are letters here.
const idOf = (prefix: string, n: number) =>
  `${prefix}_test_${String(n)
    .padStart(21, "0")
    .replace(/[0125]/gu, (digit) => letters[digit]!)}`
const letters: Readonly<Record<string, string>> = { 0: "A", 1: "B", 2: "C", 5: "D" }
const firmIds = (...numbers: ReadonlyArray<number>) =>
  numbers.map((n) => idOf("brokerage_firm", n) as BrokerageFirmId)

/**
 * Two tenants of the same size. Firm 1 has a fifth of its tenant's policies, every other firm some
 * eighty, and a tenth of the policies has none. Each policy has one customer.
 */
const crowd = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const at = sql.literal("timestamptz '2026-01-01' + n * interval '1 minute'")
  const id = (prefix: string, n = "n") =>
    sql.literal(`'${prefix}_test_' || translate(lpad((${n})::text, 21, '0'), '0125', 'ABCD')`)
  const firm = sql`CASE WHEN n % 10 = 0 THEN NULL
    ELSE ${id("brokerage_firm", `CASE WHEN n % 10 < 3 THEN 1 ELSE 2 + n * 7919 % ${firms - 1} END`)} END`
  yield* sql.withTransaction(
    Effect.gen(function* () {
      // What the rows hang on is of no interest here.
      yield* sql`SET LOCAL session_replication_role = replica`
      // VACUUM takes no row for visible to all whose commit is not on the disk yet.
      yield* sql`SET LOCAL synchronous_commit = on`
      yield* sql`
        INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
        SELECT id, id, 'production', 'fr-FR', 'EUR', 'Europe/Paris' FROM (
          SELECT unnest(ARRAY[${tenant}, 'other']) UNION ALL
          SELECT 'tenant-' || n FROM generate_series(1, 1000) n) t(id)
      `
      for (const tenantId of [tenant, "other"]) {
        yield* sql`
          INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
            brokerage_firm_id, default_branch_id, change_seq, event_seq, status, name, external_id,
            started_at, created_at, last_modified_at)
          SELECT ${tenantId}, ${id("policy")}, n, 'motor', '1', 'INDIVIDUAL', ${firm}, ${id("branch")}, 1, 1,
            (ARRAY['POLICY_CREATED', 'POLICY_STARTED'])[1 + n % 2], 'Policy ' || n, 'EXT-' || n,
            ${at} + interval '30 days', ${at}, ${at}
          FROM generate_series(1, ${all}::int) n
        `
        yield* sql`
          INSERT INTO customer (tenant_id, id, type, name, status, payment_mode, created_at,
            last_modified_at)
          SELECT ${tenantId}, ${id("customer")}, 'INDIVIDUAL', 'Customer ' || n, 'CUSTOMER_CREATED',
            'DIRECT_DEBIT', ${at}, ${at}
          FROM generate_series(1, ${all}::int) n
        `
        yield* sql`
          INSERT INTO branch (tenant_id, policy_id, id, branch_type, name, status, stage, forked_at,
            forked_seq, seq, author, created_at, first_forked_at, first_forked_seq)
          SELECT ${tenantId}, ${id("policy")}, ${id("branch")}, 'BASE', 'x', 'OPEN', 'SIGNED', ${at},
            0, 1, 'x', ${at}, ${at}, 0
          FROM generate_series(1, ${all}::int) n
        `
        yield* sql`
          INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from,
            valid_to, state)
          SELECT ${tenantId}, ${id("policy")}, ${id("branch")}, ${id("customer")}, 'CUSTOMER', ${at},
            '9999-12-31T23:59:59.999Z', '{}'
          FROM generate_series(1, ${all}::int) n
        `
        yield* sql`
          INSERT INTO customer_policy (tenant_id, customer_id, policy_id, linked_at)
          SELECT ${tenantId}, ${id("customer")}, ${id("policy")}, ${at}
          FROM generate_series(1, ${all}::int) n
        `
        for (const kind of ["policy", "customer"]) {
          yield* sql`
            INSERT INTO ${sql(`${kind}_word`)} (tenant_id, word, ${sql(`${kind}_id`)})
            SELECT ${tenantId}, part, id FROM ${sql(kind)}, search_parts(search) AS part
            WHERE tenant_id = ${tenantId} AND part <> ALL (search_common())
          `
        }
      }
    })
  )
  // Apart: what ANALYZE writes commits later, and rows of about its transaction would not count as visible.
  yield* sql`VACUUM tenant, policy, customer, customer_policy, policy_word, customer_word`
  yield* sql`ANALYZE tenant, policy, branch, validity, customer, customer_policy, policy_word,
    customer_word`
})

const Live = Layer.merge(CustomerListRepo.layer, PolicyListRepo.layer).pipe(
  Layer.provideMerge(Layer.effectDiscard(crowd)),
  Layer.provideMerge(PgTest.layer)
)

type Covered = Extract<Coverage, { readonly _tag: "Records" }>
const byTenant: Coverage = { _tag: "Tenant" }
const byFirm: Covered = { _tag: "Records", firmIds: firmIds(7), recordIds: [] }
const byLargeFirm: Covered = { _tag: "Records", firmIds: firmIds(1), recordIds: [] }
const byFirms: Covered = { _tag: "Records", firmIds: firmIds(7, 8, 9, 10, 11), recordIds: [] }
const byRecords: Coverage = {
  _tag: "Records",
  firmIds: [],
  recordIds: [3, 4, 30_000, 49_999].map((n) => idOf("policy", n))
}
const byBoth: Covered = { ...byRecords, firmIds: firmIds(7, 8) }
const page = { count: 10, page: 1 }

const inTenant = Effect.provideService(CurrentTenant, tenant)
/** Whether words are few is asked before. */
const statementsOf = (filter: { readonly words?: string | undefined } = {}) =>
  filter.words === undefined ? 1 : 2
const policies = (query: Partial<PolicyListQuery>) =>
  worksOf(
    PolicyListRepo.use((repo) =>
      repo.policies({
        coverage: byTenant,
        filter: {},
        order: { by: "createdAt", direction: "DESC" },
        page,
        ...query
      })
    ),
    statementsOf(query.filter)
  ).pipe(inTenant)
const customers = (coverage: Coverage, filter: CustomerFilter = {}) =>
  worksOf(
    CustomerListRepo.use((repo) => repo.customers({ coverage, filter, page })),
    statementsOf(filter)
  ).pipe(inTenant)

const coverages = { byFirm, byLargeFirm, byFirms, byRecords, byBoth }
const indexes = {
  byFirm: ["policy_firm"],
  byLargeFirm: ["policy_firm"],
  byFirms: ["policy_firm"],
  byRecords: ["policy_pkey"],
  byBoth: ["policy_firm", "policy_pkey"]
}
const coverageNames = ["byFirm", "byLargeFirm", "byFirms", "byRecords", "byBoth"] as const

layer(Live, { excludeTestServices: true })("a list of 50,000", (it) => {
  for (const name of coverageNames) {
    it.effect(`looks at no policy and no customer but the covered ones: ${name}`, () =>
      Effect.gen(function* () {
        const coverage = coverages[name]
        for (const by of policyOrderKeys) {
          for (const direction of ["ASC", "DESC"] as const) {
            const { answer, works } = yield* policies({ coverage, order: { by, direction } })
            assert.isAtLeast(answer.total, answer.ids.length)
            for (const work of works) {
              assertNoScan(work)
              assert.deepStrictEqual(work.scans, indexes[name])
              assert.isAtMost(work.rows, answer.total + coverage.recordIds.length)
            }
          }
        }
        const { answer, works } = yield* customers(coverage)
        for (const work of works) {
          assertNoScan(work)
          assert.includeMembers([...work.scans], ["customer_pkey", ...indexes[name]])
          // The tenant's clock; each by its policy, what puts it there, and itself.
          assert.isAtMost(work.rows, 1 + 3 * answer.total + coverage.recordIds.length)
        }
      })
    )
  }

  it.effect("reads a page of all by the index of its order, and counts the tenant's alone", () =>
    Effect.gen(function* () {
      const orders = {
        createdAt: "policy_created",
        startedAt: "policy_started",
        lastModifiedAt: "policy_modified"
      }
      for (const by of policyOrderKeys) {
        for (const direction of ["ASC", "DESC"] as const) {
          const { answer, works } = yield* policies({ order: { by, direction } })
          assert.strictEqual(answer.total, all)
          for (const work of works) {
            assertNoScan(work)
            assert.include(work.scans, orders[by])
            assert.notInclude(work.nodes, "Sort")
            assert.strictEqual(work.rows, all + page.count)
          }
        }
      }
      const { answer, works } = yield* customers(byTenant)
      assert.strictEqual(answer.total, all)
      for (const work of works) {
        assertNoScan(work)
        assert.deepStrictEqual(work.scans, ["customer_created"])
        assert.strictEqual(work.rows, all + page.count)
      }
    })
  )

  it.effect("finds one policy by its external id, and the customers of one policy by it", () =>
    Effect.gen(function* () {
      const { answer, works } = yield* policies({ filter: { externalId: "EXT-4711" } })
      assert.deepStrictEqual(answer, { ids: [idOf("policy", 4711) as PolicyId], total: 1 })
      for (const { rows } of works) assert.isAtMost(rows, 2)
      const policyId = idOf("policy", 30_000) as PolicyId
      for (const [coverage, total] of [
        [byTenant, 1],
        [byRecords, 1],
        [byBoth, 1],
        [byFirms, 0]
      ] as const) {
        const { answer, works } = yield* customers(coverage, { policyId })
        assert.strictEqual(answer.total, total)
        for (const work of works) {
          assertNoScan(work)
          // The tenant's clock, the policy by each way to it, what puts the customer there, what stands of
          // the policy and has him there, and him.
          assert.isAtMost(work.rows, 9)
        }
      }
    })
  )

  it.effect("finds the few that match the words by their index, for every caller", () =>
    Effect.gen(function* () {
      // A word that all have, one that eleven have, one that too many have.
      for (const [coverage, total] of [
        [byTenant, 11],
        [byLargeFirm, 2]
      ] as const) {
        for (const { answer, works, own } of [
          {
            own: "policy",
            ...(yield* policies({ coverage, filter: { words: "polic 4999 ext-49" } }))
          },
          { own: "customer", ...(yield* customers(coverage, { words: "custom 4999" })) }
        ]) {
          assert.strictEqual(answer.total, total)
          for (const work of works) {
            assertNoScan(work)
            assert.include(work.scans, `${own}_word_pkey`)
          }
          // Of no word more are counted than may be read.
          for (const work of works.slice(0, 2)) assert.isAtMost(work.rows, 13_000)
          // Each by its word, itself, what puts it on a covered policy, and the tenant's clock.
          for (const work of works.slice(2)) {
            assert.include(work.scans, `${own}_pkey`)
            assert.isAtMost(work.rows, 11 * 5)
          }
        }
      }
      const { answer, works } = yield* policies({ filter: { words: "ext" } })
      assert.strictEqual(answer.total, all)
      for (const work of works.slice(2)) assert.notInclude(work.scans, "policy_word_pkey")
    })
  )

  it.effect("filters what is covered before it is counted and cut into pages", () =>
    Effect.gen(function* () {
      const filter: PolicyFilter = { statuses: ["POLICY_STARTED"], words: "policy" }
      const whole = yield* policies({ coverage: byBoth, filter, page: { count: 100, page: 1 } })
      assert.strictEqual(whole.answer.ids.length, whole.answer.total)
      assert.isAbove(whole.answer.total, 20)
      const pages: Array<PolicyId> = []
      for (let number = 1; pages.length < whole.answer.total; number++) {
        const page = { count: 7, page: number }
        const { answer, works } = yield* policies({ coverage: byBoth, filter, page })
        assert.strictEqual(answer.total, whole.answer.total)
        assert.isAbove(answer.ids.length, 0)
        pages.push(...answer.ids)
        for (const work of works.slice(-2)) assert.deepStrictEqual(work.scans, indexes.byBoth)
      }
      assert.deepStrictEqual(pages, whole.answer.ids)
      const far = { count: 100, page: 90_071_992_547_409 }
      for (const coverage of [byTenant, byBoth]) {
        const { answer } = yield* policies({ coverage, filter: {}, page: far })
        assert.deepStrictEqual(answer.ids, [])
        assert.isAbove(answer.total, 0)
      }
    })
  )

  it.effect("counts a policy once that a firm and a grant of its own cover", () =>
    Effect.gen(function* () {
      const { answer } = yield* policies({ coverage: byFirm, page: { count: 100, page: 1 } })
      const twice: Coverage = { ...byFirm, recordIds: answer.ids.slice(0, 9) }
      const both = yield* policies({ coverage: twice, page: { count: 100, page: 1 } })
      assert.deepStrictEqual(both.answer, answer)
      const people = yield* customers(twice)
      assert.strictEqual(people.answer.total, answer.total)
      const nothing: Coverage = { _tag: "Records", firmIds: [], recordIds: [] }
      assert.deepStrictEqual((yield* policies({ coverage: nothing })).answer, { ids: [], total: 0 })
      assert.deepStrictEqual((yield* customers(nothing)).answer, { ids: [], total: 0 })
    })
  )
})
