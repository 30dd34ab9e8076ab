import type { ProductDocument } from "@quittance/domain/products/ProductSchema"
/** Setting up the programs that price a tenant's products, as the operator does. */
import { assert, layer } from "@effect/vitest"
import { Tenant } from "@quittance/domain/tenants/Tenant"
import { InvalidProduct, type Product } from "@quittance/domain/products/Product"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { QuoteProvidersRepo } from "@quittance/persistence/products/QuoteProvidersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted, Result } from "effect"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { ProductDocuments } from "../../src/products/ProductDocuments.ts"
import { ProductVersions } from "../../src/products/ProductVersions.ts"
import { QuoteProviders, type SetQuoteProvider } from "../../src/products/QuoteProviders.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Rated from "../Rated.ts"
import * as RateServer from "../RateServer.ts"
import * as World from "../World.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  AuthorizationServerKeys.layer,
  // Whether documents can be made is judged by the tests of documents.
  ProductVersions.layer.pipe(
    Layer.provide(Layer.succeed(ProductDocuments, { faults: () => Effect.succeed([]) }))
  ),
  QuoteProvidersRepo.layer
).pipe(Layer.provideMerge(Rated.layer))

const url = "https://rates.example.test/prices"
const on = <A, E, R>(tenant: TenantId, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, CurrentTenant, tenant)
const set = (tenant: TenantId, given: SetQuoteProvider) =>
  on(
    tenant,
    QuoteProviders.use((providers) => providers.set(given))
  )
const list = (tenant: TenantId) =>
  on(
    tenant,
    QuoteProviders.use((providers) => providers.list)
  )
const remove = (tenant: TenantId, id: string) =>
  on(
    tenant,
    QuoteProviders.use((providers) => providers.remove(id))
  )
const publish = (world: World.World, product: Product) =>
  World.as(
    world,
    world.manager
  )(
    ProductVersions.use((versions) =>
      // A product is JSON.
      versions.publish(product.productId, product as unknown as ProductDocument)
    )
  )

const trail = (tenant: TenantId) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    return yield* sql<{ readonly action: string; readonly actorId: string }>`
      SELECT action, actor_id FROM audit
      WHERE tenant_id = ${tenant} AND action LIKE 'quoteProvider.%' ORDER BY recorded_at, id
    `
  })

/** A tenant that is no sandbox. */
const inProduction = Effect.gen(function* () {
  const id = TenantId.make("in-production")
  const tenant = Tenant.make({
    id,
    name: "Test",
    environment: "production",
    locale: "fr-FR",
    currency: World.motor.currency,
    timeZone: "Europe/Paris"
  })
  yield* on(
    id,
    TenantSql.use((sql) => sql.transaction(TenantsRepo.use((tenants) => tenants.insert(tenant))))
  )
  return id
})

const next = (version: string): Product => ({ ...Rated.product, version })

