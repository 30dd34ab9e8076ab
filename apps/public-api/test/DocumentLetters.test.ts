/** Documents that products have delivered by e-mail: a letter with a link, which meets the gate that waits. */
import { assert, layer } from "@effect/vitest"
import { MailNotSent } from "@quittance/operations/mail/Mailer"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import * as Post from "../../../packages/operations/test/Post.ts"
import { call, newTenant, TestLayer } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { Letters, linkOf, round, scene } from "./MailedDocuments.ts"
import { plan } from "./PlannedDocuments.ts"
import { send } from "./Sales.ts"

const open = (path: string) =>
  Effect.map(call(path, { method: "POST" }), ({ body, status }) => [status, body?.code])
const ended = [410, "DOCUMENT_LINK_EXPIRED"]

layer(Layer.provideMerge(Letters, TestLayer), { excludeTestServices: true })(
  "letters with documents",
  (it) => {
    it.effect("have a link that opens the document and meets the gate that waits for it", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { customerId, deliveries, lacks, of, waiting, world } = yield* scene
          yield* round
          assert.lengthOf(Post.sent, 0)
          yield* plan(world)
          yield* round
          assert.lengthOf(yield* waiting, 0)
          assert.deepStrictEqual(
            Post.sent.map(({ to }) => to),
            ["camille@example.test", "camille@example.test"]
          )
          const ipid = Post.sent.find(({ subject }) => subject.includes("information"))!
          const quote = Post.sent.find(({ subject }) => subject.includes("Devis"))!
          assert.include(quote.subject, "un document de")
          assert.include(quote.text, "Ouvrir le document")
          assert.include(quote.html, linkOf(quote))
          // A link that was sent proves nothing.
          const { id } = yield* of("QUOTE")
          const [told, ...others] = yield* deliveries(id)
          assert.deepStrictEqual(others, [])
          assert.deepInclude(told, { customerId, channel: "EMAIL", level: "SENT" })
          assert.deepStrictEqual(told!["actor"], { kind: "JOB", id: "document-letters" })
          assert.deepStrictEqual(yield* lacks, [409, "IPID MISSING", "DOCUMENT MISSING"])
          // Programs that look into letters open each link in them.
          const looked = yield* call(`${linkOf(quote)}?`, { method: "HEAD" })
          assert.isBelow(looked.status, 500)
          assert.deepStrictEqual(yield* lacks, [409, "IPID MISSING", "DOCUMENT MISSING"])
          const read = yield* call(linkOf(ipid), { method: "POST" })
          assert.strictEqual(read.header("content-type"), "application/pdf")
          assert.deepStrictEqual(yield* lacks, [409, "DOCUMENT MISSING"])
          assert.deepStrictEqual(yield* open(linkOf(quote)), [200, undefined])
          const proven = yield* deliveries(id)
          assert.deepStrictEqual(proven.map(({ channel, level }) => [channel, level]).sort(), [
            ["EMAIL", "SENT"],
            ["LINK", "OPENED"]
          ])
          const sql = yield* SuperuserSql
          const events = yield* sql`
            SELECT FROM event WHERE kind = 'document.opened' AND subject = ${id}`
          assert.lengthOf(events, 1)
          assert.deepStrictEqual(yield* lacks, [200])
        })
      )
    )

    it.effect("are shown in the list of links as the service's, and can be withdrawn", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { of, world } = yield* scene
          yield* plan(world)
          yield* round
          const { id } = yield* of("QUOTE")
          const { body } = yield* send(world, world.manager, `/documents/${id}/links`)
          const [link] = body.data
          assert.deepStrictEqual(link.author, { kind: "JOB", id: "document-letters" })
          // Seven days of the tenant's time.
          assert.strictEqual(link.expiresAt, "2026-03-17T09:00:00.000Z")
          const letter = Post.sent.find(({ subject }) => subject.includes("Devis"))!
          yield* call(`/documents/links/${link.id}`, {
            tenant: world.tenant,
            token: world.manager,
            method: "DELETE"
          })
          assert.deepStrictEqual(yield* open(linkOf(letter)), ended)
        })
      )
    )

    it.effect("open nothing after seven days, under another tenant, or with another secret", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { deliveries, of, world } = yield* scene
          yield* plan(world)
          yield* round
          const path = linkOf(Post.sent.find(({ subject }) => subject.includes("Devis"))!)
          const other = yield* newTenant
          const last = path.at(-1) === "A" ? "B" : "A"
          for (const forged of [
            path.replace(world.tenant, other.tenant),
            path.slice(0, -1) + last
          ]) {
            assert.deepStrictEqual(yield* open(forged), [404, "DOCUMENT_LINK_NOT_FOUND"])
          }
          yield* moveTo(world, "2026-03-17T09:00:00Z")
          assert.deepStrictEqual(yield* open(path), ended)
          assert.lengthOf(yield* deliveries((yield* of("QUOTE")).id), 1)
        })
      )
    )

    it.effect("open nothing of an offer that has changed since, and are not sent for one", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { lacks, policyId, waiting, world } = yield* scene
          yield* plan(world)
          yield* round
          const first = Post.sent.map(linkOf)
          assert.lengthOf(first, 2)
          yield* send(world, world.session, `/policies/${policyId}/quote`, {})
          yield* plan(world)
          for (const link of first) assert.deepStrictEqual(yield* open(link), ended)
          assert.deepStrictEqual(yield* lacks, [409, "IPID MISSING", "DOCUMENT MISSING"])
          // The letters of the second quote wait when a third one takes its place.
          assert.lengthOf(yield* waiting, 2)
          yield* send(world, world.session, `/policies/${policyId}/quote`, {})
          yield* plan(world)
          assert.lengthOf(yield* waiting, 4)
          yield* round
          assert.lengthOf(Post.sent, 4)
          assert.lengthOf(yield* waiting, 0)
          const links = Post.sent.slice(2).map(linkOf)
          for (const link of links) assert.deepStrictEqual(yield* open(link), [200, undefined])
          assert.deepStrictEqual(yield* lacks, [200])
        })
      )
    )

    it.effect("leave again with the same link, and are on record once, where a sender dies", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { deliveries, of, pass, waiting, world } = yield* scene
          yield* plan(world)
          // The mail server has each letter; the sender dies before it could say so.
          Post.steps.after = () => Effect.die(new Error("killed"))
          yield* round
          assert.lengthOf(Post.sent, 2)
          assert.lengthOf(yield* waiting, 2)
          const { id } = yield* of("QUOTE")
          assert.deepStrictEqual(yield* deliveries(id), [])
          // Until its time has come again, no other sender takes it.
          yield* round
          assert.lengthOf(Post.sent, 2)
          Post.steps.after = () => Effect.void
          yield* pass
          yield* Effect.all([round, round, round], { concurrency: "unbounded" })
          assert.lengthOf(Post.sent, 4)
          assert.lengthOf(new Set(Post.sent.map((message) => message.id)), 2)
          assert.lengthOf(new Set(Post.sent.map(linkOf)), 2)
          assert.lengthOf(yield* waiting, 0)
          assert.lengthOf(yield* deliveries(id), 1)
          yield* plan(world)
          yield* round
          assert.lengthOf(Post.sent, 4)
        })
      )
    )

    it.effect("leave once, in two hundred races of four senders", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { of, world } = yield* scene
          yield* plan(world)
          yield* round
          const { id } = yield* of("QUOTE")
          const sql = yield* SuperuserSql
          for (let race = 0; race < 200; race += 1) {
            Post.sent.length = 0
            // The letter as it was before.
            yield* sql`
                INSERT INTO document_letter (tenant_id, id, document_id, customer_id)
                SELECT tenant_id, id, document_id, customer_id FROM document_link
                WHERE document_id = ${id}`
            yield* sql`DELETE FROM document_sending WHERE document_id = ${id}`
            yield* sql`DELETE FROM document_mailbox WHERE tenant_id = ${world.tenant}`
            yield* Effect.all([round, round, round, round], { concurrency: "unbounded" })
            assert.lengthOf(Post.sent, 1, `race ${race}`)
            const told = yield* sql`SELECT FROM document_sending WHERE document_id = ${id}`
            assert.lengthOf(told, 1, `race ${race}`)
          }
        })
      )
    )

    it.effect(
      "are tried again where the mail server is away, and not where there is no address",
      () =>
        Post.quietly(
          Effect.gen(function* () {
            const { customerId, deliveries, of, pass, waiting, world } = yield* scene
            yield* plan(world)
            Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
            yield* round
            assert.lengthOf(Post.sent, 0)
            const { id } = yield* of("QUOTE")
            assert.deepStrictEqual(yield* deliveries(id), [])
            // The address is refused for good: it stays, and is counted as failed.
            Post.steps.before = ({ subject }) =>
              subject.includes("Devis")
                ? Effect.fail(new MailNotSent({ reason: "ADDRESS" }))
                : Effect.void
            yield* pass
            yield* round
            assert.lengthOf(Post.sent, 1)
            assert.deepStrictEqual(
              (yield* waiting).map(({ due }) => due),
              ["infinity"]
            )
            const sql = yield* SuperuserSql
            yield* sql`UPDATE document_letter SET due_at = clock_timestamp() WHERE document_id = ${id}`
            yield* sql`UPDATE customer SET email = NULL WHERE id = ${customerId}`
            yield* round
            assert.lengthOf(Post.sent, 1)
            assert.lengthOf(yield* waiting, 1)
            assert.deepStrictEqual(yield* deliveries(id), [])
            const { body } = yield* send(world, world.manager, `/documents/${id}/letters`)
            assert.deepStrictEqual(body.data, [
              { customerId, status: "NOT_SENT", reason: "NO_ADDRESS", attempts: 3 }
            ])
          })
        )
    )

    it.effect("wait for their document where that can't be made", () =>
      Post.quietly(
        Effect.gen(function* () {
          const { of, pass, waiting, world } = yield* scene
          yield* plan(world)
          const { id } = yield* of("QUOTE")
          const sql = yield* SuperuserSql
          const template = (version: string) =>
            sql`UPDATE document SET template_version = ${version} WHERE id = ${id}`
          const [before] = yield* sql<{ readonly version: string }>`
            SELECT template_version AS version FROM document WHERE id = ${id}`
          yield* template("none")
          yield* round
          assert.lengthOf(Post.sent, 1)
          assert.lengthOf(yield* waiting, 1)
          assert.strictEqual((yield* of("QUOTE")).status, "FAILED")
          yield* template(before!.version)
          yield* pass
          yield* round
          assert.lengthOf(Post.sent, 2)
          assert.strictEqual((yield* of("QUOTE")).status, "READY")
        })
      )
    )
  }
)
