/** What the directory of tenants asks the database for, counted. */
import { assert, describe, it } from "@effect/vitest"
import { Tenant } from "@quittance/domain/tenants/Tenant"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TenantDirectory } from "../../src/tenants/TenantDirectory.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const acme = Tenant.make({
  id: TenantId.make("acme"),
  name: "Acme",
  environment: "sandbox",
  locale: "fr-FR",
  currency: "EUR" as Tenant["currency"],
  timeZone: "Europe/Paris"
})

/** A directory over these tenants, and the names that it has asked the database for. */
const directory = () => {
  const asked: Array<string> = []
  const tenants = new Map<string, Tenant>([["acme", acme]])
  const repo = Layer.mock(TenantsRepo, {
    enabled: (id: TenantId) =>
      Effect.sync(() => {
        asked.push(id)
        return tenants.get(id)
      })
  })
  const layer = Layer.effect(TenantDirectory, TenantDirectory.make).pipe(Layer.provide(repo))
  return { asked, tenants, layer }
}

describe("the directory of tenants", () => {
  it.effect("asks once a second for a tenant that isn't there, however often it is named", () => {
    const { asked, layer, tenants } = directory()
    return Effect.gen(function* () {
      const { find } = yield* TenantDirectory
      const unknown = TenantId.make("unknown")
      for (let times = 0; times < 100; times++) assert.isUndefined(yield* find(unknown))
      assert.deepStrictEqual(asked, ["unknown"])
      tenants.set("unknown", { ...acme, id: unknown })
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* find(unknown))?.id, unknown)
      assert.deepStrictEqual(asked, ["unknown", "unknown"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("forgets no tenant for made-up names, and keeps so many of those", () => {
    const { asked, layer } = directory()
    return Effect.gen(function* () {
      const { find } = yield* TenantDirectory
      yield* find(acme.id)
      for (let index = 0; index <= 10_000; index++) yield* find(TenantId.make(`no-${index}`))
      asked.length = 0
      yield* find(acme.id)
      yield* find(TenantId.make("no-10000"))
      assert.deepStrictEqual(asked, [])
      // The first of them was pushed out.
      yield* find(TenantId.make("no-0"))
      assert.deepStrictEqual(asked, ["no-0"])
    }).pipe(Effect.provide(layer))
  })
})
