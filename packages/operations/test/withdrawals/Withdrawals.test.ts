/** Withdrawals from contracts: from the request to the letter and the refund. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { InvoiceId, type PolicyId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Exit, Layer } from "effect"
import { MailNotSent } from "../../src/mail/Mailer.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { WithdrawalLetters } from "../../src/withdrawals/WithdrawalLetters.ts"
import { Withdrawals } from "../../src/withdrawals/Withdrawals.ts"
import * as Post from "../Post.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(Withdrawals.layer, WithdrawalLetters.layer).pipe(
  Layer.provide(Post.transport),
  Layer.provide(Post.issuers),
  Layer.provideMerge(Sold.layer)
)

const withdrawable: Product = {
  ...World.motor,
  stopReasons: [
    ...World.motor.stopReasons,
    { id: "WITHDRAWAL", name: "Withdrawal", refund: "PRO_RATA" }
  ],
  withdrawal: {
    days: 14,
    from: "CONCLUSION",
    channels: ["DISTANCE"],
    stopReason: "WITHDRAWAL",
    refundWithinDays: 30,
    onRequestedStart: "PRO_RATA",
    source: "art. L112-2-1 code des assurances"
  }
}
const island: Product = { ...withdrawable, productId: "motor-re", timeZone: "Indian/Reunion" }

const input = { name: "Camille Martin", email: "camille@example.test" }

/** A contract that was signed on 10 March at 10:00 in Paris, and starts two days later. */
const contract = Effect.fnUntraced(function* (
  product = withdrawable,
  startedAt = "2026-03-12T00:00:00+01:00"
) {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [product])
  const sold = yield* Sold.signed(world, { product, startedAt: World.at(startedAt) })
  const run = World.as(world, world.manager)
  const request = (policyId: PolicyId = sold.policyId, more: object = {}) =>
    run(Withdrawals.use((withdrawals) => withdrawals.request(policyId, { ...input, ...more })))
  const confirm = (id: Effect.Success<ReturnType<typeof request>>["id"]) =>
    run(Withdrawals.use((withdrawals) => withdrawals.confirm(id)))
  const list = run(
    Withdrawals.use((withdrawals) => withdrawals.list(sold.policyId, { count: 10, page: 1 }))
  )
  const policy = run(Policies.use((policies) => policies.get({ policyId: sold.policyId })))
  return { world, sold, run, request, confirm, list, policy }
})

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(TestLayer, { excludeTestServices: true })("a withdrawal", (it) => {
  it.effect("stops the contract once it is confirmed, and credits the days that are left", () =>
    Effect.gen(function* () {
      const { confirm, list, policy, request, run, sold, world } = yield* contract()
      const right = run(Withdrawals.use((withdrawals) => withdrawals.right(sold.policyId)))
      assert.deepInclude(yield* right, {
        status: "OPEN",
        until: World.at("2026-03-25T00:00:00+01:00")
      })
      yield* Sold.moveTo(world, "2026-03-13T09:00:00Z")
      const [first] = yield* Sold.invoices(world, sold)
      yield* run(
        Payments.use((payments) =>
          payments.record(InvoiceId.make(first!.id), {
            amount: first!.total.amountWithFeesAndTaxes,
            method: "BANK_TRANSFER",
            reference: "paid"
          })
        )
      )
      yield* Sold.moveTo(world, "2026-03-15T09:00:00Z")
      assert.strictEqual((yield* policy).status, "POLICY_STARTED")
      const draft = yield* request(sold.policyId, { policyNumber: "1" })
      assert.deepInclude(draft, { status: "DRAFT", endsAt: World.at("2026-03-15T09:00:00Z") })
      assert.isAbove(draft.refund, 0)
      // Asking does nothing.
      assert.strictEqual((yield* policy).status, "POLICY_STARTED")
      const confirmed = yield* confirm(draft.id)
      assert.deepInclude(confirmed, {
        status: "CONFIRMED",
        refund: draft.refund,
        confirmedAt: World.at("2026-03-15T09:00:00Z"),
        refundDueOn: LocalDate.make("2026-04-14")
      })
      assert.deepInclude((yield* policy).stop, { reason: "WITHDRAWAL" })
      assert.strictEqual((yield* policy).status, "POLICY_STOPPED")
      const credited = (yield* Sold.invoices(world, sold))
        .map(({ total }) => total.amountWithFeesAndTaxes)
        .filter((amount) => amount < 0)
        .reduce((sum, amount) => sum + amount, 0)
      assert.strictEqual(credited, -draft.refund)
      assert.deepStrictEqual((yield* list).data, [confirmed])
      assert.deepInclude(yield* right, { exercisedAt: World.at("2026-03-15T09:00:00Z") })
      // A second word on it changes nothing, and there is no contract any more to withdraw from.
      assert.strictEqual(yield* tagOf(confirm(draft.id)), "InvalidTransition")
      assert.strictEqual(yield* tagOf(request()), "InvalidTransition")
      // Nothing was paid back by the last day for it.
      yield* Sold.moveTo(world, "2026-04-14T21:59:59Z")
      assert.isUndefined((yield* list).data[0]!.refundOverdueAt)
      yield* Sold.moveTo(world, "2026-04-14T22:00:00Z")
      assert.strictEqual((yield* list).data[0]!.refundOverdueAt, World.at("2026-04-14T22:00:00Z"))
    })
  )

  it.effect("is possible to the last second of the last local day, and not after it", () =>
    Effect.gen(function* () {
      const zones = [
        [withdrawable, "2026-03-24T22:59:59Z", "2026-03-24T23:00:00Z"],
        [island, "2026-03-24T19:59:59Z", "2026-03-24T20:00:00Z"]
      ] as const
      for (const [product, last, over] of zones) {
        const inTime = yield* contract(product, "2026-06-01T00:00:00+02:00")
        yield* Sold.moveTo(inTime.world, last)
        const { id } = yield* inTime.request()
        assert.strictEqual((yield* inTime.confirm(id)).status, "CONFIRMED")
        const late = yield* contract(product, "2026-06-01T00:00:00+02:00")
        yield* Sold.moveTo(late.world, last)
        const draft = yield* late.request()
        yield* Sold.moveTo(late.world, over)
        for (const attempt of [late.request(), late.confirm(draft.id)]) {
          const refused = yield* Effect.flip(attempt as Effect.Effect<never, object, Withdrawals>)
          assert.deepInclude(refused, { _tag: "WithdrawalOver", until: World.at(over) })
        }
        assert.strictEqual((yield* late.policy).status, "POLICY_SIGNED")
      }
    })
  )

  it.effect(
    "credits all of a contract that has not started, and is owed nothing that was not paid",
    () =>
      Effect.gen(function* () {
        const { confirm, list, policy, request, sold, world } = yield* contract(
          withdrawable,
          "2026-04-01T00:00:00+02:00"
        )
        const { id } = yield* request()
        yield* confirm(id)
        assert.strictEqual((yield* policy).status, "POLICY_STOPPED")
        const total = (yield* Sold.invoices(world, sold)).reduce(
          (sum, invoice) => sum + invoice.total.amountWithFeesAndTaxes,
          0
        )
        assert.strictEqual(total, 0)
        yield* Sold.moveTo(world, "2026-05-15T09:00:00Z")
        assert.isUndefined((yield* list).data[0]!.refundOverdueAt)
      })
  )

  it.effect("is refused on a sale, and for another channel or number", () =>
    Effect.gen(function* () {
      const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [withdrawable])
      const run = World.as(world, world.manager)
      const request = (policyId: PolicyId, more: object = {}) =>
        tagOf(
          run(
            Withdrawals.use((withdrawals) => withdrawals.request(policyId, { ...input, ...more }))
          )
        )
      const open = yield* Sold.confirmed(world, { product: withdrawable })
      assert.strictEqual(yield* request(open.policyId), "InvalidTransition")
      const patch = (salesChannel: "DISTANCE" | "FACE_TO_FACE") =>
        run(
          Policies.use((policies) => policies.update({ policyId: open.policyId }, { salesChannel }))
        )
      assert.strictEqual((yield* patch("FACE_TO_FACE")).salesChannel, "FACE_TO_FACE")
      yield* Sold.sign(world, open, { product: withdrawable })
      assert.strictEqual(yield* request(open.policyId), "WithdrawalOver")
      // How it was sold is settled with the signature.
      assert.strictEqual(yield* tagOf(patch("DISTANCE")), "InvalidTransition")
      const sold = yield* Sold.signed(world, {
        product: withdrawable,
        policy: { salesChannel: "DISTANCE" }
      })
      assert.strictEqual(
        yield* request(sold.policyId, { policyNumber: "4711" }),
        "InvalidReference"
      )
    })
  )

  it.effect("takes effect once, however many confirm it at once", () =>
    Effect.gen(function* () {
      const { confirm, request, sold, world } = yield* contract()
      yield* Sold.moveTo(world, "2026-03-13T09:00:00Z")
      const [one, other] = [yield* request(), yield* request()]
      const exits = yield* Effect.all(
        [one, other, one, other].map(({ id }) => Effect.exit(confirm(id))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      const credits = (yield* Sold.invoices(world, sold)).filter(
        ({ total }) => total.amountWithFeesAndTaxes < 0
      )
      assert.lengthOf(credits, 1)
      const letters = yield* SuperuserSql.use(
        (sql) => sql`SELECT FROM withdrawal_letter WHERE tenant_id = ${world.tenant}`
      )
      assert.lengthOf(letters, 1)
    })
  )

  it.effect("is acknowledged by a letter, once, however often its transport fails", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { confirm, list, request, world } = yield* contract()
        const { id } = yield* request()
        const round = WithdrawalLetters.use((letters) => letters.round)
        // Those of the tests before.
        yield* round
        Post.sent.length = 0
        yield* round
        assert.lengthOf(Post.sent, 0)
        yield* confirm(id)
        Post.steps.before = () => Effect.fail(new MailNotSent({ reason: "TRANSPORT" }))
        yield* round
        assert.isUndefined((yield* list).data[0]!.acknowledgedAt)
        Post.steps.before = () => Effect.void
        yield* SuperuserSql.use(
          (sql) =>
            sql`UPDATE withdrawal_letter SET due_at = clock_timestamp() WHERE tenant_id = ${world.tenant}`
        )
        yield* round
        yield* round
        assert.lengthOf(Post.sent, 1)
        const [{ subject, text, to }] = Post.sent as [(typeof Post.sent)[number]]
        assert.strictEqual(to, input.email)
        assert.include(subject, "1")
        // When it was received, and when the contract ends, in the tenant's language and time zone.
        assert.include(text, "10:00")
        assert.isDefined((yield* list).data[0]!.acknowledgedAt)
      })
    )
  )
})
