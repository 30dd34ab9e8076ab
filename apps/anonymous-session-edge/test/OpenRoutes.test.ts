/** Every route without a token, for every tenant that a request can name and whatever stands for a token. */
import { assert, layer } from "@effect/vitest"
import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import {
  expectedOpen,
  openRoutesOf,
  type OpenRoute
} from "@quittance/contract/api/PermissionMatrix"
import { Tenant } from "@quittance/domain/tenants/Tenant"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { Product } from "@quittance/domain/products/Product"
import * as HttpApp from "@quittance/http/HttpApp"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Context, Effect, Layer, References } from "effect"
import { HttpEffect } from "effect/http"
import { Routes } from "../src/Routes.ts"
import { fileForm, sealedText } from "./FileForm.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import * as Targets from "@quittance/persistence/targets"

const motor = shippedProduct("motor-fr")

class Server extends Context.Service<
  Server,
  { readonly fetch: (request: Request) => Effect.Effect<Response> }
>()("@quittance/anonymous-session-edge/test/OpenRoutes/Server") {
  static readonly layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const app = yield* HttpApp.make(Routes)
      const handler = HttpEffect.toWebHandler(
        Effect.provideService(app, References.MinimumLogLevel, "Error")
      )
      return Server.of({ fetch: (request) => Effect.promise(() => handler(request)) })
    })
  )
}

const acme = TenantId.make("acme")
const globex = TenantId.make("globex")

/** Two tenants; each sells a product that the other doesn't. */
const seeded = Layer.effectDiscard(
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const products = yield* ProductsRepo
    for (const id of [acme, globex]) {
      const tenant = Tenant.make({
        id,
        name: id,
        environment: "sandbox",
        locale: "fr-FR",
        currency: motor.currency,
        timeZone: "Europe/Paris"
      })
      const product = { ...motor, productId: Product.fields.productId.make(`motor-${id}`) }
      yield* sandbox.seedTenant(tenant, products.publish(product, fromEpochMillis(0)))
      yield* AuthorizationServerKeys.use((keys) => keys.ensure).pipe(
        Effect.provideService(CurrentTenant, id)
      )
    }
  })
)

const TestLayer = Layer.merge(seeded, Server.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Sandbox.layer, TokenIssuer.layer)),
  Layer.provideMerge([AuthorizationServerKeys.layer, ProductsRepo.layer, Targets.layer]),
  Layer.provideMerge(
    Issuers.layerOf("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
  ),
  Layer.provideMerge(KeyEncryption.layerOf(new Uint8Array(32).fill(7))),
  Layer.provideMerge(PgTest.layer)
)

const tenants = { OWN: acme, OTHER: globex, UNKNOWN: "nowhere", MALFORMED: "-", ABSENT: undefined }
const products = { OWN: "motor-acme", FOREIGN: "motor-globex", MISSING: "motor-nowhere" }
type Tenancy = keyof typeof tenants
type Named = keyof typeof products

/** Whose product it is depends on who is asked. */
const records = (tenancy: Tenancy): Record<Named, string> =>
  tenancy === "OTHER" ? { ...products, OWN: products.FOREIGN, FOREIGN: products.OWN } : products

const routes = openRoutesOf(EdgeApi)

/** Of a seal that is none it is told that it does not hold. */
const verified = fileForm(sealedText)

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("a route without a token", (it) => {
  const asked = Effect.fnUntraced(function* (
    route: OpenRoute,
    tenancy: Tenancy,
    record: Named,
    authorization: string | undefined
  ) {
    const { fetch } = yield* Server
    const path = route.path.replace(/:\w+/gu, records(tenancy)[record])
    const tenant = tenants[tenancy]
    const response = yield* fetch(
      new Request(`http://localhost:8080${path}`, {
        method: route.method,
        headers: {
          ...(tenant === undefined ? {} : { tenant }),
          ...(authorization === undefined ? {} : { authorization }),
          ...(route.id === "certificates.verify" ? verified.headers : {})
        },
        ...(route.id === "certificates.verify" ? { body: verified.body } : {})
      })
    )
    const body = yield* Effect.promise(() => response.json() as Promise<{ readonly code?: string }>)
    return { status: response.status, ...(body.code === undefined ? {} : { code: body.code }) }
  })

  for (const route of routes) {
    it.effect(`answers by the tenant alone: ${route.method} ${route.path}`, () =>
      Effect.gen(function* () {
        const genuine = yield* TokenIssuer.use((issuer) =>
          issuer.client(ClientId.make("acme-integration"), "platform/policies")
        ).pipe(Effect.provideService(CurrentTenant, acme))
        const tokens = [undefined, "Bearer x.y.z", `Bearer ${genuine}`, "Basic eDp5"]
        const names: ReadonlyArray<Named> =
          route.parameter === undefined ? ["OWN"] : ["OWN", "FOREIGN", "MISSING"]
        // Object.keys forgets the literal types of a constant record.
        for (const tenancy of Object.keys(tenants) as ReadonlyArray<Tenancy>) {
          for (const record of names) {
            for (const token of tokens) {
              assert.deepStrictEqual(
                yield* asked(route, tenancy, record, token),
                expectedOpen(route, { tenancy, record }),
                `${tenancy} ${record} ${token}`
              )
            }
          }
        }
      })
    )
  }
})
