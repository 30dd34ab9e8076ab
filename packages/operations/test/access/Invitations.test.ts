/** Links of letters under the hands of many at once, and after their time. */
import { assert, layer } from "@effect/vitest"
import type { Caller, UserId } from "@quittance/domain/requests/Caller"
import type { GivenGrant } from "@quittance/domain/access/Grant"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { InvitationAcceptance } from "../../src/access/InvitationAcceptance.ts"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { Accounts } from "../../src/access/Accounts.ts"
import { Clients } from "../../src/access/Clients.ts"
import { Invitations } from "../../src/access/Invitations.ts"
import { Issuers } from "../../src/tokens/Issuers.ts"
import { OneTimeLinkKey } from "../../src/access/OneTimeLinkKey.ts"
import { Permissions } from "../../src/access/Permissions.ts"
import { Users } from "../../src/access/Users.ts"
import { defineDesk, desk, onFirm, person } from "../People.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** No limits here: they have tests of their own. */
const unlimited = Layer.succeed(RateLimitStore, {
  take: (_bucket, { limit, windowSeconds }) =>
    Effect.succeed({ granted: 1, remaining: limit, endsIn: windowSeconds * 1000 }),
  lease: (_bucket, { limit, windowSeconds }, wanted) =>
    Effect.succeed({ granted: wanted, remaining: limit, endsIn: windowSeconds * 1000 }),
  giveBack: () => Effect.void
})

const TestLayer = Layer.mergeAll(
  InvitationAcceptance.layer,
  Accounts.layer,
  Clients.layer,
  Invitations.layer,
  OneTimeLinkKey.layer,
  Permissions.layer,
  RolesRepo.layer,
  Users.layer
).pipe(
  Layer.provide(AccessTokens.layer),
  Layer.provide(Issuers.layerOf("http://{tenant}.auth.test", "http://api.test")),
  Layer.provideMerge(unlimited),
  Layer.provideMerge(World.layer)
)

const rounds = 200
const permissions = [{ role: "BROKER", on: { kind: "TENANT" } }] as const

const invite = Effect.fnUntraced(function* (world: World.World, email: string) {
  const invitations = yield* Invitations
  const key = yield* OneTimeLinkKey
  const { id } = yield* World.as(world, world.manager)(invitations.create({ email, permissions }))
  return { id, link: key.token(world.tenant, id) }
})

const accept = (world: World.World, caller: Caller, link: Redacted.Redacted) =>
  InvitationAcceptance.use((acceptance) =>
    World.as(world, caller)(acceptance.accept({ token: link }))
  )

const inTenant =
  (world: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, world.tenant)

/** Moves the end of a link into the past. */
const expire = Effect.fnUntraced(function* (world: World.World, id: InvitationId) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const past = tenantSql.write(sql`
    UPDATE invitation SET expires_at = clock_timestamp() - interval '1 second' WHERE id = ${id}
  `)
  yield* inTenant(world)(tenantSql.transaction(past))
})

