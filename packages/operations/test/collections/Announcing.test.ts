/** Payers are told of their debits before these are collected: once, by a letter, or by people. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Debit } from "@quittance/domain/collections/Debit"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import { localDate, TimeZone } from "@quittance/domain/values/TimeZone"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Worklists } from "../../src/accounting/Worklists.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { DebitLetters } from "../../src/collections/DebitLetters.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { MailNotSent } from "../../src/mail/Mailer.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import { DueItems } from "../../src/worker/DueItems.ts"
import * as Post from "../Post.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const TestLayer = Layer.mergeAll(
  DebitLetters.layer,
  DebitSteps.layer,
  DueItems.layer,
  Worklists.layer
).pipe(
  Layer.provide(Post.transport),
  Layer.provide(Post.issuers),
  Layer.provideMerge(Debited.layer)
)

const email = "camille@example.test"

const made = Effect.fnUntraced(function* (
  customer: { readonly email?: string },
  now: Instant = World.at("2026-03-10T09:00:00Z")
) {
  const world = yield* World.make(now, [World.motor, Debited.product])
  yield* Debited.opened(world)
  const contract = yield* Debited.signed(world, { customer, startedAt: now })
  return { world, contract, run: World.as(world, world.manager) }
})
type Made = Effect.Success<ReturnType<typeof made>>

const wallClock = () => fromEpochMillis(Date.now())

/** Lets the tenant go by the clock on the wall. */
const withoutTestClock = ({ world }: Made) =>
  SuperuserSql.use(
    (sql) => sql`UPDATE tenant SET test_clock = NULL WHERE tenant_id = ${world.tenant}`
  )

/** Runs what is due of the tenant. */
const runDue = ({ world }: Made) =>
  DueItems.use(({ runBatch }) => Effect.repeat(runBatch, { until: ({ more }) => !more })).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

const debits = ({ contract, world }: Made) => Debited.debits(world, contract)
const round = DebitLetters.use((letters) => letters.round)

const tasks = ({ run }: Made) =>
  run(Worklists.use((all) => all.list({ kinds: ["DEBIT_TO_ANNOUNCE"] }, { count: 100, page: 1 })))

const passTime = ({ world }: Made) =>
  SuperuserSql.use(
    (sql) =>
      sql`UPDATE debit_letter SET due_at = clock_timestamp() WHERE tenant_id = ${world.tenant}`
  )

const charged = ({ contract, run }: Made) =>
  run(
    ManualCharges.use((all) =>
      all.make(contract.policyId, { componentId: "COPY", label: "Copy", amount: 500 })
    )
  )

const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" })
const days = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" })

/** What was sent in the name of the tenant. */
const sentOf = ({ world }: Made) => Post.sent.filter(({ id }) => id.startsWith(`${world.tenant}.`))

const sumOf = ({ items }: Debit) => items.reduce((sum, { notified }) => sum + notified, 0)

