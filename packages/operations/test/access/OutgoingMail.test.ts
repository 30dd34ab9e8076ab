/** Letters that wait, under transports that fail and senders that die, are sent once, or once more. */
import { assert, layer } from "@effect/vitest"
import type { ServiceKeys } from "@quittance/auth/Sealed"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/access/Accounts.ts"
import { Invitations } from "../../src/access/Invitations.ts"
import { OutgoingMail } from "../../src/access/OutgoingMail.ts"
import { OneTimeLinkKey } from "../../src/access/OneTimeLinkKey.ts"
import { OneTimeLinks } from "../../src/access/OneTimeLinks.ts"
import { MailNotSent } from "../../src/mail/Mailer.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import * as Post from "../Post.ts"
import * as World from "../World.ts"

const rounds = 200

layer(Post.TestLayer, { excludeTestServices: true })("letters", (it) => {
  it.effect("are tried again when the transport fails, later each time, and kept at last", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Post.invite(world, "ada@example.test")
      Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
      const pauses: Array<number> = []
      for (let attempt = 1; attempt < maximumAttempts; attempt++) {
        yield* Post.round
        yield* Post.round
        const [letter] = yield* Post.waiting(world)
        assert.deepInclude(letter, { attempts: attempt, isLost: false })
        pauses.push(letter!.pause)
        yield* Post.passTime(world)
      }
      assert.isTrue(pauses.every((pause, index) => Math.abs(pause - 30 * 2 ** index) <= 15))
      yield* Post.round
      yield* Post.passTime(world)
      yield* Post.round
      assert.deepInclude((yield* Post.waiting(world))[0], {
        attempts: maximumAttempts,
        isLost: true
      })
      assert.deepStrictEqual(Post.addresses(), [])
    }).pipe(Post.quietly)
  )

  it.effect("that have failed are sent when they are asked for again", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "ADDRESS" }))
      yield* Post.round
      assert.deepInclude((yield* Post.waiting(world))[0], { attempts: 1, isLost: true })
      Post.steps.before = () => Effect.void
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), [])
      yield* Invitations.use((invitations) =>
        World.as(world, world.manager)(invitations.resend(id))
      )
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), ["ada@example.test"])
      assert.deepStrictEqual(yield* Post.waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("hold up no other when one of them fails, or its sender", () =>
    Effect.gen(function* () {
      const worlds = [yield* World.make(), yield* World.make()]
      for (const world of worlds) {
        for (const name of ["ada", "bob", "eve"]) yield* Post.invite(world, `${name}@example.test`)
      }
      Post.steps.before = ({ to }) =>
        to.startsWith("bob")
          ? Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
          : to.startsWith("eve")
            ? Effect.die(new Error("a mistake of ours"))
            : Effect.void
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), ["ada@example.test", "ada@example.test"])
      for (const world of worlds) assert.lengthOf(yield* Post.waiting(world), 2)
    }).pipe(Post.quietly)
  )

  it.effect("go out again when their sender died between sending and removing them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Post.invite(world, "ada@example.test")
      Post.steps.after = () => Effect.die(new Error("killed"))
      yield* Post.round
      assert.lengthOf(yield* Post.waiting(world), 1)
      Post.steps.after = () => Effect.void
      yield* Post.passTime(world)
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), ["ada@example.test", "ada@example.test"])
      assert.strictEqual(new Set(Post.sent.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(yield* Post.waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("have the secret that their link was made with, else one of the key that is left", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      const [present, before] = [new Uint8Array(32).fill(9), new Uint8Array(32).fill(7)]
      const of = (...keys: ServiceKeys) =>
        Layer.fresh(
          Layer.mergeAll(OneTimeLinkKey.layer, OneTimeLinks.layer, OutgoingMail.layer)
        ).pipe(
          Layer.provide(KeyEncryption.layerOf(...keys)),
          Layer.provide([Post.transport, Post.issuers])
        )
      const lookUp = (token: string) =>
        OneTimeLinks.use((links) => links.lookUp(Redacted.make(token))).pipe(Post.inTenant(world))
      const sentLink = () => /token=([\w-]{43})/u.exec(Post.sent.at(-1)!.text)![1]!
      yield* Effect.provide(Post.round, of(present, before))
      const first = sentLink()
      assert.strictEqual((yield* Effect.provide(lookUp(first), of(before))).id, id)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.provide(lookUp(first), of(present)))))

      const resend = Invitations.use((invitations) =>
        World.as(world, world.manager)(invitations.resend(id))
      )
      yield* resend
      yield* Effect.provide(Post.round, of(present))
      assert.notStrictEqual(sentLink(), first)
      assert.strictEqual((yield* Effect.provide(lookUp(sentLink()), of(present))).id, id)
      yield* resend
      yield* Effect.provide(Post.round, of(before, present))
      assert.strictEqual((yield* Effect.provide(lookUp(sentLink()), of(present))).id, id)
    }).pipe(Post.quietly)
  )

  it.effect("of a disabled tenant wait until it is enabled, and are not tried meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Post.invite(world, "ada@example.test")
      const sql = yield* SuperuserSql
      yield* sql`UPDATE tenant SET disabled_at = now() WHERE tenant_id = ${world.tenant}`
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), [])
      assert.deepInclude((yield* Post.waiting(world))[0], { attempts: 0, isLost: false })
      yield* sql`UPDATE tenant SET disabled_at = NULL WHERE tenant_id = ${world.tenant}`
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), ["ada@example.test"])
    }).pipe(Post.quietly)
  )

  it.effect("of links that were withdrawn, used or are over are dropped", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const invitations = yield* Invitations
      const accounts = yield* Accounts
      const key = yield* OneTimeLinkKey
      const sql = yield* SuperuserSql
      const withdrawn = yield* Post.invite(world, "ada@example.test")
      const used = yield* Post.invite(world, "bob@example.test")
      const over = yield* Post.invite(world, "eve@example.test")
      yield* run(invitations.revoke(withdrawn))
      const password = Redacted.make("a harbour with nine cranes")
      yield* accounts
        .accept(key.token(world.tenant, used), { password }, "192.0.2.1")
        .pipe(Post.inTenant(world))
      yield* sql`UPDATE invitation SET expires_at = clock_timestamp() WHERE id = ${over}`
      assert.lengthOf(yield* Post.waiting(world), 3)
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), [])
      assert.deepStrictEqual(yield* Post.waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("that are asked for while they go out go out once more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      const resend = Invitations.use((invitations) =>
        World.as(world, world.manager)(invitations.resend(id))
      )
      const context = yield* Effect.context<Invitations>()
      Post.steps.after = () => Effect.orDie(Effect.provide(resend, context)).pipe(Effect.asVoid)
      yield* Post.round
      Post.steps.after = () => Effect.void
      assert.lengthOf(yield* Post.waiting(world), 1)
      yield* Post.round
      assert.lengthOf(Post.sent, 2)
      assert.deepStrictEqual(yield* Post.waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("are written in the transaction that wants them: what is undone sends none", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const invitations = yield* Invitations
      const tenantSql = yield* TenantSql
      const input = {
        email: "ada@example.test",
        permissions: [{ role: "BROKER", on: { kind: "TENANT" } }]
      } as const
      const undone = yield* Effect.exit(
        World.as(
          world,
          world.manager
        )(tenantSql.transaction(Effect.andThen(invitations.create(input), Effect.fail("undone"))))
      )
      assert.isTrue(Exit.isFailure(undone))
      yield* Post.round
      assert.deepStrictEqual(Post.addresses(), [])
    }).pipe(Post.quietly)
  )

  it.effect("of a tenant that sends many let those of others through", () =>
    Effect.gen(function* () {
      const [many, few] = [yield* World.make(), yield* World.make()]
      for (let number = 0; number < 120; number++)
        yield* Post.invite(many, `${number}@example.test`)
      yield* Post.invite(few, "ada@example.test")
      assert.isTrue(yield* Post.round)
      assert.include(Post.addresses(), "ada@example.test")
      assert.lengthOf(Post.sent, 100)
      assert.isFalse(yield* Post.round)
      assert.lengthOf(Post.sent, 121)
    }).pipe(Post.quietly)
  )

  it.effect(`go out once however many send, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const letters = yield* OutgoingMail
      // One invitation's letter over and over: making 300 of them would measure something else.
      const id = yield* Post.invite(world, "ada@example.test")
      const again = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        yield* tenantSql.transaction(
          tenantSql.write(sql`
            INSERT INTO letter (tenant_id, invitation_id) VALUES (${world.tenant}, ${id})
            ON CONFLICT (tenant_id, invitation_id) DO NOTHING
          `)
        )
      }).pipe(Post.inTenant(world))
      for (let number = 1; number <= rounds; number++) {
        yield* again
        yield* Effect.all(
          Array.from({ length: 4 }, () => letters.round),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(Post.sent, number, `Post.round ${number}`)
      }
      assert.deepStrictEqual(yield* Post.waiting(world), [])
    }).pipe(Post.quietly)
  )
})