layer(TestLayer, { excludeTestServices: true })("the link of a letter", (it) => {
  it.effect(`AN-05: lets in exactly one of those who come at once, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const people = yield* Effect.forEach([1, 2, 3, 4, 5], () => person(world, []))
      for (let round = 0; round < rounds; round++) {
        const { link } = yield* invite(world, `round-${round}@example.test`)
        const exits = yield* Effect.forEach(
          people,
          (caller) => Effect.exit(accept(world, caller, link)),
          { concurrency: "unbounded" }
        )
        const winners = exits.filter(Exit.isSuccess)
        assert.lengthOf(winners, 1, `round ${round}`)
        for (const exit of exits.filter(Exit.isFailure)) {
          assert.match(String(exit.cause), /InvitationNotFound/u)
        }
      }
    })
  )

  it.effect("makes one user of an address that is invited twice and accepts both at once", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const accounts = yield* Accounts
      const users = yield* UsersRepo
      const grants = yield* GrantsRepo
      for (let round = 0; round < 20; round++) {
        const email = `twice-${round}@example.test`
        const links = [yield* invite(world, email), yield* invite(world, email)]
        const password = Redacted.make("a harbour with nine cranes")
        const made = yield* Effect.forEach(
          links,
          ({ link }) => inTenant(world)(accounts.accept(link, { password }, "192.0.2.1")),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(made[0]?.id, made[1]?.id)
        const login = yield* inTenant(world)(users.findLogin(email))
        assert.strictEqual(login?.id, made[0]?.id)
        assert.lengthOf(yield* inTenant(world)(grants.of(made[0]!.id as UserId)), 1)
      }
    })
  )

  it.effect("AN-05: is of no use after its time, and of use again once it is sent again", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const invitations = yield* Invitations
      const run = World.as(world, world.manager)
      const { id, link } = yield* invite(world, "late@example.test")
      yield* expire(world, id)
      const refused = yield* Effect.flip(accept(world, world.auditor, link))
      assert.strictEqual(refused._tag, "InvitationNotFound")
      assert.strictEqual((yield* run(invitations.get(id))).status, "EXPIRED")
      yield* run(invitations.resend(id))
      yield* accept(world, world.auditor, link)
      assert.strictEqual((yield* run(invitations.get(id))).status, "ACCEPTED")
    })
  )

  it.effect(
    "gives a new password once, ends all sign-ins, and does not reveal who has an account",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const accounts = yield* Accounts
        const key = yield* OneTimeLinkKey
        const run = inTenant(world)
        const { link } = yield* invite(world, "ada@example.test")
        const choose = (token: Redacted.Redacted, password: string) =>
          run(accounts.accept(token, { password: Redacted.make(password) }, "192.0.2.1"))
        yield* choose(link, "a harbour with nine cranes")
        yield* run(accounts.forgot("unknown@example.test", "192.0.2.1", ""))
        yield* run(accounts.forgot("ADA@example.test", "192.0.2.1", ""))
        const resets = yield* letters(world)
        assert.lengthOf(resets, 1)
        const reset = key.token(world.tenant, resets[0]!.id)
        const weak = yield* Effect.flip(choose(reset, "password1234"))
        assert.strictEqual(weak._tag, "WeakPassword")
        const users = yield* UsersRepo
        const before = yield* run(users.findLogin("ada@example.test"))
        yield* choose(reset, "eleven boats left at dawn")
        const after = yield* run(users.findLogin("ada@example.test"))
        assert.notStrictEqual(
          Redacted.value(before!.passwordHash),
          Redacted.value(after!.passwordHash)
        )
        const again = yield* Effect.flip(choose(reset, "twelve boats left at dawn"))
        assert.strictEqual(again._tag, "InvitationNotFound")
      })
  )

  it.effect("has no effect once its inviter was disabled", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const invitations = yield* Invitations
      const key = yield* OneTimeLinkKey
      const users = yield* Users
      const inviter = yield* person(world, [{ role: "TENANT_MANAGER", on: { kind: "TENANT" } }])
      const { id } = yield* World.as(
        world,
        inviter
      )(invitations.create({ email: "late@example.test", permissions }))
      yield* World.as(world, world.manager)(users.disable(inviter.userId))
      const refused = yield* Effect.flip(accept(world, world.auditor, key.token(world.tenant, id)))
      assert.strictEqual(refused._tag, "InvitationNotFound")
    })
  )

  it.effect("gives nothing that the one who invited may not give any more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const accounts = yield* Accounts
      const grants = yield* GrantsRepo
      const broker = { role: "BROKER", on: onFirm(world.firms.south) } as const
      const head = [{ role: "FIRM_MANAGER", on: broker.on }] as const
      const inviter = yield* person(world, head)
      const { id } = yield* World.as(
        world,
        inviter
      )(
        Invitations.use((invitations) =>
          invitations.create({ email: "late@example.test", permissions: [broker] })
        )
      )
      const link = yield* OneTimeLinkKey.use((key) => Effect.succeed(key.token(world.tenant, id)))
      const replace = (permissions: ReadonlyArray<GivenGrant>) =>
        run(Permissions.use((all) => all.replace(inviter.userId, { permissions })))
      const refusals = Effect.all([
        Effect.flip(accept(world, world.auditor, link)),
        Effect.flip(inTenant(world)(accounts.lookUp(link, "192.0.2.1"))),
        Effect.flip(
          inTenant(world)(
            accounts.accept(
              link,
              { password: Redacted.make("nine cranes and a boat") },
              "192.0.2.1"
            )
          )
        )
      ])
      for (const left of [[], [{ role: "AUDITOR", on: broker.on }]] as const) {
        yield* replace(left)
        for (const { _tag } of yield* refusals) assert.strictEqual(_tag, "InvitationNotFound")
      }
      // It is not used up: it is as good as what stands behind it.
      yield* replace(head)
      yield* accept(world, world.auditor, link)
      const { userId } = world.auditor as { readonly userId: UserId }
      const after = yield* inTenant(world)(grants.of(userId))
      assert.deepInclude(after, broker)
    })
  )

  it.effect("gives nothing that a client offers which is gone", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const clients = yield* Clients
      const key = yield* OneTimeLinkKey
      const scopes = ["platform/policies", "platform/invitations"] as const
      yield* defineDesk(world, ["policy.read"])
      const { clientId } = yield* run(clients.create({ name: "Shop", scopes }))
      const shop = { _tag: "Client", clientId, scopes: new Set(scopes) } as const
      const offer = World.as(
        world,
        shop
      )(
        Invitations.use((invitations) =>
          invitations.create({
            email: "ada@example.test",
            permissions: [{ role: desk, on: { kind: "TENANT" } }]
          })
        )
      )
      const [first, second] = [yield* offer, yield* offer]
      yield* accept(world, world.auditor, key.token(world.tenant, first.id))
      yield* run(clients.remove(clientId))
      const late = accept(world, world.auditor, key.token(world.tenant, second.id))
      assert.strictEqual((yield* Effect.flip(late))._tag, "InvitationNotFound")
    })
  )

  it.effect("lets a visitor of a disabled account nowhere", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const accounts = yield* Accounts
      const users = yield* UsersRepo
      const tenantSql = yield* TenantSql
      const run = inTenant(world)
      const password = Redacted.make("a harbour with nine cranes")
      const first = yield* invite(world, "gone@example.test")
      const { id } = yield* run(accounts.accept(first.link, { password }, "192.0.2.1"))
      const second = yield* invite(world, "gone@example.test")
      yield* run(tenantSql.transaction(users.disable(id)))
      const refused = yield* Effect.flip(
        run(accounts.accept(second.link, { password }, "192.0.2.1"))
      )
      assert.strictEqual(refused._tag, "InvitationNotFound")
    })
  )
})

/** The letters with a link for another password that wait to be sent. */
const letters = Effect.fnUntraced(function* (world: World.World) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  return yield* inTenant(world)(
    tenantSql.read(sql<{ readonly id: InvitationId }>`
      SELECT i.id FROM invitation i JOIN letter l ON l.tenant_id = i.tenant_id AND l.invitation_id = i.id
      WHERE i.purpose = 'PASSWORD_RESET'
    `)
  )
})
