/** Which databases a program of which environment may serve. */
import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer } from "effect"
import { guard } from "../../src/tenants/EnvironmentGuard.ts"
import { CurrentTenant, type Environment } from "@quittance/domain/requests/Tenancy"

const TestLayer = () => Layer.fresh(Layer.provideMerge(TenantsRepo.layer, PgTest.layer))

const guarded = (environment: Environment) =>
  guard.pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ENVIRONMENT: environment }))),
    Effect.match({ onFailure: (error) => error.message, onSuccess: () => "starts" })
  )

const add = Effect.fnUntraced(function* (environment: Environment) {
  const tenant = { ...sandboxTenant(), environment }
  const repo = yield* TenantsRepo
  yield* TenantSql.use((sql) => sql.transaction(repo.insert(tenant))).pipe(
    Effect.provideService(CurrentTenant, tenant.id)
  )
  return tenant.id
})

const all = ["production", "sandbox", "development"] as const

layer(TestLayer(), { excludeTestServices: true })("an empty database", (it) => {
  it.effect.each(all)("is for any environment: %s", (environment) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* guarded(environment), "starts")
    })
  )

  it.effect("is for any, also before it is migrated", () =>
    Effect.gen(function* () {
      const owner = yield* PgTest.OwnerSql
      yield* owner`ALTER TABLE tenant RENAME TO tenant_of_later`
      for (const environment of all) assert.strictEqual(yield* guarded(environment), "starts")
      yield* owner`ALTER TABLE tenant_of_later RENAME TO tenant`
    })
  )
})

layer(TestLayer(), { excludeTestServices: true })("a database of production", (it) => {
  it.effect("is for production alone", () =>
    Effect.gen(function* () {
      const id = yield* add("production")
      assert.strictEqual(yield* guarded("production"), "starts")
      for (const environment of ["sandbox", "development"] as const) {
        assert.include(yield* guarded(environment), `tenants of production (${id})`)
      }
    })
  )
})

layer(TestLayer(), { excludeTestServices: true })("a database of a sandbox", (it) => {
  it.effect("is for whatever is no production, which is told how to empty it", () =>
    Effect.gen(function* () {
      const [first] = [yield* add("sandbox"), yield* add("development")].sort()
      assert.strictEqual(yield* guarded("sandbox"), "starts")
      assert.strictEqual(yield* guarded("development"), "starts")
      const refused = yield* guarded("production")
      assert.include(refused, `\`quittance admin tenants remove ${first}\``)
    })
  )
})
