/** Letters that tell users of a change: from the event to the transport, through failures and deaths. */
import { assert, layer } from "@effect/vitest"
import { subject, type UserId } from "@quittance/domain/requests/Caller"
import { WebhookId } from "@quittance/domain/values/Ids"
import { example } from "@quittance/domain/values/PrefixedId"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import { NoticeLettersRepo } from "@quittance/persistence/access/NoticeLettersRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { LetterRefusals } from "../../src/access/LetterRefusals.ts"
import { NoticeLetters } from "../../src/access/NoticeLetters.ts"
import { AccountNotices } from "../../src/events/AccountNotices.ts"
import { EventConsumers } from "../../src/events/EventConsumers.ts"
import { EventSequencer } from "../../src/events/EventSequencer.ts"
import { MailNotSent } from "../../src/mail/Mailer.ts"
import { AuditTrail } from "../../src/requests/AuditTrail.ts"
import * as Feeds from "../Feeds.ts"
import * as Post from "../Post.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(
  AccountNotices.layer,
  AuditTrail.layer,
  EventConsumers.layer,
  EventSequencer.layer,
  LetterRefusals.layer,
  NoticeLetters.layer,
  NoticeLettersRepo.layer
).pipe(Layer.provide(Post.transport), Layer.provide(Post.issuers), Layer.provideMerge(World.layer))

const round = NoticeLetters.use((letters) => letters.round)
const userOf = ({ manager }: World.World) =>
  // A manager is a user.
  subject(manager) as UserId

/** Records what happened to an account, and has the consumer write down the letters. */
const happen = (
  world: World.World,
  action: "user.password.set" | "user.factor.add" | "user.update"
) =>
  Effect.gen(function* () {
    const user = yield* UsersRepo.use((users) => users.find(userOf(world)))
    yield* Feeds.transaction(
      AuditTrail.use((audit) =>
        audit.recordBy(
          { kind: "USER", id: userOf(world) },
          { action, recordId: userOf(world), before: user!, after: user! }
        )
      )
    )
    yield* Feeds.sequence
    yield* Feeds.consume(yield* AccountNotices)
  }).pipe(Post.inTenant(world))

const waiting = ({ tenant }: World.World) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly kind: string; readonly attempts: number }>`
      SELECT kind, attempts FROM notice_letter WHERE tenant_id = ${tenant} ORDER BY kind
    `
  )

const passTime = ({ tenant }: World.World) =>
  SuperuserSql.use(
    (sql) => sql`UPDATE notice_letter SET due_at = clock_timestamp() WHERE tenant_id = ${tenant}`
  )

const tellManagers = (world: World.World) =>
  Feeds.transaction(
    NoticeLettersRepo.use((letters) =>
      letters.tellManagers("WEBHOOK_FAILING", WebhookId.make(example("webhook")), 0)
    )
  ).pipe(Post.inTenant(world))

layer(TestLayer, { excludeTestServices: true })("a letter that tells of a change", (it) => {
  it.effect("goes to the user whose password or second factor was changed, and to no other", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* happen(world, "user.update")
      yield* happen(world, "user.password.set")
      yield* happen(world, "user.factor.add")
      yield* round
      assert.deepStrictEqual(Post.addresses(), ["manager@example.test", "manager@example.test"])
      assert.sameMembers(
        Post.sent.map(({ subject }) => subject),
        [
          "Votre mot de passe pour Test a été modifié",
          "Votre second facteur pour Test a été modifié"
        ]
      )
      for (const { text, unsubscribe } of Post.sent) {
        assert.include(text, `https://${world.tenant}.auth.test/password/forgot`)
        assert.isUndefined(unsubscribe)
      }
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("is tried ten times, then abandoned; at once where the address is none", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* happen(world, "user.password.set")
      Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
      for (let attempt = 1; attempt < maximumAttempts; attempt++) {
        yield* round
        yield* round
        assert.deepStrictEqual(yield* waiting(world), [
          { kind: "PASSWORD_CHANGED", attempts: attempt }
        ])
        yield* passTime(world)
      }
      yield* round
      assert.deepStrictEqual(yield* waiting(world), [])
      yield* happen(world, "user.password.set")
      Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "ADDRESS" }))
      yield* round
      assert.deepStrictEqual(yield* waiting(world), [])
      assert.deepStrictEqual(Post.addresses(), [])
    }).pipe(Post.quietly)
  )

  it.effect("goes out again with the same id when its sender died, but not for ever", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* happen(world, "user.password.set")
      Post.steps.after = () => Effect.die(new Error("killed"))
      for (let attempt = 1; attempt <= maximumAttempts + 2; attempt++) {
        yield* round
        yield* passTime(world)
      }
      assert.lengthOf(Post.sent, maximumAttempts)
      assert.lengthOf(new Set(Post.sent.map(({ id }) => id)), 1)
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("is dropped where its reader was disabled meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* happen(world, "user.password.set")
      const disable = UsersRepo.use((users) => users.disable(userOf(world)))
      yield* Feeds.transaction(disable).pipe(Post.inTenant(world))
      yield* round
      assert.deepStrictEqual(Post.addresses(), [])
      assert.deepStrictEqual(yield* waiting(world), [])
    }).pipe(Post.quietly)
  )

  it.effect("about a webhook goes to its managers, who can refuse it by the link in it alone", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const other = yield* World.make()
      yield* tellManagers(world)
      yield* round
      assert.deepStrictEqual(Post.addresses(), ["manager@example.test"])
      const link = new URL(Post.sent[0]!.unsubscribe!)
      assert.include(Post.sent[0]!.text, link.href)
      const token = Redacted.make(link.searchParams.get("token")!)
      const userId = userOf(world)
      assert.strictEqual(link.searchParams.get("user"), userId)
      const refusals = yield* LetterRefusals
      const set = (of: World.World, secret: Redacted.Redacted, isRefused: boolean) =>
        refusals.set({ userId, token: secret }, isRefused).pipe(Post.inTenant(of))
      assert.isFalse(yield* set(world, Redacted.make("A".repeat(43)), true))
      assert.isFalse(yield* set(other, token, true))
      yield* tellManagers(world)
      assert.isTrue(yield* set(world, token, true))
      assert.isTrue(yield* set(world, token, true))
      yield* tellManagers(world)
      yield* happen(world, "user.password.set")
      yield* round
      // The one that waited was refused, too; letters about the account can't be.
      assert.lengthOf(Post.sent, 2)
      assert.isUndefined(Post.sent[1]!.unsubscribe)
      assert.isTrue(yield* set(world, token, false))
      yield* tellManagers(world)
      yield* round
      assert.lengthOf(Post.sent, 3)
    }).pipe(Post.quietly)
  )
})
