/** How many letters about offers an address may get: visitors type in addresses that may be others'. */
import { assert, layer } from "@effect/vitest"
import { Mailboxes } from "@quittance/operations/documents/links/Mailboxes"
import { MailNotSent } from "@quittance/operations/mail/Mailer"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { QueuesRepo } from "@quittance/persistence/worker/QueuesRepo"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import * as Post from "../../../packages/operations/test/Post.ts"
import { newTenant, TestLayer } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { Letters, round, scene } from "./MailedDocuments.ts"
import { plan } from "./PlannedDocuments.ts"
import { send } from "./Sales.ts"

const Live = Layer.mergeAll(Letters, Mailboxes.layer, QueuesRepo.layer).pipe(
  Layer.provideMerge(TestLayer)
)

/** The mailbox of the tenant has had so many letters. */
const had = (tenant: string, letters: number) =>
  SuperuserSql.use(
    (sql) => sql`UPDATE document_mailbox SET letters = ${letters} WHERE tenant_id = ${tenant}`
  )

const counts = (tenant: string) =>
  SuperuserSql.use((sql) =>
    Effect.map(
      sql<{ readonly letters: number }>`
        SELECT letters FROM document_mailbox WHERE tenant_id = ${tenant} ORDER BY letters`,
      (rows) => rows.map(({ letters }) => letters)
    )
  )

layer(Live, { excludeTestServices: true })("letters of an address", (it) => {
  it.effect("are twenty about offers in a day; the next ones stay, and say why", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { customerId, of, policyId, waiting, world } = yield* scene
        const failedBefore = (yield* (yield* QueuesRepo).letters).failed
        yield* plan(world)
        yield* round
        assert.lengthOf(Post.sent, 2)
        assert.deepStrictEqual(yield* counts(world.tenant), [2])
        yield* had(world.tenant, 19)
        // The same mailbox, written in another way.
        const sql = yield* SuperuserSql
        yield* sql`UPDATE customer SET email = 'Camille+2@Example.test' WHERE id = ${customerId}`
        yield* send(world, world.session, `/policies/${policyId}/quote`, {})
        yield* plan(world)
        yield* round
        assert.lengthOf(Post.sent, 3)
        assert.deepStrictEqual(yield* counts(world.tenant), [20])
        const stayed = yield* Effect.forEach(["IPID", "QUOTE"], (kind) =>
          Effect.flatMap(of(kind), ({ id }) =>
            Effect.map(
              send(world, world.manager, `/documents/${id}/letters`),
              ({ body }) => body.data as ReadonlyArray<object>
            )
          )
        )
        assert.deepStrictEqual(stayed.flat(), [
          { customerId, status: "NOT_SENT", reason: "LIMIT", attempts: 1 }
        ])
        assert.deepStrictEqual(
          (yield* waiting).map(({ due }) => due),
          ["infinity"]
        )
        // What the service keeps back on purpose is no failure of its letters.
        assert.strictEqual((yield* (yield* QueuesRepo).letters).failed, failedBefore)
        // Another address has a day of its own.
        yield* sql`UPDATE customer SET email = 'other@example.test' WHERE id = ${customerId}`
        yield* send(world, world.session, `/policies/${policyId}/quote`, {})
        yield* plan(world)
        yield* round
        assert.lengthOf(Post.sent, 5)
        assert.deepStrictEqual(yield* counts(world.tenant), [2, 20])
        // A day later, by the tenant's clock; until its last instant nothing leaves.
        yield* sql`UPDATE customer SET email = 'camille@example.test' WHERE id = ${customerId}`
        for (const [time, letters] of [
          ["2026-03-11T08:59:59.999Z", 5],
          ["2026-03-11T09:00:00Z", 7]
        ] as const) {
          yield* moveTo(world, time)
          yield* send(world, world.session, `/policies/${policyId}/quote`, {})
          yield* plan(world)
          yield* round
          assert.lengthOf(Post.sent, letters)
        }
        // The other address is forgotten by the collection of each day.
        assert.deepStrictEqual(yield* counts(world.tenant), [2, 2])
      })
    )
  )

  it.effect("are counted once for a letter that is tried again", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { pass, world } = yield* scene
        yield* plan(world)
        Post.steps.after = () => Effect.die(new Error("killed"))
        yield* round
        yield* had(world.tenant, 20)
        Post.steps.after = () => Effect.void
        yield* pass
        yield* round
        assert.lengthOf(Post.sent, 4)
        assert.deepStrictEqual(yield* counts(world.tenant), [20])
      })
    )
  )

  it.effect(
    "are counted for the address that they go to, where the customer has another since",
    () =>
      Post.quietly(
        Effect.gen(function* () {
          const { customerId, pass, waiting, world } = yield* scene
          yield* plan(world)
          Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
          yield* round
          const tenantSql = yield* TenantSql
          yield* tenantSql
            .transaction(Mailboxes.use((mailboxes) => mailboxes.take("robin@example.test")))
            .pipe(Effect.provideService(CurrentTenant, world.tenant))
          yield* had(world.tenant, 20)
          const sql = yield* SuperuserSql
          yield* sql`UPDATE customer SET email = 'robin@example.test' WHERE id = ${customerId}`
          Post.steps.before = () => Effect.void
          yield* pass
          yield* round
          assert.deepStrictEqual(
            Post.sent.map(({ to }) => to),
            []
          )
          assert.deepStrictEqual(
            (yield* waiting).map(({ due }) => due),
            ["infinity", "infinity"]
          )
          assert.deepStrictEqual(yield* counts(world.tenant), [20, 20])
        })
      )
  )

  it.effect("are never one more, in two hundred races of four for the last one", () =>
    Effect.gen(function* () {
      const { tenant } = yield* newTenant
      const mailboxes = yield* Mailboxes
      const tenantSql = yield* TenantSql
      const take = tenantSql.transaction(mailboxes.take("sam@example.test"))
      const inTenant = Effect.provideService(CurrentTenant, tenant)
      yield* inTenant(take)
      for (let race = 0; race < 200; race += 1) {
        yield* had(tenant, 19)
        const taken = yield* Effect.all([take, take, take, take], {
          concurrency: "unbounded"
        }).pipe(inTenant)
        assert.lengthOf(taken.filter(Boolean), 1, `race ${race}`)
      }
      assert.deepStrictEqual(yield* counts(tenant), [20])
    })
  )
})
