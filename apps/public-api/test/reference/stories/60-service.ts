/** What needs no token, and the trail that everything before has left. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { Effect } from "effect"
import { Api, type World } from "../../Api.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

/** The seeded program gets a token for one of its scopes. */
const token = Effect.fnUntraced(function* ({ tenant }: World) {
  const { fetch } = yield* Api
  const credentials = Buffer.from(`${tenant}-integration:${tenant}-integration-secret`)
  yield* fetch(
    new Request(`http://${tenant}.auth.localhost:8080/oauth2/token`, {
      method: "POST",
      headers: {
        host: `${tenant}.auth.localhost:8080`,
        authorization: `Basic ${credentials.toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded"
      },
      body: "grant_type=client_credentials&scope=platform%2Fpolicies"
    })
  )
})

/** The document as people read it. */
const page = Effect.flatMap(Api, ({ fetch }) => fetch(new Request("http://localhost:8080/docs")))

const service = Effect.fnUntraced(function* (world: World) {
  yield* token(world)
  const visitor = by(world)
  yield* visitor.get("/errors")
  yield* visitor.get("/openapi.json")
  yield* visitor.get("/schemas/product.json")
  yield* visitor.get("/schemas/price-exchange.json")
  yield* visitor.get("/schemas/events.json")
  yield* visitor.get("/event-types")
  yield* visitor.get("/health/live")
  yield* visitor.get("/health/ready")
  yield* page
})

/** What has happened to a policy and in the tenant, placed by the worker a moment later. */
const feed = Effect.fnUntraced(function* (world: World, policyId: string) {
  yield* Effect.provideService(
    EventSequencer.use(({ sequenceBatch }) => sequenceBatch),
    CurrentTenant,
    world.tenant
  )
  const manager = by(world, world.manager)
  const { data } = yield* manager.get(`/policies/${policyId}/events?count=2`)
  yield* manager.get(`/events/${data[0].id}`)
  yield* manager.get(`/events?subject=${policyId}&types=policy.*&count=2`)
})

const trail = Effect.fnUntraced(function* (world: World, policyId: string) {
  yield* Effect.provideService(
    AuditSealer.use(({ sealBatch }) => sealBatch),
    CurrentTenant,
    world.tenant
  )
  yield* by(world, world.manager).get(`/audit?recordId=${policyId}&action=policy.update`)
})

export const story = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  yield* service(world)
  yield* trail(world, policyId)
  yield* feed(world, policyId)
})
