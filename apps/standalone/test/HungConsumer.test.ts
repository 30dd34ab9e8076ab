/** Consumers that hang, in the process and on the connections that they share with billing. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import type { EventConsumer } from "@quittance/operations/events/EventConsumers"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Deferred, Effect, FileSystem, Layer, Ref, Schedule } from "effect"
import * as Clones from "../../../packages/operations/test/Clones.ts"
import * as SoldPolicies from "../../../packages/operations/test/SoldPolicies.ts"
import * as World from "../../../packages/operations/test/World.ts"
import * as jobs from "../src/jobs.ts"

const settings = ConfigProvider.layer(
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()),
    (folder) =>
      ConfigProvider.fromUnknown({
        MAIL_DIR: folder,
        BILLING_POLL_INTERVAL: "20 millis",
        AUDIT_POLL_INTERVAL: "20 millis",
        EVENT_POLL_INTERVAL: "20 millis"
      })
  )
)

const TestLayer = jobs.layer.pipe(
  Layer.provideMerge(Issuers.layerOf("https://{tenant}.auth.test", "https://api.test")),
  Layer.provideMerge(SoldPolicies.layer),
  Layer.provide(settings),
  Layer.provideMerge(NodeServices.layer)
)

const policies = 60
const hanging = ["first", "second", "third"]

/** What of a tenant is not invoiced, sealed, or placed. */
const left = Effect.fnUntraced(function* ({ tenant }: World.World) {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly due: number; readonly rest: number }>`
    SELECT (SELECT count(*)::int FROM policy p WHERE tenant_id = ${tenant} AND NOT EXISTS (
        SELECT FROM invoice i WHERE i.tenant_id = p.tenant_id AND i.policy_id = p.id)) AS due,
      (SELECT count(*)::int FROM audit_pending WHERE tenant_id = ${tenant})
        + (SELECT count(*)::int FROM event_pending WHERE tenant_id = ${tenant}) AS rest
  `
  return row!
})

const schedule = Schedule.spaced("20 millis")

layer(TestLayer, { excludeTestServices: true })(
  "consumers that hang in their transactions",
  (it) => {
    it.effect("hold up no invoice of their own tenant, no seal, and no other consumer", () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const { policyId } = yield* SoldPolicies.signed(world)
        const mayGoOn = yield* Deferred.make<void>()
        const stuck = yield* Ref.make(0)
        const heard = yield* Ref.make(0)
        const hung = hanging.map((name): EventConsumer => ({
          name,
          handle: () =>
            Ref.update(stuck, (count) => count + 1).pipe(Effect.andThen(Deferred.await(mayGoOn)))
        }))
        const other: EventConsumer = {
          name: "other",
          handle: (events) => Ref.update(heard, (count) => count + events.length)
        }
        const running = yield* Effect.forkScoped(jobs.run([...hung, other]))
        yield* Effect.repeat(Ref.get(stuck), {
          until: (count) => count === hanging.length,
          schedule
        })
        const before = yield* Ref.get(heard)

        yield* Clones.make(world, policyId, policies - 1)
        assert.strictEqual((yield* left(world)).due, policies)
        yield* Clones.onRealTime(world)
        yield* Effect.repeat(left(world), { until: ({ due, rest }) => due + rest === 0, schedule })
        yield* Effect.repeat(Ref.get(heard), { until: (count) => count > before, schedule })

        // Each is still in the batch that it was in: what was waited for happened beside them.
        assert.strictEqual(yield* Ref.get(stuck), hanging.length)
        assert.isUndefined(running.pollUnsafe())
        yield* Deferred.succeed(mayGoOn, undefined)
      }).pipe(Effect.scoped)
    )
  }
)
