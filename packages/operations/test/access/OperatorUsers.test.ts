import { assert, layer } from "@effect/vitest"
import type { GivenGrant } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { Accounts } from "../../src/access/Accounts.ts"
import { operator } from "../../src/requests/Actor.ts"
import { type Appointment, OperatorUsers } from "../../src/access/OperatorUsers.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { desk, onFirm, onTenant, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(Accounts.layer, OperatorUsers.layer).pipe(
  Layer.provideMerge(TestLayer),
  Layer.provide(KeyEncryption.layerOf(new Uint8Array(32).fill(7)))
)

const ada = { email: "Ada@Example.test", firstName: "Ada", lastName: "Byron" }
const appoint = (tenant: World.World, appointment: Appointment) =>
  OperatorUsers.use((appointments) => appointments.appoint(appointment)).pipe(
    Effect.provideService(CurrentTenant, tenant.tenant)
  )
const manager = { ...ada, role: "TENANT_MANAGER" } as const

layer(Live)("appointing a user from beside the service", (it) => {
  it.effect("refuses a role or a firm that is not there, and makes no user then", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const missing = `brokerage_firm_test_${alphabet.slice(0, suffixLength)}` as BrokerageFirmId
      const wrong: ReadonlyArray<readonly [Appointment, string, string]> = [
        [{ ...ada, role: desk }, "role", desk],
        [{ ...manager, brokerageFirmId: missing }, "brokerageFirmId", missing],
        [{ ...manager, brokerageFirmId: other.firms.north }, "brokerageFirmId", other.firms.north]
      ]
      for (const [appointment, field, value] of wrong) {
        const error = yield* Effect.flip(appoint(world, appointment))
        if (error._tag !== "InvalidReference") assert.fail(error._tag)
        assert.deepStrictEqual([error.field, error.value], [field, value])
      }
      const { user } = yield* appoint(world, manager)
      assert.strictEqual((yield* Effect.flip(appoint(world, manager)))._tag, "EmailTaken")
      const superuser = yield* PgTest.SuperuserSql
      const rows = yield* superuser`
        SELECT id, status FROM app_user WHERE tenant_id = ${world.tenant} AND email LIKE 'ada@%'
      `
      assert.deepStrictEqual(rows, [{ id: user.id, status: "INVITED" }])
    })
  )

  it.effect("gives him the role and a link for his password, and is on record", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north } = world.firms
      const cases: ReadonlyArray<readonly [Appointment, GivenGrant]> = [
        [manager, { role: "TENANT_MANAGER", on: onTenant }],
        [
          { ...ada, email: "b@x.test", role: "FIRM_MANAGER", brokerageFirmId: north },
          { role: "FIRM_MANAGER", on: onFirm(north) }
        ]
      ]
      for (const [appointment, grant] of cases) {
        const { token, user } = yield* appoint(world, appointment)
        assert.strictEqual(user.brokerageFirmId, appointment.brokerageFirmId)
        const inTenant = Effect.provideService(CurrentTenant, world.tenant)
        const held = yield* inTenant(GrantsRepo.use((grants) => grants.of(user.id)))
        assert.deepStrictEqual(held, [grant])
        const password = Redacted.make("nine cranes over the harbour")
        const accepted = yield* inTenant(
          Accounts.use((accounts) => accounts.accept(token, { password }, "192.0.2.1"))
        )
        assert.deepStrictEqual([accepted.id, accepted.status], [user.id, "ACTIVE"])

        const superuser = yield* PgTest.SuperuserSql
        const records = yield* superuser`
          SELECT actor_id, action FROM audit
          WHERE tenant_id = ${world.tenant} AND record_id = ${user.id} AND actor_id LIKE '%:operator'
          ORDER BY recorded_at
        `
        const actorId = operator._tag === "Client" ? operator.clientId : ""
        assert.deepStrictEqual(records, [
          { actorId, action: "user.create" },
          { actorId, action: "permission.replace" }
        ])
      }
    })
  )
})
