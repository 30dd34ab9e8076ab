import { assert, layer } from "@effect/vitest"
import {
  type Caller,
  ClientId,
  CurrentCaller,
  type UserId
} from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { FirmsRepo } from "../../src/access/FirmsRepo.ts"
import { GrantsRepo, type SubjectId } from "../../src/access/GrantsRepo.ts"
import { Ids } from "../../src/sql/Ids.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { addFirm, addUser, as, give, inTenant, inTransaction, TestLayer } from "../People.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

layer(TestLayer, { excludeTestServices: true })("GrantsRepo", (it) => {
  const policy = (policyId: string, brokerageFirmId: BrokerageFirmId | null) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return { policyId: sql`${policyId}`, brokerageFirmId: sql`${brokerageFirmId}` }
    })

  const granted = Effect.fn(function* (
    action: "policy.read" | "policy.write",
    policyId: string,
    firm: BrokerageFirmId | null
  ) {
    const sql = yield* SqlClient.SqlClient
    const repo = yield* GrantsRepo
    const condition = yield* repo.onPolicy(action, yield* policy(policyId, firm))
    const tenantSql = yield* TenantSql
    const [row] = yield* tenantSql.read(sql<{ granted: boolean }>`SELECT ${condition} AS granted`)
    return row!.granted
  })

  it.effect("refuses a client before anything is looked up", () =>
    inTenant(
      Effect.gen(function* () {
        const repo = yield* GrantsRepo
        const client = {
          _tag: "Client",
          clientId: ClientId.make("c"),
          scopes: new Set<never>()
        } as const
        const error = yield* repo
          .onPolicy("policy.read", yield* policy("policy_1", null))
          .pipe(Effect.provideService(CurrentCaller, client), Effect.flip)
        assert.strictEqual(error._tag, "UserNotFound")
      })
    )
  )

  it.effect("denies by default", () =>
    inTenant(
      Effect.gen(function* () {
        const userId = yield* addUser("a@x.test")
        const firm = yield* addFirm("North")
        assert.isFalse(yield* as(userId)(granted("policy.read", "policy_1", firm)))
        const error = yield* GrantsRepo.use((repo) => repo.coverage("policy.read")).pipe(
          as(userId),
          Effect.flip
        )
        assert.deepStrictEqual([error._tag, error.action], ["Forbidden", "policy.read"])
      })
    )
  )

  it.effect("follows a grant on a firm down the tree and not up", () =>
    inTenant(
      Effect.gen(function* () {
        const userId = yield* addUser("a@x.test")
        const top = yield* addFirm("Top")
        const middle = yield* addFirm("Middle", top)
        const bottom = yield* addFirm("Bottom", middle)
        const aside = yield* addFirm("Aside")
        yield* give(userId, { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: middle } })

        const answers = yield* Effect.forEach([top, middle, bottom, aside, null], (firm) =>
          granted("policy.write", "policy_1", firm)
        ).pipe(as(userId))
        assert.deepStrictEqual(answers, [false, true, true, false, false])

        const coverage = yield* GrantsRepo.use((repo) => repo.coverage("policy.read")).pipe(
          as(userId)
        )
        assert.deepStrictEqual(
          coverage._tag === "Records" && [...coverage.firmIds].sort(),
          [middle, bottom].sort()
        )
        const firms = yield* FirmsRepo
        assert.deepStrictEqual(yield* firms.path(bottom), [bottom, middle, top])
      })
    )
  )

  it.effect("covers one record, and reads for an auditor but does not write", () =>
    inTenant(
      Effect.gen(function* () {
        const holder = yield* addUser("holder@x.test")
        const auditor = yield* addUser("auditor@x.test")
        yield* give(holder, { role: "POLICYHOLDER", on: { kind: "RECORD", recordId: "policy_1" } })
        yield* give(auditor, { role: "AUDITOR", on: { kind: "TENANT" } })
        const answers = yield* Effect.all([
          as(holder)(granted("policy.write", "policy_1", null)),
          as(holder)(granted("policy.write", "policy_2", null)),
          as(auditor)(granted("policy.read", "policy_2", null)),
          as(auditor)(granted("policy.write", "policy_2", null))
        ])
        assert.deepStrictEqual(answers, [true, false, true, false])
      })
    )
  )

  it.effect("gives a grant once, and no user the role of every visitor", () =>
    inTenant(
      Effect.gen(function* () {
        const userId = yield* addUser("a@x.test")
        const grant: Grant = { role: "AUDITOR", on: { kind: "TENANT" } }
        yield* give(userId, grant)
        yield* give(userId, grant)
        assert.deepStrictEqual(yield* GrantsRepo.use((repo) => repo.of(userId)), [grant])
        const exit = yield* Effect.exit(give(userId, { role: "VISITOR", on: { kind: "TENANT" } }))
        assert.strictEqual(exit._tag, "Failure")
      })
    )
  )

  it.effect("sees no grant of another tenant", () =>
    Effect.gen(function* () {
      const userId = yield* inTenant(
        Effect.gen(function* () {
          const userId = yield* addUser("a@x.test")
          yield* give(userId, { role: "TENANT_MANAGER", on: { kind: "TENANT" } })
          return userId
        })
      )
      assert.isFalse(yield* inTenant(as(userId)(granted("policy.read", "policy_1", null))))
    })
  )

  it.effect("captures no column of the statement around it, whatever its alias", () =>
    Effect.forEach(
      ["f", "g", "o", "p", "r", "u", "v", "x", "role", "brokerage_firm", "permission_grant"],
      Effect.fnUntraced(function* (alias) {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* GrantsRepo
        const ada = yield* addUser(`${alias}@x.test`)
        const [here, elsewhere] = [yield* addFirm("Here"), yield* addFirm("Elsewhere")]
        yield* give(ada, { role: "FIRM_MANAGER", on: { kind: "FIRM", brokerageFirmId: here } })
        // Columns that also the tables of the check have.
        const [id, firm, record] = [
          sql`${sql(alias)}.id`,
          sql`${sql(alias)}.brokerage_firm_id`,
          sql`${sql(alias)}.record_id`
        ]
        const conditions = yield* Effect.all([
          repo.onFirm("firm.write", id),
          repo.onFirm("firm.write", firm),
          repo.onPolicy("policy.write", { policyId: record, brokerageFirmId: id }),
          repo.onUser("user.write", { userId: record, brokerageFirmId: firm })
        ]).pipe(as(ada))
        for (const condition of conditions) {
          const { read } = yield* TenantSql
          const rows = yield* read(sql`
            SELECT ${condition} AS granted FROM (
              VALUES (${here}, ${here}, 'x'), (${elsewhere}, ${elsewhere}, 'x')
            ) ${sql(alias)} (id, brokerage_firm_id, record_id)
            ORDER BY 1
          `)
          assert.deepStrictEqual(rows, [{ granted: false }, { granted: true }], alias)
        }
      })
    ).pipe(inTenant)
  )

  it.effect("asks for a firm by it and what is above, for a user by itself and its firm", () =>
    inTenant(
      Effect.gen(function* () {
        const top = yield* addFirm("Top")
        const below = yield* addFirm("Below", top)
        const aside = yield* addFirm("Aside")
        const [ada, bob, cyd] = [
          yield* addUser("ada@x.test"),
          yield* addUser("bob@x.test"),
          yield* addUser("cyd@x.test")
        ]
        yield* give(ada, { role: "FIRM_MANAGER", on: { kind: "FIRM", brokerageFirmId: top } })
        yield* give(bob, { role: "FIRM_MANAGER", on: { kind: "RECORD", recordId: cyd } })
        const sql = yield* SqlClient.SqlClient
        const repo = yield* GrantsRepo
        const { read } = yield* TenantSql
        const onFirm = Effect.fnUntraced(function* (firm: BrokerageFirmId) {
          const condition = yield* repo.onFirm("firm.write", sql`${firm}`)
          return (yield* read(sql<{ granted: boolean }>`SELECT ${condition} AS granted`))[0]!
            .granted
        })
        const onUser = Effect.fnUntraced(function* (user: UserId, firm: BrokerageFirmId | null) {
          const columns = { userId: sql`${user}`, brokerageFirmId: sql`${firm}` }
          const condition = yield* repo.onUser("user.write", columns)
          return (yield* read(sql<{ granted: boolean }>`SELECT ${condition} AS granted`))[0]!
            .granted
        })
        const firms = yield* Effect.forEach([aside, top, below], onFirm).pipe(as(ada))
        assert.deepStrictEqual(firms, [false, true, true])
        const usersOfAda = [
          yield* as(ada)(onUser(cyd, aside)),
          yield* as(ada)(onUser(cyd, null)),
          yield* as(ada)(onUser(cyd, below))
        ]
        assert.deepStrictEqual(usersOfAda, [false, false, true])
        const usersOfBob = [yield* as(bob)(onUser(ada, null)), yield* as(bob)(onUser(cyd, aside))]
        assert.deepStrictEqual(usersOfBob, [false, true])
        const client = { _tag: "Client", clientId: ClientId.make("c"), scopes: new Set<never>() }
        const asClient = Effect.provideService(CurrentCaller, client as Caller)
        assert.isTrue(yield* asClient(onFirm(aside)))
        assert.isTrue(yield* asClient(onUser(ada, null)))
      })
    )
  )
})

