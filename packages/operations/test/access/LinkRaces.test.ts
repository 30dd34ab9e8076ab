/** Links of letters against each other, and against what else happens to their users and sessions. */
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { GivenGrant } from "@quittance/domain/access/Grant"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { InvitationAcceptance, type Accepted } from "../../src/access/InvitationAcceptance.ts"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { Accounts } from "../../src/access/Accounts.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { Invitations } from "../../src/access/Invitations.ts"
import { Issuers } from "../../src/tokens/Issuers.ts"
import { OneTimeLinkKey } from "../../src/access/OneTimeLinkKey.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Users } from "../../src/access/Users.ts"
import { unlimited } from "../Unlimited.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const rounds = 200

const TestLayer = Layer.mergeAll(
  InvitationAcceptance.layer,
  Accounts.layer,
  AuthorizationServerKeys.layer,
  Invitations.layer,
  OneTimeLinkKey.layer,
  Policies.layer,
  Users.layer
).pipe(
  Layer.provide(AccessTokens.layer),
  Layer.provide(Issuers.layerOf("http://{tenant}.auth.test", "http://api.test")),
  Layer.provideMerge(unlimited),
  Layer.provideMerge(World.layer)
)

const atOnce = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(
    effects.map((effect) => Effect.exit(effect)),
    { concurrency: "unbounded" }
  )

/** Every loser was told that the link is of no use, and nothing went wrong. */
const assertRefused = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>, round: number) => {
  for (const exit of exits.filter(Exit.isFailure)) {
    const failure = Cause.squash(exit.cause)
    assert.match(
      String((failure as { readonly _tag?: string })._tag),
      /^(InvitationNotFound|Unauthorized)$/u,
      `round ${round}: ${Cause.pretty(exit.cause)}`
    )
  }
}

const inTenant =
  ({ tenant }: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

const linkOf = (world: World.World, id: InvitationId) =>
  OneTimeLinkKey.use((key) => Effect.succeed(key.token(world.tenant, id)))

const invite = Effect.fnUntraced(function* (
  world: World.World,
  email: string,
  permissions: ReadonlyArray<GivenGrant> = [{ role: "AUDITOR", on: { kind: "TENANT" } }]
) {
  const { id } = yield* Invitations.use((invitations) =>
    World.as(world, world.manager)(invitations.create({ email, permissions }))
  )
  return { id, link: yield* linkOf(world, id) }
})

/** Uses a link for a password up, without the time that hashing one takes. */
const choose = (world: World.World, email: string, token: Redacted.Redacted) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const tenantSql = yield* TenantSql
    const passwordHash = Redacted.make("$argon2id$none")
    return yield* tenantSql.transaction(
      Effect.flatMap(
        accounts.useLink(token, email, ["INVITATION", "WELCOME", "PASSWORD_RESET"]),
        (link) => accounts.acceptLink(link, { passwordHash })
      )
    )
  }).pipe(inTenant(world))

/** The open link for a user that was made last. */
const newest = (world: World.World, email: string) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    const [row] = yield* sql<{ readonly id: InvitationId }>`
      SELECT id FROM invitation
      WHERE tenant_id = ${world.tenant} AND email = ${email} AND user_id IS NOT NULL
        AND used_at IS NULL AND revoked_at IS NULL
      ORDER BY created_at DESC LIMIT 1
    `
    return yield* linkOf(world, row!.id)
  })

const newUser = (world: World.World, email: string) =>
  Users.use((users) =>
    World.as(world, world.manager)(users.create({ email, firstName: "Ada", lastName: "Byron" }))
  )

