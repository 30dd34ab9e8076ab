/** Letters that wait, under transports that fail and senders that die, are sent once, or once more. */
import { assert, layer } from "@effect/vitest"
import * as Secret from "@quittance/auth/Secret"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { LettersRepo, maximumAttempts } from "@quittance/persistence/LettersRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { SuperuserSql } from "@quittance/persistence/testing/PgTest"
import { Effect, Exit, Layer, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { AccessTokens } from "../src/AccessTokens.ts"
import { Accounts } from "../src/Accounts.ts"
import { Invitations } from "../src/Invitations.ts"
import { Issuers } from "../src/Issuers.ts"
import { Letters } from "../src/Letters.ts"
import { LinkKey } from "../src/LinkKey.ts"
import { Mailer, MailNotSent } from "../src/Mailer.ts"
import type { MailMessage } from "../src/MailMessage.ts"
import { unlimited } from "./Unlimited.ts"
import * as World from "./World.ts"

const rounds = 300

/** A transport that keeps what it was given, once it has done what the test wants it to do before. */
const sent: Array<MailMessage> = []
let before: (message: MailMessage) => Effect.Effect<void, MailNotSent> = () => Effect.void
let after: (message: MailMessage) => Effect.Effect<void, MailNotSent> = () => Effect.void
const transport = Layer.succeed(Mailer, {
  send: (message) =>
    Effect.suspend(() => before(message)).pipe(
      Effect.andThen(Effect.sync(() => sent.push(message))),
      Effect.andThen(Effect.suspend(() => after(message)))
    )
})

const TestLayer = Layer.mergeAll(
  Accounts.layer,
  Invitations.layer,
  Letters.layer,
  LettersRepo.layer,
  LinkKey.layer
).pipe(
  Layer.provide(AccessTokens.layer),
  Layer.provide(transport),
  Layer.provide(Issuers.layerOf("https://{tenant}.auth.test", "https://api.test")),
  Layer.provideMerge(unlimited),
  Layer.provideMerge(World.layer)
)

/** What a test has done to the transport ends with it; what a sender logs is no finding. */
const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.ensuring(
      Effect.sync(() => {
        sent.length = 0
        before = () => Effect.void
        after = () => Effect.void
      })
    ),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const round = Effect.flatMap(Letters, (letters) => letters.round)

const invite = Effect.fnUntraced(function* (
  world: World.World,
  email: string,
  names: { readonly firstName?: string; readonly lastName?: string } = {}
) {
  const invitations = yield* Invitations
  const permissions = [{ role: "BROKER", on: { kind: "TENANT" } }] as const
  const input = { email, permissions, ...names }
  return (yield* World.as(world, world.manager)(invitations.create(input))).id
})

const inTenant =
  ({ tenant }: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

/** Lets every letter of a tenant that waits for another try be due. */
const passTime = (world: World.World) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      tenantSql.write(sql`
        UPDATE letter SET due_at = clock_timestamp()
        WHERE tenant_id = ${world.tenant} AND due_at < 'infinity'
      `)
    )
  }).pipe(inTenant(world))

interface Waiting {
  readonly id: string
  readonly attempts: number
  readonly isLost: boolean
  /** Seconds, rounded. */
  readonly pause: number
}

const waiting = (world: World.World) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    return yield* sql<Waiting>`
      SELECT invitation_id AS id, attempts, due_at = 'infinity' AS is_lost,
        CASE WHEN isfinite(due_at)
          THEN ceil(extract(epoch FROM due_at - clock_timestamp()))::int ELSE 0 END AS pause
      FROM letter WHERE tenant_id = ${world.tenant} ORDER BY invitation_id
    `
  })

const addresses = () => sent.map(({ to }) => to).sort()

