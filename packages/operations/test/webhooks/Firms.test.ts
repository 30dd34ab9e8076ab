/** Endpoints that are bound to a brokerage firm hear of it and of its policies, and of no other's. */
import { assert, layer } from "@effect/vitest"
import { documentHappening } from "@quittance/domain/documents/DocumentEvents"
import { PatchPolicy } from "@quittance/domain/policies/PolicyRequests"
import type { BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Ids } from "@quittance/persistence/sql/Ids"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Effect, Layer } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { WebhookReplays } from "../../src/webhooks/WebhookReplays.ts"
import * as Feeds from "../Feeds.ts"
import { timed } from "../MovedClock.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

/** A policy of a firm with a document that is there, and a change of the firm itself. */
const happened = Effect.fnUntraced(function* (world: World.World, brokerageFirm: BrokerageFirmId) {
  const opened = { productId: World.motor.productId, brokerageFirm }
  const { id: policyId } = yield* World.as(
    world,
    world.manager
  )(Policies.use(({ create }) => create(opened)))
  const documentId = (yield* Ids).next("document")
  yield* told(policyId, documentId, brokerageFirm).pipe(
    Feeds.transaction,
    Effect.provideService(CurrentTenant, world.tenant)
  )
  return [policyId, documentId, brokerageFirm]
})

const told = (
  policyId: PolicyId,
  id: Parameters<typeof documentHappening>[1]["id"],
  brokerageFirmId: BrokerageFirmId
) =>
  EventsRepo.use((events) =>
    events.insertOfRecords([
      documentHappening("document.ready", { id, kind: "CONTRACT", policyId }),
      { kind: "firm.update", subject: brokerageFirmId, payload: { brokerageFirmId } }
    ])
  )

const TestLayer = Layer.mergeAll(Contracts.layerUseCases, WebhookReplays.layer).pipe(
  Layer.provideMerge(Endpoints.layer)
)

layer(TestLayer, { excludeTestServices: true })("an endpoint of a firm", (it) => {
  it.effect("is told of the firm, its policies and their documents, and once more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const receiver = yield* Receiver.start
      const { north, south } = world.firms
      const made = yield* Endpoints.add(world, {
        url: receiver.url,
        types: ["*"],
        brokerageFirmId: north
      })
      const own = yield* happened(world, north)
      yield* happened(world, south)
      yield* Endpoints.happen(world, "other")
      yield* Endpoints.deliver
      const subjects = () => [...new Set(receiver.received.map(({ subject }) => subject))]
      assert.sameMembers(subjects(), own)
      const { length } = receiver.received
      yield* World.as(
        world,
        world.manager
      )(WebhookReplays.use((replays) => replays.start(made.id, { from: 0 })))
      yield* Endpoints.deliver
      assert.sameMembers(subjects(), own)
      assert.lengthOf(receiver.received, 2 * length)
    }).pipe(Effect.scoped, timed)
  )

  it("may go by the firm that a policy has now, since none comes to another one", () => {
    // `isOfFirm` asks for the firm of today. A policy that gets another one would take along what was before.
    assert.notProperty(PatchPolicy.fields, "brokerageFirm")
  })
})
