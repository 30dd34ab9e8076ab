import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import {
  EnvironmentMismatch,
  mayShareDatabase,
  runningEnvironment
} from "../../src/tenants/RunningEnvironment.ts"
import { TenantId } from "../../src/requests/Tenancy.ts"

const read = (variables: Record<string, string>) =>
  Effect.provide(runningEnvironment, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
const database = { DATABASE_URL: "postgres://quittance@db.example.com/quittance" }

describe("the environment of a program", () => {
  it.effect("is a sandbox where nothing is said and the database is its own", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* read({}), "sandbox")
    })
  )

  it.effect.each(["production", "sandbox", "development"])("is %s where that is said", (said) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* read({ ...database, ENVIRONMENT: said }), said)
      assert.strictEqual(yield* read({ ENVIRONMENT: said }), said)
    })
  )

  it.effect.each([
    database,
    { ...database, ENVIRONMENT: "" },
    { ...database, ENVIRONMENT: "prod" },
    { ENVIRONMENT: "Production" }
  ])("is never guessed on a database that was there before: %o", (variables) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(variables))
      assert.include(String(error), "Expected production, sandbox or development")
      assert.include(String(error), "ENVIRONMENT")
    })
  )

  it("keeps production apart from all else", () => {
    assert.isTrue(mayShareDatabase("production", "production"))
    assert.isTrue(mayShareDatabase("sandbox", "development"))
    assert.isFalse(mayShareDatabase("production", "sandbox"))
    assert.isFalse(mayShareDatabase("development", "production"))
  })

  it("says which command removes what is in the way, and names a few of many", () => {
    const [first, ...others] = ["acme", "beta", "gamma", "delta", "epsilon", "zeta"].map((id) =>
      TenantId.make(id)
    )
    const tenants = [first!, ...others] as const
    const inProduction = new EnvironmentMismatch({ environment: "production", tenants })
    assert.include(inProduction.message, "`quittance admin tenants remove acme`")
    assert.include(inProduction.message, "(acme, beta, gamma, delta, epsilon, …)")
    const { message } = new EnvironmentMismatch({ environment: "sandbox", tenants: [first!] })
    assert.include(message, "tenants of production (acme)")
    assert.include(message, "ENVIRONMENT=production")
  })
})
