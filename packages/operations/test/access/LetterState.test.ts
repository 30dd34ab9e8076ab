/** What an invitation says of its letter, from the first try to the last. */
import { assert, layer } from "@effect/vitest"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Invitations } from "../../src/access/Invitations.ts"
import { MailNotSent } from "../../src/mail/Mailer.ts"
import * as Post from "../Post.ts"
import * as World from "../World.ts"

/** The letter as `GET` of the invitation shows it, which the list has to show too. */
const letter = Effect.fnUntraced(function* (world: World.World, id: InvitationId) {
  const invitations = yield* Invitations
  const run = World.as(world, world.manager)
  const one = yield* run(invitations.get(id))
  const { data } = yield* run(invitations.list({ count: 100, page: 1 }))
  assert.deepStrictEqual(data.find((listed) => listed.id === id)?.letter, one.letter)
  return one.letter
})

const resend = (world: World.World, id: InvitationId) =>
  Invitations.use((invitations) => World.as(world, world.manager)(invitations.resend(id)))

const failing = (reason: MailNotSent["reason"]) => () => Effect.fail(new MailNotSent({ reason }))

layer(Post.TestLayer, { excludeTestServices: true })("the letter on its invitation", (it) => {
  it.effect("waits, fails, waits again and is sent", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      assert.deepStrictEqual(yield* letter(world, id), { state: "WAITING" })
      Post.steps.before = failing("TRANSPORT")
      yield* Post.round
      assert.deepStrictEqual(yield* letter(world, id), { state: "WAITING", reason: "TRANSPORT" })
      for (let attempt = 2; attempt <= maximumAttempts; attempt++) {
        yield* Post.passTime(world)
        yield* Post.round
      }
      const failed = yield* letter(world, id)
      assert.deepInclude(failed, { state: "FAILED", reason: "TRANSPORT" })
      assert.match(failed!.nextStep!, /send it again/u)
      const again = yield* resend(world, id)
      assert.deepStrictEqual(again.letter, { state: "WAITING" })
      Post.steps.before = () => Effect.void
      yield* Post.round
      assert.deepStrictEqual(yield* letter(world, id), { state: "SENT" })
    }).pipe(Post.quietly)
  )

  it.effect("fails at once where no mail can be sent, and says what to do", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      Post.steps.before = failing("ADDRESS")
      yield* Post.round
      const failed = yield* letter(world, id)
      assert.deepInclude(failed, { state: "FAILED", reason: "ADDRESS" })
      assert.include(failed!.nextStep!, "invite the right one")
      const sql = yield* SuperuserSql
      // As the previous release marks a failure.
      yield* sql`UPDATE letter SET failure = NULL WHERE invitation_id = ${id}`
      assert.deepStrictEqual(yield* letter(world, id), failed)
      yield* sql`UPDATE letter SET attempts = ${maximumAttempts} WHERE invitation_id = ${id}`
      assert.deepInclude(yield* letter(world, id), { reason: "TRANSPORT" })
      yield* sql`UPDATE invitation SET expires_at = clock_timestamp() WHERE id = ${id}`
      assert.deepInclude(yield* letter(world, id), { state: "FAILED" })
      const invitations = yield* Invitations
      yield* World.as(world, world.manager)(invitations.revoke(id))
    }).pipe(Post.quietly)
  )

  it.effect("has no state once the invitation is withdrawn", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      const invitations = yield* Invitations
      yield* World.as(world, world.manager)(invitations.revoke(id))
      assert.isUndefined(yield* letter(world, id))
    }).pipe(Post.quietly)
  )
})
