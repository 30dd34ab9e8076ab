import { assert, layer } from "@effect/vitest"
import { type Scope, scopeNames, scopes } from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Customers } from "../../src/customers/Customers.ts"
import { GrantAuthority, type Right } from "../../src/access/GrantAuthority.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { client, defineDesk, desk, onFirm, onTenant, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"

const Live = Layer.merge(GrantAuthority.layer, Customers.layer).pipe(Layer.provideMerge(TestLayer))

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TenantSql, (sql) => sql.transaction(effect))

/** How an attempt to give ends: the action that is lacking, the reference that is none, or well. */
const give = (right: Right, ...grants: ReadonlyArray<Grant>) =>
  inTransaction(GrantAuthority.use((authority) => authority.requireToGive(right, grants))).pipe(
    Effect.match({
      onFailure: (error) => {
        switch (error._tag) {
          case "AuthorityExceeded":
            return `exceeds ${error.authority}`
          case "Forbidden":
            return `lacks ${error.action}`
          case "InvalidReference":
            return `no ${error.field} ${error.value}`
        }
      },
      onSuccess: () => "given"
    })
  )

const take = (right: Right, ...grants: ReadonlyArray<Grant>) =>
  inTransaction(GrantAuthority.use((authority) => authority.requireToTake(right, grants))).pipe(
    Effect.match({ onFailure: ({ action }) => `lacks ${action}`, onSuccess: () => "taken" })
  )

const onRecord = (recordId: string): Grant => ({
  role: "POLICYHOLDER",
  on: { kind: "RECORD", recordId }
})

layer(Live)("the authority to give grants", (it) => {
  it.effect("lets a broker invite to the policies of the firm and to no others", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const create = Policies.use((policies) =>
        policies.create({ productId: World.motor.productId })
      )
      const ofNorth = yield* World.as(world, world.north)(create)
      const ofSouth = yield* World.as(world, world.south)(create)
      const asNorth = World.as(world, world.north)
      assert.deepStrictEqual(
        [
          yield* asNorth(give("invitation.write", onRecord(ofNorth.id))),
          yield* asNorth(give("invitation.write", onRecord(ofSouth.id))),
          yield* asNorth(give("invitation.write", onRecord(ofNorth.id), onRecord(ofSouth.id))),
          yield* asNorth(give("permission.write", onRecord(ofNorth.id))),
          yield* World.as(world, world.auditor)(give("invitation.write", onRecord(ofNorth.id)))
        ],
        [
          "given",
          "lacks invitation.write",
          "lacks invitation.write",
          "lacks permission.write",
          "lacks invitation.write"
        ]
      )
    })
  )

  it.effect("lets a client invite to what its scopes stand for, and to no permissions", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const invite = (scopes: ReadonlyArray<Scope>, role: Grant["role"]) =>
        World.as(world, { ...client, scopes: new Set(scopes) })(
          inTransaction(
            GrantAuthority.use((authority) =>
              authority.requireToGive("invitation.write", [{ role, on: onTenant }])
            )
          ).pipe(
            Effect.match({
              onFailure: (error) => (error._tag === "Forbidden" ? error.requiredScope : error._tag),
              onSuccess: () => "given"
            })
          )
        )
      const own = scopeNames.filter((scope) => !scopes[scope].internalOnly)
      const sale = own.filter((scope) => scope !== "platform/admin")
      assert.deepStrictEqual(
        [
          yield* invite(["platform/invitations"], "POLICYHOLDER"),
          yield* invite(sale, "POLICYHOLDER"),
          yield* invite(sale, "BROKER"),
          yield* invite(own, "BROKER"),
          yield* invite(own, "FIRM_MANAGER"),
          yield* invite(own, "TENANT_MANAGER"),
          yield* invite([...own, "platform/permissions"], "TENANT_MANAGER")
        ],
        [
          "platform/policies",
          "given",
          "platform/admin",
          "given",
          "platform/permissions",
          "platform/permissions",
          "given"
        ]
      )
    })
  )

  it.effect("gives on a policy, a user or a firm, never on what hangs on them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const policy = yield* run(
        Policies.use((policies) => policies.create({ productId: World.motor.productId }))
      )
      const { customerId } = yield* run(
        Customers.use((customers) =>
          customers.addToPolicy({ policyId: policy.id }, { role: "POLICYHOLDER" })
        )
      )
      const ada = yield* person(world, [])
      const { north } = world.firms
      for (const caller of [world.manager, client]) {
        const asCaller = World.as(world, caller)
        assert.deepStrictEqual(
          [
            yield* asCaller(give("permission.write", onRecord(customerId))),
            yield* asCaller(give("permission.write", onRecord(north))),
            yield* asCaller(give("permission.write", onRecord("*"))),
            yield* asCaller(
              give(
                "permission.write",
                onRecord(policy.id),
                onRecord(ada.userId),
                { role: "BROKER", on: onFirm(north) },
                { role: "AUDITOR", on: onTenant }
              )
            )
          ],
          [`no recordId ${customerId}`, `no recordId ${north}`, "no recordId *", "given"]
        )
      }
    })
  )

  it.effect("takes what names something that has gone, as a manager of the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* defineDesk(world, ["permission.write"])
      const head = yield* person(world, [
        { role: "FIRM_MANAGER", on: onFirm(world.firms.north) },
        { role: desk, on: onFirm(world.firms.south) }
      ])
      const gone = onRecord("policy_gone")
      assert.deepStrictEqual(
        [
          yield* World.as(world, head)(take("permission.write", gone)),
          yield* World.as(world, world.manager)(take("permission.write", gone)),
          // The right alone takes nothing that contains more.
          yield* World.as(
            world,
            head
          )(take("permission.write", { role: "BROKER", on: onFirm(world.firms.south) }))
        ],
        ["lacks permission.write", "taken", "lacks policy.create"]
      )
    })
  )
})