layer(TestLayer, { excludeTestServices: true })("the grants of a user", (it) => {
  const tenantWide = (role: Grant["role"]): Grant => ({ role, on: { kind: "TENANT" } })
  const onPolicy = (recordId: string): Grant => ({
    role: "POLICYHOLDER",
    on: { kind: "RECORD", recordId }
  })
  const of = (id: SubjectId) => GrantsRepo.use((repo) => repo.of(id))
  const set = (id: SubjectId, grants: ReadonlyArray<Grant>) =>
    inTransaction(GrantsRepo.use((repo) => repo.set(id, grants)))

  it.effect("are replaced as a whole, and no other user's with them", () =>
    inTenant(
      Effect.gen(function* () {
        const [ada, bob] = [yield* addUser("ada@x.test"), yield* addUser("bob@x.test")]
        const brokerageFirmId = yield* addFirm("North")
        const onFirm = (role: Grant["role"]): Grant => ({
          role,
          on: { kind: "FIRM", brokerageFirmId }
        })
        const before = [tenantWide("AUDITOR"), onFirm("BROKER"), onPolicy("policy_1")]
        yield* set(ada, before)
        yield* set(bob, before)
        assert.deepStrictEqual(yield* of(ada), before)
        const after = [onFirm("BROKER"), onFirm("FIRM_MANAGER"), onPolicy("policy_2")]
        yield* set(ada, [...after, ...after])
        assert.deepStrictEqual(yield* of(ada), after)
        assert.deepStrictEqual(yield* of(bob), before)
        yield* set(ada, [])
        assert.deepStrictEqual(yield* of(ada), [])
      })
    )
  )

  it.effect("can't name a firm or a built-in role that is not there to be granted", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        const missing = (yield* Ids).next("brokerage_firm")
        const onMissing: Grant = { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: missing } }
        for (const grant of [onMissing, tenantWide("VISITOR")]) {
          const exit = yield* Effect.exit(set(ada, [tenantWide("AUDITOR"), grant]))
          assert.strictEqual(exit._tag, "Failure")
          assert.deepStrictEqual(yield* of(ada), [])
        }
      })
    )
  )

  it.effect("move from a session to the user who takes it over", () =>
    inTenant(
      Effect.gen(function* () {
        const ids = yield* Ids
        const session = ids.next("anonymous_session")
        const ada = yield* addUser("ada@x.test")
        yield* set(session, [onPolicy("policy_1"), onPolicy("policy_2")])
        yield* set(ada, [tenantWide("AUDITOR"), onPolicy("policy_2")])
        yield* inTransaction(GrantsRepo.use((repo) => repo.transfer(session, ada)))
        assert.deepStrictEqual(yield* of(session), [])
        assert.deepStrictEqual(yield* of(ada), [
          tenantWide("AUDITOR"),
          onPolicy("policy_1"),
          onPolicy("policy_2")
        ])
      })
    )
  )
})