layer(TestLayer, { excludeTestServices: true })("a quote provider of a tenant", (it) => {
  it.effect("is refused with an address that won't do, or limits that can't hold", () =>
    Effect.gen(function* () {
      const tenant = yield* inProduction
      const reason = (url: string) =>
        Effect.map(Effect.flip(set(tenant, { id: "rates", url })), (error) =>
          error._tag === "InvalidQuoteProviderUrl" ? error.reason : error._tag
        )
      assert.strictEqual(yield* reason("http://rates.example.test/"), "SCHEME")
      assert.strictEqual(yield* reason("rates.example.test"), "FORM")
      assert.strictEqual(yield* reason("https://a:b@rates.example.test/"), "CREDENTIALS")
      const unknown = yield* Effect.flip(set(tenant, { id: "rates" }))
      assert.deepInclude(unknown, { _tag: "InvalidQuoteProviderUrl", reason: "FORM" })
      const limits = { tryTimeout: 2000, totalTimeout: 1000 }
      const upsideDown = yield* Effect.flip(set(tenant, { id: "rates", url, ...limits }))
      assert.strictEqual(upsideDown._tag, "InvalidTimeouts")
      assert.deepStrictEqual(yield* list(tenant), [])
      assert.deepStrictEqual(yield* trail(tenant), [])
      assert.strictEqual(yield* reason("http://127.0.0.1:9000/"), "SCHEME")
    })
  )

  it.effect("keeps what is not said anew, and has a key of its own for each secret", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const first = yield* set(tenant, { id: "rates", url })
      assert.match(Redacted.value(first.made!), /^[\w-]{43}$/u)
      const slower = yield* set(tenant, { id: "rates", totalTimeout: 8000 })
      assert.isUndefined(slower.made)
      assert.deepStrictEqual(slower.settings, { ...first.settings, totalTimeout: 8000 })
      const secret = Redacted.make("another secret of at least 32 letters".replaceAll(" ", "_"))
      const other = yield* set(tenant, { id: "rates", secret })
      assert.isUndefined(other.made)
      assert.notStrictEqual(other.settings.keyId, first.settings.keyId)
      const [listed] = yield* list(tenant)
      assert.deepInclude(listed, other.settings)
      assert.deepStrictEqual(
        yield* trail(tenant),
        Array.from({ length: 3 }, () => ({
          action: "quoteProvider.set",
          actorId: "quittance:operator"
        }))
      )
    })
  )

  it.effect("has a secret that can't be read in the database, nor moved to another row", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, run, world } = rated
      const sql = yield* SuperuserSql
      const [row] = yield* sql<{ readonly all: string }>`
        SELECT q::text AS all FROM quote_provider q WHERE tenant_id = ${world.tenant}
      `
      assert.notInclude(row!.all, RateServer.secret)
      assert.notInclude(row!.all, Buffer.from(RateServer.secret).toString("base64url"))
      yield* set(world.tenant, { id: "other", url: rated.rates.url })
      yield* sql`
        UPDATE quote_provider SET encrypted_secret = (
          SELECT encrypted_secret FROM quote_provider WHERE tenant_id = ${world.tenant} AND id = 'other'
        ) WHERE tenant_id = ${world.tenant} AND id = 'rates'
      `
      const exit = yield* Effect.exit(run(Quotes.use((quotes) => quotes.quote({ policyId }, {}))))
      assert.isTrue(Exit.hasDies(exit))
      assert.lengthOf(rated.rates.received, 0)
    })
  )

  it.effect("is followed at once by what asks, to another address and with another secret", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const moved = yield* RateServer.start
      const { policyId, run, world } = rated
      const calculate = run(Quotes.use((quotes) => quotes.calculate({ policyId }, {})))
      yield* calculate
      yield* set(world.tenant, { id: "rates", url: moved.url })
      yield* calculate
      assert.deepStrictEqual([rated.rates.received.length, moved.received.length], [1, 1])
      yield* set(world.tenant, { id: "rates", secret: Redacted.make("s".repeat(32)) })
      const failure = yield* Effect.flip(calculate)
      assert.deepInclude(failure, { _tag: "QuoteProviderUnavailable", reason: "BAD_SIGNATURE" })
    })
  )

  it.effect("is not set up with another key than the service's", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      yield* on(
        tenant,
        AuthorizationServerKeys.use((keys) => keys.ensure)
      )
      const other = KeyEncryption.layerOf(new Uint8Array(32).fill(8))
      const failure = yield* set(tenant, { id: "rates", url }).pipe(
        Effect.provide(Layer.provide(Layer.fresh(QuoteProviders.layer), other)),
        Effect.flip
      )
      assert.strictEqual(failure._tag, "KeyEncryptionKeyDiffers")
      assert.deepStrictEqual(yield* list(tenant), [])
    })
  )

  it.effect("has to be there before a product may name it", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const failure = yield* Effect.flip(publish(world, next("2026.2")))
      assert.instanceOf(failure, InvalidProduct)
      assert.deepStrictEqual(
        failure.faults.map(({ pointer }) => pointer),
        ["/quoteProvider/id"]
      )
      // Another tenant's is none of this one's.
      const { tenant } = yield* World.make()
      yield* set(tenant, { id: "rates", url })
      assert.strictEqual(
        (yield* Effect.flip(publish(world, next("2026.2"))))._tag,
        "InvalidProduct"
      )
      yield* set(world.tenant, { id: "rates", url })
      assert.strictEqual((yield* publish(world, next("2026.2"))).version, "2026.2")
    })
  )

  it.effect("stays while it prices what is sold, and goes when it no longer does", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { tenant } = world
      assert.strictEqual(
        (yield* Effect.flip(remove(tenant, "rates")))._tag,
        "QuoteProviderNotFound"
      )
      yield* set(tenant, { id: "rates", url })
      yield* publish(world, next("2026.2"))
      assert.deepInclude(yield* Effect.flip(remove(tenant, "rates")), {
        _tag: "QuoteProviderInUse",
        products: ["motor-fr"]
      })
      assert.lengthOf(yield* list(tenant), 1)
      yield* publish(world, { ...World.motor, version: "2026.3" })
      yield* remove(tenant, "rates")
      assert.deepStrictEqual(yield* list(tenant), [])
      assert.deepStrictEqual(
        (yield* trail(tenant)).map(({ action }) => action),
        ["quoteProvider.set", "quoteProvider.remove"]
      )
    })
  )

  it.effect("is not removed from under a product that is being published", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { tenant } = world
      yield* set(tenant, { id: "rates", url })
      const kept = yield* Deferred.make<void>()
      const published = yield* Deferred.make<void>()
      const tenantSql = yield* TenantSql
      const repo = yield* QuoteProvidersRepo
      const publishing = Effect.gen(function* () {
        assert.isTrue(yield* repo.keep("rates"))
        yield* Deferred.succeed(kept, undefined)
        yield* Deferred.await(published)
      })
      const fiber = yield* Effect.forkChild(on(tenant, tenantSql.transaction(publishing)))
      yield* Deferred.await(kept)
      const removing = yield* Effect.forkChild(Effect.result(remove(tenant, "rates")))
      const sql = yield* SuperuserSql
      const waiting = sql`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
      `
      while ((yield* waiting).length === 0);
      yield* publish(world, next("2026.2"))
      yield* Deferred.succeed(published, undefined)
      yield* Fiber.join(fiber)
      const result = yield* Fiber.join(removing)
      assert.strictEqual(Result.isFailure(result) && result.failure._tag, "QuoteProviderInUse")
      assert.lengthOf(yield* list(tenant), 1)
    })
  )
})
