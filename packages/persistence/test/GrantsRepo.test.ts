import { assert, layer } from "@effect/vitest"
import type { BrokerageFirmId } from "@quittance/domain/Amount"
import { ClientId, CurrentCaller } from "@quittance/domain/Caller"
import type { Grant } from "@quittance/domain/Grant"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { FirmsRepo } from "../src/FirmsRepo.ts"
import { GrantsRepo } from "../src/GrantsRepo.ts"
import { TenantSql } from "../src/TenantSql.ts"
import { addFirm, addUser, as, give, inTenant, TestLayer } from "./People.ts"

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
})