layer(TestLayer, { excludeTestServices: true })("the payer of a debit", (it) => {
  it.effect("is told amount, day, mandate and creditor, and the debit counts from then", () =>
    Effect.gen(function* () {
      const one = yield* made({ email }, wallClock())
      yield* withoutTestClock(one)
      yield* runDue(one)
      const waiting = yield* debits(one)
      assert.isAbove(waiting.length, 0)
      for (const debit of waiting) {
        assert.strictEqual(debit.announcement, "EMAIL")
        // No file takes it before the letter has left.
        assert.notProperty(debit, "notifiedOn")
      }
      yield* round
      const today = localDate(wallClock(), TimeZone.make("Europe/Paris"))
      const told = yield* debits(one)
      assert.lengthOf(sentOf(one), told.length)
      for (const debit of told) {
        assert.strictEqual(debit.notifiedOn, today)
        assert.isAtLeast(Date.parse(debit.collectOn), Date.parse(addDays(today, 14)))
        const letter = sentOf(one).find(({ id }) => id.endsWith(debit.id))!
        assert.strictEqual(letter.to, email)
        for (const part of [
          euros.format(sumOf(debit) / 100),
          days.format(Date.parse(debit.collectOn)),
          one.contract.mandate.umr,
          "FR72ZZZ123456",
          "Acme Assurances",
          "0106"
        ]) {
          assert.include(letter.text, part)
        }
      }
      // Each is told once.
      yield* runDue(one)
      yield* round
      assert.lengthOf(sentOf(one), told.length)
      assert.strictEqual((yield* tasks(one)).data.length, 0)
    }).pipe(Post.quietly)
  )

  it.effect("is told again of what comes on top, as a debit of its own", () =>
    Effect.gen(function* () {
      const one = yield* made({ email })
      yield* charged(one)
      yield* Contracts.moveTo(one.world, "2026-03-10T09:00:01Z")
      const before = yield* debits(one)
      assert.isTrue(before.every(({ notifiedOn }) => notifiedOn === "2026-03-10"))
      yield* charged(one)
      const after = yield* debits(one)
      assert.lengthOf(after, before.length + 1)
      for (const debit of before) {
        assert.deepStrictEqual(after.find(({ id }) => id === debit.id)?.items, debit.items)
      }
      yield* Contracts.moveTo(one.world, "2026-03-10T09:00:02Z")
      yield* round
      assert.deepStrictEqual(
        sentOf(one)
          .map(({ id }) => id.split(".").at(-1))
          .toSorted(),
        after.map(({ id }) => String(id)).toSorted()
      )
    }).pipe(Post.quietly)
  )

  it.effect("who has no address waits in the worklist for people, and is in no file", () =>
    Effect.gen(function* () {
      const one = yield* made({})
      yield* Contracts.moveTo(one.world, "2026-05-20T09:00:00Z")
      const waiting = yield* debits(one)
      for (const debit of waiting) {
        assert.deepInclude(debit, { status: "PLANNED", announcement: "BY_HAND" })
        assert.notProperty(debit, "notifiedOn")
      }
      const { data } = yield* tasks(one)
      assert.deepStrictEqual(
        data.map(({ recordId }) => recordId).toSorted(),
        waiting.map(({ id }) => String(id)).toSorted()
      )
      const [first] = waiting
      assert.deepInclude(
        data.find(({ recordId }) => recordId === first!.id),
        {
          policyId: one.contract.policyId,
          amount: sumOf(first!),
          permitted: true,
          command: {
            method: "POST",
            path: `/debits/${first!.id}/notification`,
            action: "collection.write"
          }
        }
      )
      yield* one.run(DebitSteps.use((all) => all.notify(first!.id)))
      assert.strictEqual((yield* tasks(one)).data.length, waiting.length - 1)
      yield* round
      assert.deepStrictEqual(sentOf(one), [])
    }).pipe(Post.quietly)
  )

  it.effect("whom no letter reaches is left to people, in the end", () =>
    Effect.gen(function* () {
      const one = yield* made({ email }, wallClock())
      yield* withoutTestClock(one)
      yield* runDue(one)
      Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
      const ids = (yield* debits(one)).map(({ id }) => String(id))
      for (let attempt = 0; attempt < 10; attempt++) {
        assert.strictEqual((yield* tasks(one)).data.length, 0)
        yield* passTime(one)
        yield* round
      }
      assert.deepStrictEqual(
        (yield* tasks(one)).data.map(({ recordId }) => recordId).toSorted(),
        ids.toSorted()
      )
      Post.steps.before = () => Effect.void
      yield* round
      assert.deepStrictEqual(sentOf(one), [])
    }).pipe(Post.quietly)
  )

  it.effect("is told by people alone who told them first, and of no debit that was cancelled", () =>
    Effect.gen(function* () {
      const one = yield* made({ email }, wallClock())
      yield* withoutTestClock(one)
      yield* runDue(one)
      yield* charged(one)
      yield* runDue(one)
      const [first, ...others] = yield* debits(one)
      assert.isAbove(others.length, 0)
      const told = yield* one.run(DebitSteps.use((all) => all.notify(first!.id)))
      assert.deepInclude(told, { announcement: "BY_HAND" })
      yield* one.run(Mandates.use((all) => all.cancel(one.contract.mandate.id)))
      yield* round
      assert.deepStrictEqual(sentOf(one), [])
      yield* passTime(one)
      yield* round
      assert.deepStrictEqual(sentOf(one), [])
    }).pipe(Post.quietly)
  )

  it.effect("is not told of a debit whose mandate can't be used any more", () =>
    Effect.gen(function* () {
      const one = yield* made({ email })
      // As if it had been withdrawn while the debit was planned.
      yield* SuperuserSql.use(
        (sql) => sql`UPDATE mandate SET status = 'BLOCKED' WHERE tenant_id = ${one.world.tenant}`
      )
      yield* Contracts.moveTo(one.world, "2026-03-10T09:00:01Z")
      for (const debit of yield* debits(one)) {
        assert.deepInclude(debit, { status: "CANCELLED", cancellation: "MANDATE_NOT_USABLE" })
      }
      yield* round
      assert.deepStrictEqual(sentOf(one), [])
    }).pipe(Post.quietly)
  )
})
