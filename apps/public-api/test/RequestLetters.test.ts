/** Letters that ask for documents and do not leave: how many an address may get, and who is told why. */
import { assert, layer } from "@effect/vitest"
import { DocumentRequestLetters } from "@quittance/operations/documents/requests/DocumentRequestLetters"
import { MailNotSent } from "@quittance/operations/mail/Mailer"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import * as Post from "../../../packages/operations/test/Post.ts"
import { call, newTenant, TestLayer } from "./Api.ts"
import { form } from "./Forms.ts"
import { quoted, send } from "./Sales.ts"
import { eicar, scan } from "./Scanning.ts"

const Live = DocumentRequestLetters.layer.pipe(
  Layer.provide(Post.transport),
  Layer.provideMerge(TestLayer)
)

const round = DocumentRequestLetters.use((letters) => letters.round)

const scene = Effect.gen(function* () {
  while (yield* round);
  Post.sent.length = 0
  const sql = yield* SuperuserSql
  const world = yield* newTenant
  const { tenant } = world
  const { customerId, policyId } = yield* quoted(world, world.session)
  const requests = `/documents/policies/${policyId}/requests`
  const ask = Effect.map(
    send(world, world.manager, requests, { kind: "OTHER", customerId, note: "The licence" }),
    ({ body }) => String(body.id)
  )
  /** A visitor brings a file that is rejected. */
  const reject = Effect.fnUntraced(function* (requestId: string) {
    const { body, headers } = form({ kind: "UPLOAD", requestId }, { bytes: eicar })
    const added = yield* call(`/documents/policies/${policyId}/uploads`, {
      tenant,
      token: world.session,
      method: "POST",
      body,
      headers
    })
    assert.strictEqual(added.status, 201, added.text)
    yield* scan()
    yield* round
  })
  const counts = Effect.map(
    sql<{ readonly letters: number }>`
      SELECT letters FROM document_mailbox WHERE tenant_id = ${tenant} ORDER BY letters`,
    (rows) => rows.map(({ letters }) => letters)
  )
  const had = (letters: number) =>
    sql`UPDATE document_mailbox SET letters = ${letters} WHERE tenant_id = ${tenant}`
  const move = (email: string | null) =>
    sql`UPDATE customer SET email = ${email} WHERE id = ${customerId}`
  /** As if the pauses of all letters had gone by. */
  const pass = sql`
    UPDATE document_request_letter SET due_at = clock_timestamp()
    WHERE tenant_id = ${tenant} AND due_at < 'infinity'`
  /** What those who work on the policy are shown of a request's letter. */
  const unsent = (id: string) =>
    Effect.map(
      send(world, world.manager, `/documents/requests/${id}/letters`),
      ({ body }) => body.data as ReadonlyArray<object>
    )
  return { world, customerId, ask, reject, counts, had, move, pass, unsent }
})

layer(Live, { excludeTestServices: true })("letters that ask for documents", (it) => {
  it.effect("are limited where a rejected file has each written, not where people ask", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, counts, customerId, had, reject, unsent } = yield* scene
        const id = yield* ask
        yield* round
        assert.deepStrictEqual(yield* counts, [])
        assert.deepStrictEqual(yield* unsent(id), [])
        yield* reject(id)
        assert.deepStrictEqual(yield* counts, [1])
        yield* had(19)
        yield* reject(id)
        assert.lengthOf(Post.sent, 3)
        yield* reject(id)
        yield* reject(id)
        assert.lengthOf(Post.sent, 3)
        assert.deepStrictEqual(yield* counts, [20])
        assert.deepStrictEqual(yield* unsent(id), [
          { customerId, status: "NOT_SENT", reason: "LIMIT", attempts: 1 }
        ])
        yield* ask
        yield* round
        assert.lengthOf(Post.sent, 4)
      })
    )
  )

  it.effect("are counted for the address that they go to, once for each", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, counts, had, move, pass, reject } = yield* scene
        const id = yield* ask
        yield* round
        Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
        yield* reject(id)
        yield* pass
        yield* round
        assert.deepStrictEqual(yield* counts, [1])
        yield* move("robin@example.test")
        yield* pass
        yield* round
        assert.deepStrictEqual(yield* counts, [1, 1])
        yield* had(20)
        Post.steps.before = () => Effect.void
        yield* move("camille+2@example.test")
        yield* pass
        yield* round
        assert.lengthOf(Post.sent, 1)
        assert.deepStrictEqual(yield* counts, [20, 20])
      })
    )
  )

  it.effect("that do not leave are shown with the reason, until their request is closed", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, customerId, move, pass, unsent, world } = yield* scene
        const id = yield* ask
        Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
        yield* round
        const waits = { customerId, status: "WAITING", attempts: 1 }
        assert.deepStrictEqual(yield* unsent(id), [waits])
        for (let tries = 1; tries < 10; tries += 1) {
          yield* pass
          yield* round
        }
        const tried = { customerId, status: "NOT_SENT", reason: "TRIES", attempts: 10 }
        assert.deepStrictEqual(yield* unsent(id), [tried])
        Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "ADDRESS" }))
        const other = yield* ask
        yield* round
        const unknown = { customerId, status: "NOT_SENT", reason: "ADDRESS", attempts: 1 }
        assert.deepStrictEqual(yield* unsent(other), [unknown])
        yield* move(null)
        const last = yield* ask
        yield* round
        const nowhere = { customerId, status: "NOT_SENT", reason: "NO_ADDRESS", attempts: 1 }
        assert.deepStrictEqual(yield* unsent(last), [nowhere])
        yield* send(world, world.manager, `/documents/requests/${last}/cancel`, {})
        assert.deepStrictEqual(yield* unsent(last), [])
        const path = `/documents/requests/${id}/letters`
        const by = (who: typeof world, token: string) =>
          Effect.map(call(path, { tenant: who.tenant, token }), ({ body, status }) => [
            status,
            body.code
          ])
        assert.deepStrictEqual(yield* by(world, world.session), [403, "FORBIDDEN"])
        const elsewhere = yield* newTenant
        assert.deepStrictEqual(yield* by(elsewhere, elsewhere.manager), [
          404,
          "DOCUMENT_REQUEST_NOT_FOUND"
        ])
      })
    )
  )
})
