/**
 * Conspirators who give each other roles, define roles and take what they can, at random: together
 * they never come to more than they had.
 */
import * as Grants from "@quittance/auth/Grants"
import { assert, layer } from "@effect/vitest"
import type { BrokerageFirmId } from "@quittance/domain/Amount"
import type { UserId } from "@quittance/domain/Caller"
import { firstPartyClientId } from "@quittance/domain/Client"
import { Action, BuiltInRole, CustomRoleId, type Grant } from "@quittance/domain/Grant"
import { byArea } from "@quittance/domain/Role"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { TokenIssuer } from "@quittance/operations/TokenIssuer"
import { FirmsRepo } from "@quittance/persistence/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/GrantsRepo"
import { Ids } from "@quittance/persistence/Ids"
import { RolesRepo } from "@quittance/persistence/RolesRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { UsersRepo } from "@quittance/persistence/UsersRepo"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { call, newTenant, TestLayer } from "./Api.ts"
import { type Draws, drawsOf } from "./Draws.ts"
import { prepared } from "./Sales.ts"

const steps = 400

/** Somebody with these grants, who has signed in. */
const person = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant>) {
  const id = (yield* Ids).next("user") as UserId
  const users = yield* UsersRepo
  const repo = yield* GrantsRepo
  const user = { id, email: `${randomUUID()}@example.test`, firstName: "Mo", lastName: "Test" }
  yield* Effect.orDie(users.insert(user, Redacted.make("$argon2id$none")))
  yield* repo.giveAll(id, grants)
  const token = yield* TokenIssuer.use((issuer) => issuer.user(id, firstPartyClientId, id))
  return { id, token }
})

const firm = Effect.fnUntraced(function* (name: string, parent?: BrokerageFirmId) {
  const id = (yield* Ids).next("brokerage_firm")
  const firms = yield* FirmsRepo
  const below = parent === undefined ? {} : { parentBrokerageFirmId: parent }
  yield* Effect.orDie(firms.insert({ id, name, firmType: "RETAIL", ...below }))
  return id
})

const roleNames = ["ONE", "TWO", "THREE"].map((name) => CustomRoleId.make(`ROLE_${name}`))

/** Two firms, one with a branch of its own; people who conspire, and people who don't. */
const scene = Effect.gen(function* () {
  const roles = yield* RolesRepo
  const giver = CustomRoleId.make("GIVER")
  const actions: ReadonlyArray<Action> = ["permission.read", "permission.write", "policy.read"]
  yield* roles.put({ id: giver, name: "Gives what he has", actions })
  yield* roles.put({ id: roleNames[0]!, name: "A role", actions: ["policy.read", "audit.read"] })
  const north = yield* firm("North")
  const branch = yield* firm("North, harbour", north)
  const south = yield* firm("South")
  const onTenant = { kind: "TENANT" } as const
  const on = (brokerageFirmId: BrokerageFirmId) => ({ kind: "FIRM", brokerageFirmId }) as const
  const conspirators = [
    yield* person([{ role: "FIRM_MANAGER", on: on(north) }]),
    yield* person([{ role: giver, on: onTenant }]),
    yield* person([
      { role: "BROKER", on: on(south) },
      { role: giver, on: on(south) }
    ]),
    yield* person([])
  ]
  const others = [
    yield* person([{ role: "TENANT_MANAGER", on: onTenant }]),
    yield* person([{ role: "AUDITOR", on: onTenant }]),
    yield* person([{ role: roleNames[0]!, on: on(south) }])
  ]
  return { conspirators, others, firms: { north, branch, south } }
})
type Scene = Effect.Success<typeof scene>

/** Every place where an action may hold: the tenant, a firm with those above it, a record. */
const placesOf = ({ firms: { branch, north, south }, ...people }: Scene, policyId: string) => {
  const all = [...people.conspirators, ...people.others]
  return {
    tenant: Grants.tenantWide,
    north: { firms: [north], records: [] },
    branch: { firms: [branch, north], records: [] },
    south: { firms: [south], records: [] },
    policy: { firms: [], records: [policyId] },
    ...Object.fromEntries(
      all.map(({ id }, index) => [`user ${index}`, { firms: [], records: [id] }])
    )
  }
}

