import { assert, layer } from "@effect/vitest"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Approvals } from "../../src/payouts/Approvals.ts"
import { Payouts } from "../../src/payouts/Payouts.ts"
import { Screening } from "../../src/payouts/Screening.ts"
import type { ApprovalId, Payout } from "@quittance/domain/payouts/Payout"
import type { Caller } from "@quittance/domain/requests/Caller"
import * as PaidOut from "./PaidOut.ts"

const requesting: ReadonlyArray<Action> = ["payout.request", "payout.read", "payment_method.read"]
const approving: ReadonlyArray<Action> = ["payout.approve"]

const approve = (made: PaidOut.PaidOut, id: ApprovalId, caller?: Caller, reason?: string) =>
  PaidOut.as(
    made,
    caller
  )(Approvals.use((approvals) => approvals.approve(id, reason === undefined ? {} : { reason })))

const cancel = (made: PaidOut.PaidOut, { id }: Payout) =>
  PaidOut.as(made)(Payouts.use((payouts) => payouts.cancel(id)))

const tagOf = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.match(attempt, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Success" })

layer(PaidOut.TestLayer, { excludeTestServices: true })("a payout of a credit balance", (it) => {
  it.effect("is refused without the permission, beyond the balance, and to no usable account", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const other = yield* PaidOut.make
      const { auditor } = made.world
      assert.strictEqual(yield* tagOf(PaidOut.request(made, { caller: auditor })), "Forbidden")
      assert.strictEqual(yield* tagOf(PaidOut.request(made, { amount: 501 })), "InvalidAmount")
      const foreign = PaidOut.request(made, { to: other.method.id })
      assert.strictEqual(yield* tagOf(foreign), "InvalidPaymentMethod")
      const payout = yield* PaidOut.request(made)
      const seen = PaidOut.as(other)(Payouts.use((payouts) => payouts.get(payout.id)))
      assert.strictEqual(yield* tagOf(seen), "PayoutNotFound")
      assert.strictEqual(yield* PaidOut.balance(made), 0)
    })
  )

  it.effect("is posted at once, paid, and on the balance again where the bank gives it back", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const payout = yield* PaidOut.request(made, { amount: 300 })
      assert.deepInclude(payout, { status: "APPROVED", amount: 300, currency: PaidOut.eur })
      assert.match(payout.endToEndId, /^PO\d{12}$/u)
      assert.strictEqual(yield* PaidOut.balance(made), 200)
      const run = PaidOut.as(made)
      const paid = yield* run(Payouts.use((payouts) => payouts.recordPaid(payout.id, {})))
      assert.strictEqual(paid.status, "PAID")
      const before = "2026-04-14T00:00:00.000Z" as const
      const early = Payouts.use((payouts) =>
        payouts.recordFailed(payout.id, { reasonCode: "AC04", failedAt: before as never })
      )
      assert.strictEqual(yield* tagOf(run(early)), "InvalidEffectiveDate")
      const fail = Payouts.use((payouts) => payouts.recordFailed(payout.id, { reasonCode: "AC04" }))
      assert.strictEqual((yield* run(fail)).outcome?.reasonCode, "AC04")
      assert.strictEqual(yield* PaidOut.balance(made), 500)
      assert.strictEqual(yield* tagOf(run(fail)), "InvalidTransition")
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )

  it.effect("waits for another person whose authority reaches it", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const asker = yield* PaidOut.deskOf(made, "ASKERS", [...requesting, ...approving], {
        payout: { [PaidOut.eur]: 100 }
      })
      const small = yield* PaidOut.deskOf(made, "SMALL", approving, {
        payout: { [PaidOut.eur]: 399 }
      })
      const large = yield* PaidOut.deskOf(made, "LARGE", approving, {
        payout: { [PaidOut.eur]: 400 }
      })
      assert.strictEqual(
        (yield* PaidOut.request(made, { amount: 100, caller: asker })).status,
        "APPROVED"
      )
      const payout = yield* PaidOut.request(made, { amount: 400, caller: asker })
      assert.strictEqual(payout.status, "AWAITING_APPROVAL")
      const id = payout.approvalId!
      const { data } = yield* PaidOut.as(
        made,
        large
      )(
        Approvals.use((approvals) =>
          approvals.list({ statuses: ["PENDING"] }, { page: 1, count: 10 })
        )
      )
      assert.deepStrictEqual(
        data.map(({ reasons }) => reasons),
        [["ABOVE_AUTHORITY"]]
      )
      const settle = Payouts.use((payouts) => payouts.recordPaid(payout.id, {}))
      assert.strictEqual(yield* tagOf(PaidOut.as(made)(settle)), "InvalidTransition")
      assert.strictEqual(yield* tagOf(approve(made, id, asker)), "SamePerson")
      const beyond = yield* Effect.flip(approve(made, id, small))
      assert.deepInclude(beyond, { _tag: "AuthorityExceeded", limit: 399, needed: 400 })
      const approved = yield* approve(made, id, large)
      assert.deepInclude(approved, { status: "APPROVED", recordId: payout.id })
      assert.strictEqual(approved.decision?.by, large.userId)
      assert.strictEqual(yield* tagOf(approve(made, id, large)), "InvalidTransition")
      assert.strictEqual((yield* PaidOut.as(made)(settle)).status, "PAID")
    })
  )

  it.effect(
    "waits for another person to go to a new account, or one whose holder has another name",
    () =>
      Effect.gen(function* () {
        const made = yield* PaidOut.make
        const { id: to } = yield* PaidOut.methodOf(made.world, made.contract, "Camille NOMATCH")
        const payout = yield* PaidOut.request(made, { to })
        const refuse = Approvals.use((approvals) =>
          approvals.reject(payout.approvalId!, { reason: "Not theirs" })
        )
        assert.strictEqual(yield* tagOf(PaidOut.as(made)(refuse)), "SamePerson")
        const other = yield* PaidOut.deskOf(made, "OTHERS", approving, {})
        const { decision, reasons, status } = yield* PaidOut.as(made, other)(refuse)
        assert.deepStrictEqual(reasons, ["NEW_ACCOUNT", "NO_MATCH"])
        assert.deepStrictEqual([status, decision?.reason], ["REJECTED", "Not theirs"])
        assert.strictEqual(yield* PaidOut.balance(made), 500)
        assert.isUndefined(yield* PaidOut.difference(made))
      })
  )

  it.effect("is not paid before a name that nearly matches is confirmed", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE payment_method SET holder_name = 'Camille Martin CLOSEMATCH'
        WHERE tenant_id = ${made.world.tenant}
      `
      const payout = yield* PaidOut.request(made)
      assert.deepInclude(payout.payeeCheck, { result: "CLOSE_MATCH", nameAtBank: "Camille Martin" })
      const run = PaidOut.as(made)
      const pay = run(Payouts.use((payouts) => payouts.recordPaid(payout.id, {})))
      assert.strictEqual(yield* tagOf(pay), "InvalidTransition")
      yield* run(Payouts.use((payouts) => payouts.confirmPayee(payout.id)))
      assert.strictEqual((yield* pay).status, "PAID")
    })
  )

  it.effect(
    "is screened: a hit is approved with a reason, and without a list nothing leaves in production",
    () =>
      Effect.gen(function* () {
        const made = yield* PaidOut.make
        const inTenant = Effect.provideService(CurrentTenant, made.world.tenant)
        const first = yield* PaidOut.request(made, { amount: 1 })
        assert.strictEqual(first.screening.result, "NOT_SCREENED")
        const sql = yield* SuperuserSql
        // Production goes by real time.
        const moveTo = (environment: string, clock: string | null) => sql`
        UPDATE tenant SET environment = ${environment}, test_clock = ${clock}::timestamptz
        WHERE tenant_id = ${made.world.tenant}
      `
        yield* moveTo("production", null)
        assert.strictEqual(yield* tagOf(PaidOut.request(made, { amount: 1 })), "NotScreened")
        yield* moveTo("sandbox", "2026-04-15T12:00:00Z")
        const list = {
          version: "2026-04-10",
          entries: [
            { id: "EU.1", names: ["Jean Dupont"] },
            { id: "EU.2", names: ["Anatole MARTIN", "MARTIN, Camille Anne"] }
          ]
        } as const
        const load = Screening.use((screening) => screening.load(list)).pipe(inTenant)
        assert.deepStrictEqual([yield* load, yield* load], [{ isNew: true }, { isNew: false }])
        const payout = yield* PaidOut.request(made, { amount: 1 })
        assert.deepInclude(payout.screening, {
          result: "HIT",
          listVersion: "2026-04-10",
          entries: ["EU.2"]
        })
        const other = yield* PaidOut.deskOf(made, "OTHERS", approving, {
          payout: { [PaidOut.eur]: 1 }
        })
        const id = payout.approvalId!
        assert.strictEqual(yield* tagOf(approve(made, id, other)), "InvalidReference")
        const { decision } = yield* approve(made, id, other, "Born in 1984")
        assert.strictEqual(decision?.reason, "Born in 1984")
      })
  )

  it.effect(
    "is decided once by two people at once, and never both approved and cancelled, 100 rounds",
    () =>
      Effect.gen(function* () {
        const made = yield* PaidOut.make
        const asker = yield* PaidOut.deskOf(made, "ASKERS", requesting, {})
        const full = { payout: { [PaidOut.eur]: 500 } }
        const one = yield* PaidOut.deskOf(made, "ONES", approving, full)
        const two = yield* PaidOut.deskOf(made, "TWOS", approving, full)
        for (let round = 0; round < 100; round++) {
          const payout = yield* PaidOut.request(made, { amount: 500, caller: asker })
          const id = payout.approvalId!
          const outcomes = yield* Effect.all(
            [
              tagOf(approve(made, id, one)),
              tagOf(approve(made, id, two)),
              ...(round % 2 === 0 ? [] : [tagOf(cancel(made, payout))])
            ],
            { concurrency: "unbounded" }
          )
          const approvals = outcomes.slice(0, 2).filter((tag) => tag === "Success")
          const isCancelled = outcomes[2] === "Success"
          assert.isAtMost(approvals.length, 1)
          if (!isCancelled) {
            assert.strictEqual(approvals.length, 1)
            yield* cancel(made, payout)
          }
          assert.strictEqual(yield* PaidOut.balance(made), 500)
        }
        assert.isUndefined(yield* PaidOut.difference(made))
      })
  )

  it.effect("takes a balance once, however many ask for it at once, 100 rounds", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      for (let round = 0; round < 100; round++) {
        const asked = yield* Effect.all(
          [300, 300].map((amount) => Effect.option(PaidOut.request(made, { amount }))),
          { concurrency: "unbounded" }
        )
        const payouts = asked.flatMap((found) => (found._tag === "Some" ? [found.value] : []))
        assert.strictEqual(payouts.length, 1)
        assert.strictEqual(yield* PaidOut.balance(made), 200)
        yield* cancel(made, payouts[0]!)
      }
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )
})