layer(TestLayer, { excludeTestServices: true })("letters", (it) => {
  it.effect("are tried again when the transport fails, later each time, and kept at last", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* invite(world, "ada@example.test")
      before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
      const pauses: Array<number> = []
      for (let attempt = 1; attempt < maximumAttempts; attempt++) {
        yield* round
        yield* round
        const [letter] = yield* waiting(world)
        assert.deepInclude(letter, { attempts: attempt, isLost: false })
        pauses.push(letter!.pause)
        yield* passTime(world)
      }
      assert.isTrue(pauses.every((pause, index) => Math.abs(pause - 30 * 2 ** index) <= 15))
      yield* round
      yield* passTime(world)
      yield* round
      assert.deepInclude((yield* waiting(world))[0], { attempts: maximumAttempts, isLost: true })
      assert.deepStrictEqual(addresses(), [])
    }).pipe(quietly)
  )

  it.effect("that are given up go out when they are asked for again", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* invite(world, "ada@example.test")
      before = () => Effect.fail(new MailNotSent({ reason: "ADDRESS" }))
      yield* round
      assert.deepInclude((yield* waiting(world))[0], { attempts: 1, isLost: true })
      before = () => Effect.void
      yield* round
      assert.deepStrictEqual(addresses(), [])
      yield* Invitations.use((invitations) =>
        World.as(world, world.manager)(invitations.resend(id))
      )
      yield* round
      assert.deepStrictEqual(addresses(), ["ada@example.test"])
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(quietly)
  )

  it.effect("hold up no other when one of them fails, or its sender", () =>
    Effect.gen(function* () {
      const worlds = [yield* World.make(), yield* World.make()]
      for (const world of worlds) {
        for (const name of ["ada", "bob", "eve"]) yield* invite(world, `${name}@example.test`)
      }
      before = ({ to }) =>
        to.startsWith("bob")
          ? Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
          : to.startsWith("eve")
            ? Effect.die(new Error("a mistake of ours"))
            : Effect.void
      yield* round
      assert.deepStrictEqual(addresses(), ["ada@example.test", "ada@example.test"])
      for (const world of worlds) assert.lengthOf(yield* waiting(world), 2)
    }).pipe(quietly)
  )

  it.effect("go out again when their sender died between sending and removing them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* invite(world, "ada@example.test")
      after = () => Effect.die(new Error("killed"))
      yield* round
      assert.lengthOf(yield* waiting(world), 1)
      after = () => Effect.void
      yield* passTime(world)
      yield* round
      assert.deepStrictEqual(addresses(), ["ada@example.test", "ada@example.test"])
      assert.strictEqual(new Set(sent.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(quietly)
  )

  it.effect("of links that were withdrawn, used or are over are dropped", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const invitations = yield* Invitations
      const accounts = yield* Accounts
      const key = yield* LinkKey
      const sql = yield* SuperuserSql
      const withdrawn = yield* invite(world, "ada@example.test")
      const used = yield* invite(world, "bob@example.test")
      const over = yield* invite(world, "eve@example.test")
      yield* run(invitations.revoke(withdrawn))
      const password = Redacted.make("a harbour with nine cranes")
      yield* accounts
        .accept(key.token(world.tenant, used), { password }, "192.0.2.1")
        .pipe(inTenant(world))
      yield* sql`UPDATE invitation SET expires_at = clock_timestamp() WHERE id = ${over}`
      assert.lengthOf(yield* waiting(world), 3)
      yield* round
      assert.deepStrictEqual(addresses(), [])
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(quietly)
  )

  it.effect("that are asked for while they go out go out once more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* invite(world, "ada@example.test")
      const resend = Invitations.use((invitations) =>
        World.as(world, world.manager)(invitations.resend(id))
      )
      const context = yield* Effect.context<Invitations>()
      after = () => Effect.orDie(Effect.provide(resend, context)).pipe(Effect.asVoid)
      yield* round
      after = () => Effect.void
      assert.lengthOf(yield* waiting(world), 1)
      yield* round
      assert.lengthOf(sent, 2)
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(quietly)
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
      yield* round
      assert.deepStrictEqual(addresses(), [])
    }).pipe(quietly)
  )

  it.effect("of a tenant that sends many let those of others through", () =>
    Effect.gen(function* () {
      const [many, few] = [yield* World.make(), yield* World.make()]
      for (let number = 0; number < 120; number++) yield* invite(many, `${number}@example.test`)
      yield* invite(few, "ada@example.test")
      assert.isTrue(yield* round)
      assert.include(addresses(), "ada@example.test")
      assert.lengthOf(sent, 100)
      assert.isFalse(yield* round)
      assert.lengthOf(sent, 121)
    }).pipe(quietly)
  )

  it.effect(`go out once however many send, in ${rounds} rounds`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const letters = yield* Letters
      // One invitation's letter over and over: making 300 of them would measure something else.
      const id = yield* invite(world, "ada@example.test")
      const again = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        yield* tenantSql.transaction(
          tenantSql.write(sql`
            INSERT INTO letter (tenant_id, invitation_id) VALUES (${world.tenant}, ${id})
            ON CONFLICT (tenant_id, invitation_id) DO NOTHING
          `)
        )
      }).pipe(inTenant(world))
      for (let number = 1; number <= rounds; number++) {
        yield* again
        yield* Effect.all(
          Array.from({ length: 4 }, () => letters.round),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(sent, number, `round ${number}`)
      }
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(quietly)
  )

  it.effect("carry a link whose secret is stored nowhere, and that works", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* invite(world, "ada@example.test", { firstName: "Ada" })
      yield* round
      const [mail] = sent
      const links = [mail!.text, mail!.html].map((text) =>
        /https:\/\/\S+?\/invitation\?token=([\w-]{43})/u.exec(text)!
      )
      assert.strictEqual(links[0]![0], links[1]![0])
      assert.isTrue(links[0]![0].startsWith(`https://${world.tenant}.auth.test/`))
      const sql = yield* SuperuserSql
      const [row] = yield* sql<{ readonly hash: Uint8Array }>`
        SELECT token_hash AS hash FROM invitation WHERE id = ${id}
      `
      assert.deepStrictEqual(
        Buffer.from(row!.hash).toString("hex"),
        Buffer.from(Secret.hash(links[0]![1]!)).toString("hex")
      )
      const accounts = yield* Accounts
      const view = yield* accounts
        .lookUp(Redacted.make(links[0]![1]!), "192.0.2.1")
        .pipe(inTenant(world))
      assert.deepInclude(view, { purpose: "INVITATION", email: "ada@example.test" })
      assert.include(mail!.text, "Hello Ada,")
      assert.include(mail!.text, "manager Test invites you to Test.")
    }).pipe(quietly)
  )

  it.effect("take no name that a mail program could make a link of", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const names = [
        "Win at evil.test",
        "https://evil.test",
        "evil.test/now",
        "<b>Ada</b>",
        "Ada\u202e",
        "call +33 1 23 45",
        "A".repeat(81)
      ]
      for (const [index, firstName] of names.entries()) {
        yield* invite(world, `${index}@example.test`, { firstName })
      }
      yield* round
      assert.lengthOf(sent, names.length)
      for (const { html, text } of sent) {
        assert.include(text, "Hello,\n")
        assert.include(html, "<p>Hello,</p>")
        assert.notMatch(text + html, /evil|<b>|\u202e|\+33/u)
      }
    }).pipe(quietly)
  )
})