/** What the conspirators may do together, as `place action`. */
const powersOf = Effect.fnUntraced(function* (scene: Scene, policyId: string) {
  const repo = yield* GrantsRepo
  const held = (yield* Effect.forEach(scene.conspirators, ({ id }) => repo.heldBy(id))).flat()
  return new Set(
    Object.entries(placesOf(scene, policyId)).flatMap(([place, target]) =>
      Action.literals
        .filter((action) => Grants.allows(held, action, target))
        .map((action) => `${place} ${action}`)
    )
  )
})

/** A request of one of them: somebody's permissions, or a role. */
const attempt = Effect.fnUntraced(function* (scene: Scene, policyId: string, draws: Draws) {
  const repo = yield* GrantsRepo
  const { firms } = scene
  const everybody = [...scene.conspirators, ...scene.others]
  const { token } = draws.pick(scene.conspirators)
  const drawnGrant = () => ({
    role: draws.pick<string>([...BuiltInRole.literals, ...roleNames, "GIVER"]),
    on: draws.pick<object>([
      { kind: "TENANT" },
      ...Object.values(firms).map((brokerageFirmId) => ({ kind: "FIRM", brokerageFirmId })),
      { kind: "RECORD", recordId: policyId },
      { kind: "RECORD", recordId: draws.pick(everybody).id }
    ])
  })
  if (draws.chance(0.3)) {
    const actions = byArea(Action.literals.filter(() => draws.chance(draws.pick([0.05, 0.9]))))
    const path = `/permissions/roles/${draws.pick([...roleNames, "GIVER"])}`
    return draws.chance(0.2)
      ? { token, path, method: "DELETE", body: undefined }
      : { token, path, method: "PUT", body: { name: "Drawn", actions } }
  }
  const whom = draws.pick(everybody).id
  const kept = (yield* repo.of(whom)).filter(() => draws.chance(0.9))
  const added = Array.from({ length: draws.below(3) }, drawnGrant)
  const path = `/admin/users/${whom}/permissions`
  return { token, path, method: "PUT", body: { permissions: [...kept, ...added] } }
})

const TestedLayer = Layer.mergeAll(FirmsRepo.layer, GrantsRepo.layer, RolesRepo.layer).pipe(
  Layer.provideMerge(TestLayer)
)

// Real time: the database dates sessions by its own clock.
layer(TestedLayer, { excludeTestServices: true })("people who conspire", (it) => {
  for (const seed of [1, 2, 3]) {
    it.effect(`never come to more than they had, in ${steps} steps drawn from ${seed}`, () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { tenant } = world
        const { policyId } = yield* prepared(world, world.session)
        const sql = yield* TenantSql
        const inTenant = Effect.provideService(CurrentTenant, tenant)
        const made = yield* inTenant(sql.transaction(scene))
        const before = yield* inTenant(powersOf(made, policyId))
        const draws = drawsOf(seed)
        const answers = new Map<number, number>()
        for (let step = 0; step < steps; step++) {
          const { path, ...request } = yield* inTenant(attempt(made, policyId, draws))
          const { status } = yield* call(path, { tenant, ...request })
          answers.set(status, (answers.get(status) ?? 0) + 1)
          if (status >= 400) continue
          const after = yield* inTenant(powersOf(made, policyId))
          const gained = [...after].filter((power) => !before.has(power))
          assert.deepStrictEqual(gained, [], `step ${step}: ${JSON.stringify(request)} ${path}`)
        }
        // They did get something done, and were refused far more.
        assert.isAbove(answers.get(200) ?? 0, 10)
        assert.isAbove(answers.get(403) ?? 0, steps / 4)
        assert.isBelow(Math.max(...answers.keys()), 500)
      })
    )
  }
})
