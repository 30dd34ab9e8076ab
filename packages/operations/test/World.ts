/** A tenant of its own for each test: products, people with grants, and requests in their names. */
import { type Caller, CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import type { Product } from "@quittance/domain/products/Product"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { fieldExamples, shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer, Redacted } from "effect"
import * as Wiring from "../src/Wiring.ts"
import { KeyEncryption } from "../src/tokens/KeyEncryption.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"

export const motor = shippedProduct("motor-fr")

/** The repositories that a world is made with. */
export const layerRepositories = Layer.mergeAll(
  AnonymousSessionsRepo.layer,
  FirmsRepo.layer,
  GrantsRepo.layer,
  TenantClockRepo.layer,
  TenantsRepo.layer,
  UsersRepo.layer
).pipe(
  Layer.provideMerge(Wiring.layer),
  Layer.provideMerge(ProductsRepo.layer),
  Layer.provideMerge([KeyEncryption.layerOf(new Uint8Array(32).fill(7)), OutgoingCalls.layer])
)

/** The same on a database of their own. */
export const layer = Layer.provideMerge(layerRepositories, PgTest.layer)

let count = 0

export interface World {
  readonly tenant: TenantId
  readonly firms: { readonly north: BrokerageFirmId; readonly south: BrokerageFirmId }
  readonly manager: Caller
  readonly north: Caller
  readonly south: Caller
  readonly auditor: Caller
}

/** A new tenant whose clock stands at `now`, selling the given products. */
export const make = Effect.fnUntraced(function* (
  now: Instant = at("2026-03-10T09:00:00Z"),
  products: ReadonlyArray<Product> = [motor]
) {
  const tenant = TenantId.make(`tenant-${process.pid}-${++count}`)
  const ids = yield* Ids
  const firmsRepo = yield* FirmsRepo
  const grants = yield* GrantsRepo
  const repo = yield* ProductsRepo
  const tenants = yield* TenantsRepo
  const users = yield* UsersRepo
  const clock = yield* TenantClockRepo
  const tenantSql = yield* TenantSql

  const person = Effect.fnUntraced(function* (
    name: string,
    grant: Grant,
    brokerageFirmId?: BrokerageFirmId
  ) {
    const id = ids.next("user")
    const user = { id, email: `${name}@example.test`, firstName: name, lastName: "Test" }
    yield* users.insert(
      brokerageFirmId === undefined ? user : { ...user, brokerageFirmId },
      Redacted.make("$argon2id$none")
    )
    yield* grants.give(id, grant)
    return { _tag: "User", userId: id as UserId } as const
  })

  return yield* Effect.gen(function* () {
    yield* tenants.insert(sandboxTenant(tenant, "Test"))
    yield* clock.set(now)
    for (const product of products) yield* repo.publish(product, now)
    const north = ids.next("brokerage_firm")
    const south = ids.next("brokerage_firm")
    yield* firmsRepo.insert({ id: north, name: "North", firmType: "RETAIL" })
    yield* firmsRepo.insert({ id: south, name: "South", firmType: "RETAIL" })
    const onTenant = { kind: "TENANT" } as const
    const onFirm = (brokerageFirmId: BrokerageFirmId) =>
      ({ kind: "FIRM", brokerageFirmId }) as const
    const world: World = {
      tenant,
      firms: { north, south },
      manager: yield* person("manager", { role: "TENANT_MANAGER", on: onTenant }),
      north: yield* person("north", { role: "BROKER", on: onFirm(north) }, north),
      south: yield* person("south", { role: "BROKER", on: onFirm(south) }, south),
      auditor: yield* person("auditor", { role: "AUDITOR", on: onTenant })
    }
    return world
  }).pipe(tenantSql.transaction, Effect.orDie, Effect.provideService(CurrentTenant, tenant))
})

/** A visitor's session of the tenant. */
export const visitor = Effect.fnUntraced(function* ({ tenant }: World) {
  const sessions = yield* AnonymousSessionsRepo
  const sql = yield* TenantSql
  const id = (yield* Ids).next("anonymous_session")
  const session = yield* sql
    .transaction(sessions.insert({ id, productId: undefined, lifetimeSeconds: 3600 }))
    .pipe(Effect.provideService(CurrentTenant, tenant))
  return { _tag: "Anonymous", sessionId: session.id } as const
})

export const at = (text: string): Instant => fromEpochMillis(Date.parse(text))

/** A request of its own in a user's name, with what steers commands. */
export const as =
  (
    world: World,
    caller: Caller,
    request: Partial<
      Pick<CurrentRequest["Service"], "answer" | "dryRun" | "idempotency" | "ifMatch">
    > = {}
  ) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    useCase.pipe(
      Effect.provideService(CurrentRequest, {
        id: "test",
        dryRun: false,
        address: "127.0.0.1",
        userAgent: "test",
        answer: { replayed: false },
        ...request
      }),
      Effect.provideService(CurrentCaller, caller),
      Effect.provideService(CurrentTenant, world.tenant)
    )

/** The examples that a product gives for its fields, as a form would send them. */
export const examples = fieldExamples
