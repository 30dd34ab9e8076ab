/**
 * The checks in SQL against the algebra of grants, on firm trees, roles and grants drawn at random:
 * whatever the one allows the other allows, and a list shows what may be read one by one.
 */
import * as Targets from "../../src/targets.ts"
import { assert, layer } from "@effect/vitest"
import * as Grants from "@quittance/auth/Grants"
import { type Caller, CurrentCaller, subject, type UserId } from "@quittance/domain/requests/Caller"
import { BuiltInRole, CustomRoleId, type Grant, type Role } from "@quittance/domain/access/Grant"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo, type SubjectId } from "../../src/access/GrantsRepo.ts"
import { Ids } from "../../src/sql/Ids.ts"
import { RolesRepo } from "../../src/access/RolesRepo.ts"
import { RecordTargets } from "../../src/access/RecordTargets.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { addFirm, addUser, inTenant, inTransaction, TestLayer } from "../People.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { Action } from "@quittance/domain/requests/Action"

const Live = Layer.provideMerge(Layer.merge(RolesRepo.layer, Targets.layer), TestLayer)

/** The same draws at each run: a failure can be looked at again (mulberry32). */
const drawing = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    one: <A>(items: ReadonlyArray<A>): A => items[below(items.length)]!,
    some: <A>(items: ReadonlyArray<A>, share: number) => items.filter(() => next() < share)
  }
}

type Draw = ReturnType<typeof drawing>

const custom = ["DESK", "GIVER", "READER"].map((id) => CustomRoleId.make(id))
const roles: ReadonlyArray<Role> = [
  ...custom,
  ...custom,
  ...BuiltInRole.literals.filter((role) => role !== "VISITOR")
]

/** Firms in a tree and two users, one of them of a firm. */
const drawTenant = Effect.fnUntraced(function* (draw: Draw) {
  const firms: Array<BrokerageFirmId> = []
  for (let index = 0; index < 7; index++) {
    const parent = draw.below(3) === 0 ? undefined : firms[draw.below(firms.length)]
    firms.push(yield* addFirm(`Firm ${index}`, parent))
  }
  const users = [yield* addUser("ada@x.test"), yield* addUser("bob@x.test")] as const
  const home = firms[3]!
  yield* inTransaction(moveTo(users[0], home))
  const targets = yield* RecordTargets.use((repo) => repo.find([...firms, ...users]))
  assert.strictEqual(targets.size, firms.length + users.length)
  for (const id of custom) yield* define(id, [])
  return { firms, users, home, targets }
})

type Tenant = Effect.Success<ReturnType<typeof drawTenant>>

const policyOf = (index: number) => `policy_${index}`

const drawGrant = (draw: Draw, { firms, users }: Tenant): Grant => {
  const role = draw.one(roles)
  const kind = draw.one(["TENANT", "FIRM", "FIRM", "FIRM", "RECORD", "RECORD"] as const)
  if (kind === "TENANT") return { role, on: { kind } }
  if (kind === "FIRM") return { role, on: { kind, brokerageFirmId: draw.one(firms) } }
  const recordId = draw.one([...users, ...firms.map((_, index) => policyOf(index))])
  return { role, on: { kind, recordId } }
}

/** A policy of each firm and one of none, each firm, each user: its target, and the check on it. */
const questionsOf = Effect.fnUntraced(function* (action: Action, tenant: Tenant) {
  const { firms, home, targets, users } = tenant
  const grants = yield* GrantsRepo
  const sql = yield* SqlClient.SqlClient
  const policies = [...firms, null].map((firm, index) => ({
    target: {
      firms: firm === null ? [] : targets.get(firm)!.firms,
      records: [policyOf(index)]
    },
    check: grants.onPolicy(action, {
      policyId: sql`${policyOf(index)}`,
      brokerageFirmId: sql`${firm}`
    })
  }))
  return [
    ...policies,
    ...firms.map((firm) => ({
      target: targets.get(firm)!,
      check: grants.onFirm(action, sql`${firm}`)
    })),
    ...users.map((user, index) => ({
      target: targets.get(user)!,
      check: grants.onUser(action, {
        userId: sql`${user}`,
        brokerageFirmId: sql`${index === 0 ? home : null}`
      })
    }))
  ]
})

