/**
 * Conspirators who give each other roles, define roles, move firms and people, make clients, invite,
 * also as clients that they made, and take what they can, at random: together they never come to more
 * than they had.
 */
import * as Grants from "@quittance/auth/Grants"
import { assert, layer } from "@effect/vitest"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import {
  type ClientId,
  type Scope,
  scopeNames,
  type UserId
} from "@quittance/domain/requests/Caller"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import { BuiltInRole, CustomRoleId, type Grant, isCustom } from "@quittance/domain/access/Grant"
import { byArea } from "@quittance/domain/access/Role"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Clock, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { call, newTenant, TestLayer } from "./Api.ts"
import { type Draws, drawsOf } from "./Draws.ts"
import { prepared } from "./Sales.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Action } from "@quittance/domain/requests/Action"

const steps = 400

const places = [
  "/admin/users/",
  "/brokerage-firms/",
  "/permissions/roles/",
  "/admin/clients",
  "/invitations"
]
const mustHappen = [
  "PUT /admin/users/",
  "PATCH /admin/users/",
  "PATCH /brokerage-firms/",
  "PUT /permissions/roles/",
  "DELETE /permissions/roles/",
  "POST /admin/clients",
  "POST /invitations"
]

/** A signed-in user with these grants. */
const person = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant>) {
  const id = (yield* Ids).next("user") as UserId
  const users = yield* UsersRepo
  const repo = yield* GrantsRepo
  const user = { id, email: `${randomUUID()}@example.test`, firstName: "Mo", lastName: "Test" }
  yield* Effect.orDie(users.insert(user, Redacted.make("$argon2id$none")))
  yield* repo.giveAll(id, grants)
  const token = yield* TokenIssuer.use((issuer) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      issuer.user(id, firstPartyClientId, id, { at: Math.floor(millis / 1000), methods: ["pwd"] })
    )
  )
  return { id, token }
})

const firm = Effect.fnUntraced(function* (name: string, parent?: BrokerageFirmId) {
  const id = (yield* Ids).next("brokerage_firm")
  const firms = yield* FirmsRepo
  const below = parent === undefined ? {} : { parentBrokerageFirmId: parent }
  yield* Effect.orDie(firms.insert({ id, name, firmType: "RETAIL", ...below }))
  return id
})

const giverActions: ReadonlyArray<Action> = ["permission.read", "permission.write", "policy.read"]
const roleNames = ["ONE", "TWO", "THREE"].map((name) => CustomRoleId.make(`ROLE_${name}`))

/** Two firms, one with a branch of its own; people who conspire, and people who don't. */
const scene = Effect.gen(function* () {
  const roles = yield* RolesRepo
  const giver = CustomRoleId.make("GIVER")
  yield* roles.put({ id: giver, name: "Gives what he has", actions: giverActions })
  yield* roles.put({ id: roleNames[0]!, name: "A role", actions: ["policy.read", "audit.read"] })
  const north = yield* firm("North")
  const branch = yield* firm("North, harbour", north)
  const south = yield* firm("South")
  const onTenant = { kind: "TENANT" } as const
  const on = (brokerageFirmId: BrokerageFirmId) => ({ kind: "FIRM", brokerageFirmId }) as const
  const mover = CustomRoleId.make("MOVER")
  const moves: ReadonlyArray<Action> = [
    "firm.write",
    "user.write",
    "client.write",
    "invitation.write"
  ]
  yield* roles.put({ id: mover, name: "Moves firms and people", actions: moves })
  const conspirators = [
    yield* person([{ role: "FIRM_MANAGER", on: on(north) }]),
    yield* person([{ role: giver, on: onTenant }]),
    yield* person([
      { role: "BROKER", on: on(south) },
      { role: giver, on: on(south) }
    ]),
    yield* person([{ role: mover, on: onTenant }])
  ]
  const others = [
    yield* person([{ role: "TENANT_MANAGER", on: onTenant }]),
    yield* person([{ role: "AUDITOR", on: onTenant }]),
    yield* person([{ role: roleNames[0]!, on: on(south) }])
  ]
  return { conspirators, others, firms: { north, branch, south } }
})
type Scene = Effect.Success<typeof scene>

/** Every place where an action may hold: the tenant, a firm with those above it now, a record. */
const placesOf = Effect.fnUntraced(function* (scene: Scene, policyId: string) {
  const firms = yield* FirmsRepo
  const users = yield* UsersRepo
  const pathOf = (firm: BrokerageFirmId | undefined) =>
    firm === undefined ? Effect.succeed([]) : Effect.map(firms.path(firm), (path) => path ?? [])
  const places: Record<string, Grants.Target> = {
    tenant: Grants.tenantWide,
    policy: { firms: [], records: [policyId] }
  }
  for (const [name, firm] of Object.entries(scene.firms)) {
    places[name] = { firms: yield* pathOf(firm), records: [] }
  }
  for (const [index, { id }] of [...scene.conspirators, ...scene.others].entries()) {
    const home = (yield* users.find(id))?.brokerageFirmId
    places[`user ${index}`] = { firms: yield* pathOf(home), records: [id] }
  }
  return places
})

/** What they may come to beside their own grants: by clients that they made, by letters they sent. */
interface Won {
  readonly clients: Array<{ readonly clientId: ClientId; readonly scopes: ReadonlyArray<Scope> }>
  readonly invited: Array<Grant>
}

const tokenOf = ({ clientId, scopes }: Won["clients"][number]) =>
  TokenIssuer.use((issuer) => issuer.client(clientId, scopes.join(" ")))

/**
 * What the conspirators may do together, with clients that they made and users they invited, as `place
 * action`. Of users only changes count: moving a user into a firm shows them to the firm's people, and a
 * grant that is given to them is judged by the place of the grant.
 */
