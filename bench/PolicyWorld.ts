/** A tenant with one policy, sold as real ones are, on a database of its own. */
import { CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import type { Product } from "@quittance/domain/products/Product"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Assets } from "@quittance/operations/assets/Assets"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Customers } from "@quittance/operations/customers/Customers"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Policies } from "@quittance/operations/policies/Policies"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as TestServer from "@quittance/testing/TestServer"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { fieldExamples, shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import * as Wiring from "@quittance/operations/Wiring"

export const tenant = TenantId.make("bench")
export const keyEncryptionKey = Buffer.alloc(32, 7)
export const authUrl = "http://{tenant}.auth.localhost:8080"
export const baseUrl = "http://localhost:8080"

export const motor = shippedProduct("motor-fr")

const layer = (runtime: SqlClient.SqlClient) =>
  Layer.mergeAll(
    Assets.layer,
    Customers.layer,
    Policies.layer,
    Quotes.layer,
    Sales.layer,
    Sandbox.layer,
    TokenIssuer.layer,
    UsersRepo.layer
  ).pipe(
    Layer.provide(Wiring.layer),
    Layer.provideMerge([AuthorizationServerKeys.layer, ProductsRepo.layer]),
    Layer.provide(KeyEncryption.layerOf(keyEncryptionKey)),
    Layer.provide(Issuers.layerOf(authUrl, baseUrl)),
    Layer.provideMerge([Ids.layer, TenantSql.layer]),
    Layer.provide(OutgoingCalls.layer),
    Layer.provideMerge(Sql.succeed(runtime))
  )

/** A policy in force, sold through the use cases that sell real ones. */
const sell = Effect.fnUntraced(function* (product: Product, startedAt: Instant | undefined) {
  const policies = yield* Policies
  const { id: policyId } = yield* policies.create({
    productId: product.productId,
    ...(startedAt === undefined ? {} : { startedAt }),
    customFields: fieldExamples(product.fields.policy)
  })
  const customers = yield* Customers
  const { customerId } = yield* customers.addToPolicy(
    { policyId },
    {
      role: "POLICYHOLDER",
      name: "Camille",
      customFields: fieldExamples(product.fields.customer, "POLICYHOLDER")
    }
  )
  yield* Assets.use((assets) =>
    assets.addToPolicy({ policyId }, { customFields: fieldExamples(product.fields.asset) })
  )
  yield* Quotes.use((quotes) => quotes.quote({ policyId }, {}))
  yield* customers.confirm({ customerId })
  const sales = yield* Sales
  yield* sales.confirm({ policyId })
  const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
  const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const
  yield* sales.sign({ policyId }, { signer, consent })
  return policyId
})

const request = {
  id: "bench",
  dryRun: false,
  address: "127.0.0.1",
  userAgent: "bench",
  answer: { replayed: false }
}

/** As an installation of many policies would set it; the rest is as tests have it. */
const roomy = ["shared_buffers=4GB", "max_wal_size=8GB", "autovacuum=on"]

const world = Effect.fn("PolicyWorld.world")(function* (
  startedAt: Instant | undefined,
  product: Product
) {
  const database = yield* TestServer.database(yield* TestServer.startWith(roomy))
  const services = yield* Layer.build(layer(yield* Sql.pool(database.url, runtimeRole)))
  const selling = Effect.gen(function* () {
    const products = yield* ProductsRepo
    const published = products.publish(product, fromEpochMillis(Date.now()))
    yield* Sandbox.use((sandbox) => sandbox.seedTenant(sandboxTenant(tenant), published))
    yield* AuthorizationServerKeys.use((keys) => keys.ensure)
    const login = yield* UsersRepo.use((users) => users.findLogin(`north@${tenant}.test`))
    // The identifier of a person who signs in is a user's.
    const userId = login!.id as UserId
    const policyId = yield* Effect.provideService(sell(product, startedAt), CurrentCaller, {
      _tag: "User",
      userId
    })
    const issuer = yield* TokenIssuer
    return { policyId, token: yield* issuer.user(userId, firstPartyClientId, randomUUID()) }
  })
  const sold = yield* selling.pipe(
    Effect.provideService(CurrentRequest, request),
    Effect.provideService(CurrentTenant, tenant),
    Effect.provideContext(services)
  )
  return { database, ...sold }
})

/**
 * A database with one policy in force, and the token of the broker who sold it. Its cover begins at the
 * next midnight, or at an instant that is over; then its first invoice is issued, too.
 */
export const make = (startedAt?: Instant, product: Product = motor) =>
  Effect.provide(world(startedAt, product), Reactivity.layer)