/** The answers of the algebra, of the checks, and of a list, each to every question. */
const answersOf = Effect.fnUntraced(function* (
  action: Action,
  tenant: Tenant,
  held: ReadonlyArray<Grants.HeldGrant>
) {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const questions = yield* questionsOf(action, tenant)
  const conditions = yield* Effect.all(questions.map(({ check }) => check))
  const list = conditions.reduce((list, condition) => sql`${list}, ${condition}`)
  const rows = yield* read(
    sql<{ readonly answers: ReadonlyArray<boolean> }>`SELECT ARRAY[${list}] AS answers`
  )
  const coverage = yield* GrantsRepo.use((repo) => repo.coverage(action)).pipe(
    Effect.catchTag("Forbidden", () => Effect.succeed(Grants.coverage([], action)))
  )
  return {
    allowed: questions.map(({ target }) => Grants.allows(held, action, target)),
    checked: rows[0]!.answers,
    // The firms below a granted one are named, so a record is looked for by its own firm.
    listed: questions.map(
      ({ target }) =>
        coverage._tag === "Tenant" ||
        target.firms.slice(0, 1).some((id) => coverage.firmIds.includes(id)) ||
        target.records.some((id) => coverage.recordIds.includes(id))
    )
  }
})

/** A caller with random grants, as the checks see them. */
const drawCaller = Effect.fnUntraced(function* (draw: Draw, tenant: Tenant) {
  const ids = yield* Ids
  const caller: Caller =
    draw.below(4) === 0
      ? { _tag: "Anonymous", sessionId: ids.next("anonymous_session") }
      : { _tag: "User", userId: ids.next("user") }
  // Neither is a client.
  const subjectId = subject(caller) as SubjectId
  const given = Array.from({ length: draw.below(5) }, () => drawGrant(draw, tenant))
  yield* inTransaction(GrantsRepo.use((repo) => repo.giveAll(subjectId, given)))
  const stored = yield* GrantsRepo.use((repo) => repo.heldBy(subjectId))
  return { caller, held: Grants.effective(caller, stored) }
})

layer(Live, { excludeTestServices: true })("the checks in SQL", (it) => {
  it.effect("allow what the algebra of grants allows, to 300 people", () =>
    inTenant(
      Effect.gen(function* () {
        const draw = drawing(20_261_121)
        const tenant = yield* drawTenant(draw)
        const seen = { allowed: 0, refused: 0 }
        for (let round = 0; round < 200; round++) {
          yield* define(draw.one(custom), draw.some(Action.literals, 0.4))
          const { caller, held } = yield* drawCaller(draw, tenant)
          for (const action of draw.some(Action.literals, 0.1)) {
            const { allowed, checked, listed } = yield* answersOf(action, tenant, held).pipe(
              Effect.provideService(CurrentCaller, caller)
            )
            assert.deepStrictEqual(checked, allowed, `the check of ${action} in round ${round}`)
            assert.deepStrictEqual(listed, allowed, `the list of ${action} in round ${round}`)
            for (const answer of allowed) seen[answer ? "allowed" : "refused"]++
          }
        }
        // Neither answer is a rarity, or this would show little.
        assert.isAbove(seen.allowed, 2_000)
        assert.isAbove(seen.refused, 2_000)
      })
    )
  )
})

const define = (id: CustomRoleId, actions: ReadonlyArray<Action>) =>
  inTransaction(RolesRepo.use((repo) => repo.put({ id, name: "Drawn", actions })))

const moveTo = Effect.fnUntraced(function* (userId: UserId, firm: BrokerageFirmId) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  yield* Effect.orDie(
    tenantSql.write(sql`UPDATE app_user SET brokerage_firm_id = ${firm} WHERE id = ${userId}`)
  )
})
