import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { ClientId } from "@quittance/domain/requests/Caller"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Passwords } from "../../src/tokens/Passwords.ts"
import { integrationScopes, password, Sandbox, usersOf } from "../../src/provisioning/Sandbox.ts"
import { Tenants } from "../../src/provisioning/Tenants.ts"
import * as Authorization from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  ClientsRepo.layer,
  GrantsRepo.layer,
  Passwords.layer,
  Tenants.layer,
  TenantsRepo.layer,
  UsersRepo.layer
).pipe(Layer.provideMerge(Authorization.TestLayer))

const count = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    const [row] = yield* tenantSql.read(
      sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)}`
    )
    return row!.n
  })

layer(TestLayer)("Sandbox.seedTenant", (it) => {
  it.effect("makes nothing at all when a part of it fails", () =>
    Effect.gen(function* () {
      const tenant = sandboxTenant()
      const sandbox = yield* Sandbox
      const error = yield* Effect.flip(
        sandbox.seedTenant(tenant, Effect.fail("no products" as const))
      )
      assert.strictEqual(error, "no products")
      assert.isUndefined(yield* TenantsRepo.use((repo) => repo.find(tenant.id)))
    })
  )

  it.effect("makes everything once, however many processes start at once", () =>
    Effect.gen(function* () {
      const tenant = sandboxTenant()
      const sandbox = yield* Sandbox
      let extra = 0
      const seed = sandbox.seedTenant(
        tenant,
        Effect.sync(() => void extra++)
      )
      yield* Effect.all([seed, seed, seed], { concurrency: "unbounded" })
      yield* seed
      const counts = yield* Effect.all(
        ["client", "app_user", "brokerage_firm", "permission_grant"].map(count)
      ).pipe(Effect.provideService(CurrentTenant, tenant.id))
      assert.deepStrictEqual([extra, ...counts], [1, 4, 4, 2, 4])
    })
  )

  it.effect(
    "lets the users sign in with the password that is printed, and gives them their roles",
    () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          const tenant = yield* CurrentTenant
          const users = yield* UsersRepo
          const passwords = yield* Passwords
          const roles = yield* Effect.forEach(usersOf(tenant), (email) =>
            Effect.gen(function* () {
              const login = yield* users.findLogin(email)
              assert.isTrue(yield* passwords.verify(Redacted.make(password), login?.passwordHash))
              const grants = yield* GrantsRepo.use((repo) => repo.of(login!.id))
              return grants.map(({ on, role }) => `${role} on ${on.kind}`)
            })
          )
          assert.deepStrictEqual(roles, [
            ["TENANT_MANAGER on TENANT"],
            ["BROKER on FIRM"],
            ["BROKER on FIRM"],
            ["AUDITOR on TENANT"]
          ])
        })
      )
  )

  it.effect("gives integration clients neither administration nor internal scopes", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const clients = yield* ClientsRepo
        const found = yield* clients.find(ClientId.make(`${tenant}-integration`))
        assert.deepStrictEqual(found?.client.scopes, integrationScopes)
        assert.strictEqual(integrationScopes.length, 20)
        for (const scope of [
          "platform/admin",
          "platform/metrics",
          "platform/permissions"
        ] as const) {
          assert.notInclude(integrationScopes, scope)
        }
      })
    )
  )
})

layer(TestLayer)("Tenants.create", (it) => {
  it.effect("refuses a tenant that exists", () =>
    Effect.gen(function* () {
      const tenants = yield* Tenants
      const tenant = sandboxTenant()
      yield* tenants.create(tenant)
      const error = yield* Effect.flip(tenants.create(tenant))
      assert.strictEqual(error.tenant, tenant.id)
    })
  )

  it.effect("shows the administrator's secret once and stores only its hash", () =>
    Effect.gen(function* () {
      const tenant = sandboxTenant()
      const { clientId, clientSecret } = yield* Tenants.use((tenants) => tenants.create(tenant))
      assert.strictEqual(clientId, `${tenant.id}-admin`)
      const found = yield* ClientsRepo.use((repo) => repo.find(clientId)).pipe(
        Effect.provideService(CurrentTenant, tenant.id)
      )
      assert.deepStrictEqual(found?.client.scopes, ["platform/admin"])
      assert.notInclude(JSON.stringify(found), Redacted.value(clientSecret))
      assert.match(Redacted.value(clientSecret), /^[A-Za-z0-9_-]{43}$/u)
    })
  )
})