layer(TestLayer, { excludeTestServices: true })("links of one user", (it) => {
  it.effect(`are used while he asks for another one, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const accounts = yield* Accounts
      const email = "ada@example.test"
      yield* newUser(world, email)
      for (let round = 0; round < rounds; round++) {
        yield* accounts.forgot(email, "192.0.2.1", "").pipe(inTenant(world))
        const link = yield* newest(world, email)
        const [chosen, asked] = yield* atOnce<unknown, unknown, Accounts | TenantSql>([
          choose(world, email, link),
          accounts.forgot(email, "192.0.2.1", "").pipe(inTenant(world))
        ])
        assert.isTrue(Exit.isSuccess(asked!), `round ${round}: ${asked}`)
        assertRefused([chosen!], round)
      }
    })
  )

  it.effect(`of two kinds are used at once, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      for (let round = 0; round < rounds; round++) {
        const email = `ada-${round}@example.test`
        const user = yield* newUser(world, email)
        const welcome = yield* newest(world, email)
        const { link } = yield* invite(world, email)
        const exits = yield* atOnce([choose(world, email, welcome), choose(world, email, link)])
        assertRefused(exits, round)
        assert.isTrue(exits.some(Exit.isSuccess))
        const users = yield* UsersRepo
        const after = yield* users.find(user.id).pipe(inTenant(world))
        assert.strictEqual(after?.status, "ACTIVE")
      }
    })
  )

  it.effect(`are used while their user is disabled, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const users = yield* Users
      const repo = yield* UsersRepo
      for (let round = 0; round < rounds; round++) {
        const email = `ada-${round}@example.test`
        const { id } = yield* newUser(world, email)
        const link = yield* newest(world, email)
        const [chosen, disabled] = yield* atOnce<unknown, unknown, Accounts | TenantSql>([
          choose(world, email, link),
          World.as(world, world.manager)(users.disable(id))
        ])
        assertRefused([chosen!], round)
        assert.isTrue(Exit.isSuccess(disabled!), `round ${round}: ${disabled}`)
        const after = yield* repo.find(id).pipe(inTenant(world))
        assert.strictEqual(after?.status, "DISABLED")
      }
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("sessions that accept", (it) => {
  const session = Effect.fnUntraced(function* (world: World.World, recordId: string) {
    const grants = yield* GrantsRepo
    const tenantSql = yield* TenantSql
    const visitor = yield* World.visitor(world)
    const on = { kind: "RECORD", recordId } as const
    const write = grants.give(visitor.sessionId, { role: "POLICYHOLDER", on })
    yield* tenantSql.transaction(write).pipe(inTenant(world))
    return visitor
  })

  const accept = (world: World.World, caller: Caller, link: Redacted.Redacted) =>
    InvitationAcceptance.use((acceptance) =>
      World.as(world, caller)(acceptance.accept({ token: link }))
    )

  /** A world that can sign the tokens of sessions. */
  const signing = Effect.gen(function* () {
    const world = yield* World.make()
    yield* AuthorizationServerKeys.use((keys) => keys.ensure).pipe(inTenant(world))
    const { id } = yield* Policies.use((policies) =>
      World.as(world, world.manager)(policies.create({ productId: World.motor.productId }))
    )
    const on = { kind: "RECORD", recordId: id } as const
    return { ...world, given: [{ role: "POLICYHOLDER", on }] as const }
  })

  /** Whose the grant on the record is. */
  const holders = (world: World.World, recordId: string) =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ readonly subjectId: string }>`
        SELECT subject_id FROM permission_grant
        WHERE tenant_id = ${world.tenant} AND record_id = ${recordId}
      `
      return rows.map(({ subjectId }) => subjectId)
    })

  const newIdOf = (exit: Exit.Exit<Accepted, unknown>): string =>
    Exit.isSuccess(exit) && "sessionId" in exit.value ? exit.value.sessionId : ""

  it.effect(`AN-04 AN-05: once with one link, however many try, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* signing
      for (let round = 0; round < rounds; round++) {
        const record = `policy_test_${round}`
        const visitor = yield* session(world, record)
        const { link } = yield* invite(world, "ada@example.test", world.given)
        const exits = yield* atOnce([1, 2, 3, 4].map(() => accept(world, visitor, link)))
        assertRefused(exits, round)
        const winners = exits.filter(Exit.isSuccess).map(newIdOf)
        assert.lengthOf(winners, 1, `round ${round}`)
        assert.deepStrictEqual(yield* holders(world, record), winners)
        assert.notInclude(winners, visitor.sessionId)
      }
    })
  )

  it.effect(`AN-04: one of two links at once, and the other stays open, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* signing
      for (let round = 0; round < rounds; round++) {
        const record = `policy_test_${round}`
        const visitor = yield* session(world, record)
        const links = [
          yield* invite(world, "ada@example.test", world.given),
          yield* invite(world, "bob@example.test", world.given)
        ]
        const exits = yield* atOnce(links.map(({ link }) => accept(world, visitor, link)))
        assertRefused(exits, round)
        const winner = exits.findIndex(Exit.isSuccess)
        assert.lengthOf(exits.filter(Exit.isSuccess), 1, `round ${round}`)
        assert.deepStrictEqual(
          yield* holders(world, record),
          exits.filter(Exit.isSuccess).map(newIdOf)
        )
        const next = yield* session(world, `${record}b`)
        assert.isDefined(yield* accept(world, next, links[1 - winner]!.link))
      }
    })
  )

  it.effect(`AN-05: with one link one of two, and the other goes on, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* signing
      const sessions = yield* AnonymousSessionsRepo
      for (let round = 0; round < rounds; round++) {
        const visitors = [
          yield* session(world, `policy_test_${round}a`),
          yield* session(world, `policy_test_${round}b`)
        ]
        const { link } = yield* invite(world, "ada@example.test", world.given)
        const exits = yield* atOnce(visitors.map((visitor) => accept(world, visitor, link)))
        assertRefused(exits, round)
        const loser = exits.findIndex(Exit.isFailure)
        assert.lengthOf(exits.filter(Exit.isSuccess), 1, `round ${round}`)
        const { sessionId } = visitors[loser]!
        const after = yield* sessions.find(sessionId).pipe(inTenant(world))
        assert.isUndefined(after?.revokedAt)
        assert.deepStrictEqual(
          yield* holders(world, `policy_test_${round}${loser === 0 ? "a" : "b"}`),
          [sessionId]
        )
      }
    })
  )

  it.effect(`take along the policies that they open at that moment, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* signing
      const superuser = yield* SuperuserSql
      const open = Policies.use((policies) => policies.create({ productId: World.motor.productId }))
      const told = new Set<string>()
      for (let round = 0; round < rounds; round++) {
        const visitor = yield* session(world, `policy_test_${round}`)
        const { link } = yield* invite(world, "ada@example.test", world.given)
        // The opening is the shorter way: it sets out so many questions to the database later.
        const later = Effect.forEach(Array.from({ length: round % 12 }), () => superuser`SELECT 1`)
        const opening = Effect.andThen(Effect.orDie(later), World.as(world, visitor)(open))
        const [accepted, opened] = yield* Effect.all(
          [Effect.exit(accept(world, visitor, link)), Effect.exit(opening)],
          { concurrency: "unbounded" }
        )
        assert.isTrue(Exit.isSuccess(accepted), `round ${round}: ${accepted}`)
        if (Exit.isSuccess(opened)) {
          assert.deepStrictEqual(yield* holders(world, opened.value.id), [newIdOf(accepted)])
        } else assertRefused([opened], round)
        told.add(opened._tag)
      }
      // Sometimes the policy comes first, sometimes the end of the session.
      assert.sameMembers([...told], ["Success", "Failure"])
    })
  )

  it.effect("IN-15: take a policyholder's grants on records, and need an account for others", () =>
    Effect.gen(function* () {
      const world = yield* signing
      const { firms, given, tenant } = world
      const visitor = yield* session(world, "policy_test_own")
      const grants = yield* GrantsRepo
      const before = yield* grants.of(visitor.sessionId).pipe(inTenant(world))
      const staff: ReadonlyArray<GivenGrant> = [
        { role: "TENANT_MANAGER", on: { kind: "TENANT" } },
        { role: "POLICYHOLDER", on: { kind: "TENANT" } },
        { role: "POLICYHOLDER", on: { kind: "FIRM", brokerageFirmId: firms.north } },
        { role: "BROKER", on: given[0].on }
      ]
      for (const grant of staff) {
        const { id, link } = yield* invite(world, "ada@example.test", [...given, grant])
        const refused = yield* Effect.flip(accept(world, visitor, link))
        assert.strictEqual(refused._tag, "AccountRequired")
        const invitation = yield* Invitations.use((all) =>
          World.as(world, world.manager)(all.get(id))
        )
        assert.strictEqual(invitation.status, "PENDING", tenant)
      }
      // The session goes on, with what it had.
      assert.deepStrictEqual(yield* grants.of(visitor.sessionId).pipe(inTenant(world)), before)
      const { link } = yield* invite(world, "ada@example.test", [...given, staff[0]!])
      const account = { password: Redacted.make("a harbour with nine cranes") }
      const made = yield* InvitationAcceptance.use((all) =>
        World.as(world, visitor)(all.accept({ token: link, account }))
      )
      assert.include(JSON.stringify(made), "TENANT_MANAGER")
      assert.property(made, "userId")
    })
  )

  it.effect("open no policy after their end", () =>
    Effect.gen(function* () {
      const world = yield* signing
      const visitor = yield* session(world, "policy_test_last")
      const { link } = yield* invite(world, "ada@example.test", world.given)
      yield* accept(world, visitor, link)
      const open = Policies.use((policies) => policies.create({ productId: World.motor.productId }))
      const refused = yield* Effect.flip(World.as(world, visitor)(open))
      assert.strictEqual(refused._tag, "Unauthorized")
    })
  )
})