const powersOf = Effect.fnUntraced(function* (
  scene: Scene,
  policyId: string,
  { clients, invited }: Won
) {
  const repo = yield* GrantsRepo
  const roles = yield* RolesRepo
  const custom = yield* roles.contentsOf(invited.map(({ role }) => role).filter(isCustom))
  const held = [
    ...(yield* Effect.forEach(scene.conspirators, ({ id }) => repo.heldBy(id))).flat(),
    // What a role holds by now; a deleted role gives nothing.
    ...invited.map(({ on, role }) => {
      const actions = isCustom(role) ? custom.get(role)?.actions : Grants.actionsOf(role)
      return { on, role, actions: actions ?? new Set<Action>(), authority: {} }
    })
  ]
  const where = Object.entries(yield* placesOf(scene, policyId))
  const scopes = new Set<string>(clients.flatMap((client) => client.scopes))
  const byClients = new Set(
    routes.flatMap(({ permission, scope }) =>
      scopes.has(scope) && permission !== "NONE" ? [permission.action] : []
    )
  )
  return new Set(
    where.flatMap(([place, target]) =>
      Action.literals
        .filter((action) => !place.startsWith("user") || action === "user.write")
        .filter((action) => byClients.has(action) || Grants.allows(held, action, target))
        .map((action) => `${place} ${action}`)
    )
  )
})

/** What a client may call. */
const routes = routesOf(PublicApi).filter(({ callers }) => callers.includes("Client"))

/** A request of one of them: a user's permissions, a role, a move, a client. */
const attempt = Effect.fnUntraced(function* (
  scene: Scene,
  policyId: string,
  { clients }: Won,
  draws: Draws
) {
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
  // A role that nothing holds, so that it can be made and removed by those who may.
  if (draws.chance(0.15)) {
    const path = "/permissions/roles/ROLE_SPARE"
    return draws.chance(0.5)
      ? { token, path, method: "DELETE", body: undefined }
      : { token, path, method: "PUT", body: { name: "Spare", actions: byArea(["policy.read"]) } }
  }
  if (draws.chance(0.3)) {
    const drawn: ReadonlyArray<Action> = draws.chance(0.5) ? giverActions : Action.literals
    const share = draws.pick([0.1, 0.5, 0.9])
    const actions = byArea(drawn.filter(() => draws.chance(share)))
    const path = `/permissions/roles/${draws.pick([...roleNames, "GIVER"])}`
    return draws.chance(0.2)
      ? { token, path, method: "DELETE", body: undefined }
      : { token, path, method: "PUT", body: { name: "Drawn", actions } }
  }
  if (draws.chance(0.15)) {
    const permissions = Array.from({ length: 1 + draws.below(2) }, drawnGrant)
    const body = { email: `${randomUUID()}@example.test`, permissions }
    const isClients = clients.length > 0 && draws.chance(0.5)
    const inviter = isClients ? yield* tokenOf(draws.pick(clients)) : token
    return { token: inviter, path: "/invitations", method: "POST", body }
  }
  const drawnScopes = () => [
    ...new Set<Scope>([
      draws.pick(scopeNames),
      ...(draws.chance(0.5) ? ([draws.pick(scopeNames), "platform/invitations"] as const) : [])
    ])
  ]
  const whom = draws.pick(everybody).id
  if (draws.chance(0.4)) {
    const place = draws.pick([...Object.values(firms), null])
    return draws.pick([
      {
        token,
        path: `/brokerage-firms/${draws.pick(Object.values(firms))}`,
        method: "PATCH",
        body: { parentBrokerageFirmId: place }
      },
      { token, path: `/admin/users/${whom}`, method: "PATCH", body: { brokerageFirmId: place } },
      {
        token,
        path: "/admin/clients",
        method: "POST",
        body: { name: "Drawn", scopes: drawnScopes() }
      }
    ])
  }
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
  /** What they got done in any of the runs. */
  const done = new Set<string>()

  for (const seed of [1, 2, 3]) {
    it.effect(`never come to more than they had, in ${steps} steps drawn from ${seed}`, () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { tenant } = world
        const { policyId } = yield* prepared(world, world.session)
        const sql = yield* TenantSql
        const inTenant = Effect.provideService(CurrentTenant, tenant)
        const made = yield* inTenant(sql.transaction(scene))
        const won: Won = { clients: [], invited: [] }
        const before = yield* inTenant(sql.transaction(powersOf(made, policyId, won)))
        const draws = drawsOf(seed)
        const answers = new Map<number, number>()
        for (let step = 0; step < steps; step++) {
          const { path, ...request } = yield* inTenant(attempt(made, policyId, won, draws))
          const { body, status } = yield* call(path, { tenant, ...request })
          answers.set(status, (answers.get(status) ?? 0) + 1)
          if (status >= 400) continue
          done.add(`${request.method} ${places.find((place) => path.startsWith(place))}`)
          if (path === "/admin/clients") won.clients.push(body)
          if (path === "/invitations") won.invited.push(...body.permissions)
          const after = yield* inTenant(sql.transaction(powersOf(made, policyId, won)))
          const gained = [...after].filter((power) => !before.has(power))
          assert.deepStrictEqual(
            gained,
            [],
            `step ${step}: ${request.method} ${path} ${JSON.stringify(request.body)}`
          )
        }
        // Most of what they try is refused.
        assert.isAbove(answers.get(403) ?? 0, steps / 4)
        assert.isBelow(Math.max(...answers.keys()), 500)
      })
    )
  }

  it("got everything done that can be done, within what they had", () => {
    assert.includeMembers([...done], mustHappen)
  })
})
