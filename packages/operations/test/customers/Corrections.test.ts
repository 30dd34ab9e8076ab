/** What was invoiced and is no longer right: corrected in the transaction of the command that made it so. */
import { assert, layer } from "@effect/vitest"
import { costOfDays } from "@quittance/billing/periods/Plan"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { addMonths, daysBetween, LocalDate } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { Billing } from "../../src/billing/Billing.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  CustomerPolicies.layer,
  PolicyHistory.layer,
  QuotesRepo.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const yearly: InvoicingConfig = {
  frequency: "YEARLY",
  timing: "IN_ADVANCE",
  firstPayment: "NONE"
}

const firstDay = LocalDate.make("2026-04-01")
const day = (text: string) => LocalDate.make(text)
const startOf = (text: string) => startOfDay(day(text), "Europe/Paris")

/** The first days of the periods of a monthly grid. */
const months = Array.from({ length: 12 }, (_, month) => addMonths(firstDay, month))

interface Scene {
  readonly world: World.World
  readonly contract: PolicyLifecycle.Contract
}

/** A motor policy from 1 April 2026, the clock at noon of a later day. */
const scene = Effect.fnUntraced(function* (today: string, invoicingConfig = yearly) {
  const world = yield* World.make()
  const contract = yield* PolicyLifecycle.signed(world, { policy: { invoicingConfig } })
  yield* PolicyLifecycle.moveTo(world, `${today}T12:00:00Z`)
  return { world, contract } satisfies Scene
})

const as = ({ world }: Scene) => World.as(world, world.manager)

/** Another mileage from a day on, on a branch. */
const endorsement = Effect.fnUntraced(function* (at: Scene, from: string, value = 30_000) {
  const run = as(at)
  const { policyId } = at.contract
  const opened = { branchType: "MTA", effectiveAt: startOf(from) } as const
  const branch = yield* run(Branches.use((branches) => branches.open({ policyId }, opened)))
  const on = { policyId, branchId: branch.id }
  const customFields = [{ key: "annualMileage", value }]
  yield* run(Policies.use((policies) => policies.update(on, { customFields })))
  return on
})

/** Another mileage from a day on, quoted, confirmed and signed. */
const endorse = Effect.fnUntraced(function* (at: Scene, from: string) {
  yield* PolicyLifecycle.endorse(at.world, yield* endorsement(at, from))
})

/** Stops the policy, and asks beforehand what that would give back and charge. */
const stop = Effect.fnUntraced(function* (at: Scene, reason: string, whenAt: string) {
  const { policyId } = at.contract
  const stopped = ContractSteps.use((steps) =>
    steps.stop({ policyId, whenAt: startOf(whenAt) }, { reason })
  )
  const before = yield* invoicesAt(at)
  const tried = yield* World.as(at.world, at.world.manager, { dryRun: true })(stopped)
  assert.deepStrictEqual(yield* invoicesAt(at), before)
  const answer = yield* as(at)(stopped)
  assert.isUndefined(answer.preview)
  const known = new Set(before.map(({ id }) => id))
  const made = (yield* invoicesAt(at)).filter(({ id }) => !known.has(id))
  const totals = made.map(({ total }) => total.amountWithFeesAndTaxes)
  assert.deepInclude(tried.preview, {
    refund: totals.reduce((sum, total) => sum + Math.max(0, -total), 0),
    charge: totals.reduce((sum, total) => sum + Math.max(0, total), 0)
  })
  return answer
})

const invoicesAt = ({ contract, world }: Scene) => PolicyLifecycle.invoices(world, contract)

const totalOf = (invoices: ReadonlyArray<Invoice>) =>
  invoices.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)

/** The premium items of the accepted quotes, in the order in which they were made. */
const quotesOf = (at: Scene) =>
  as(at)(
    Effect.map(
      QuotesRepo.use((quotes) =>
        quotes.listByPolicy(
          { policyId: at.contract.policyId, branchId: undefined, until: undefined },
          { count: 10, page: 1 }
        )
      ),
      ({ rows }) => [...rows].reverse().map(({ content }) => content.premiumItems)
    )
  )

const recurring = (premiumItems: ReadonlyArray<PremiumItem>) =>
  premiumItems.filter(({ chargeType }) => chargeType === "RECURRING")

/** What the days of the first year up to one cost, item by item. */
const upTo = (premiumItems: ReadonlyArray<PremiumItem>, until: string) => {
  const used = daysBetween(firstDay, day(until))
  return recurring(premiumItems).reduce((sum, { amount }) => sum + costOfDays(amount, used, 365), 0)
}

const once = (premiumItems: ReadonlyArray<PremiumItem>) =>
  premiumItems
    .filter(({ chargeType }) => chargeType !== "RECURRING")
    .reduce((sum, { amount }) => sum + amount, 0)

/** What the ledger says that customers owe and are owed. */
const booksOf = (at: Scene) =>
  Effect.map(
    Effect.provideService(
      EntriesRepo.use((repo) => repo.listByPolicy(at.contract.policyId, { page: 1, count: 1000 })),
      CurrentTenant,
      at.world.tenant
    ),
    ({ rows: entries }) => {
      const sums = { receivable: 0, balance: 0 }
      for (const { accounts, amounts } of entries) {
        assert.strictEqual(
          amounts.reduce((sum, amount) => sum + amount, 0),
          0
        )
        accounts.forEach((account, index) => {
          const [kind] = account.split(":")
          if (kind === "receivable" || kind === "balance") sums[kind] += amounts[index]!
        })
      }
      return sums
    }
  )

const pay = (at: Scene, { id, total }: Invoice, amount = total.amountWithFeesAndTaxes) =>
  as(at)(
    Payments.use((payments) =>
      // Only invoices are paid in these tests.
      payments.record(id as InvoiceId, { amount, method: "BANK_TRANSFER", reference: "R-1" })
    )
  )

layer(TestLayer, { excludeTestServices: true })("what was invoiced", (it) => {
  it.effect("stays as it is when something changes that has no price", () =>
    Effect.gen(function* () {
      const at = yield* scene("2026-07-01")
      const { policyId } = at.contract
      const before = yield* invoicesAt(at)
      yield* as(at)(Policies.use((policies) => policies.update({ policyId }, { name: "Van" })))
      assert.deepStrictEqual(yield* invoicesAt(at), before)
    })
  )

  it.effect("is corrected with the merge of a change, from its day on and to the cent", () =>
    Effect.gen(function* () {
      const at = yield* scene("2026-07-01")
      const [first] = yield* invoicesAt(at)
      yield* endorse(at, "2026-06-01")
      const after = yield* invoicesAt(at)
      const [, correction] = after
      assert.strictEqual(after.length, 2)
      assert.deepStrictEqual(
        [correction!.type, correction!.issuedAt, correction!.period],
        [
          "INVOICE",
          World.at("2026-07-01T12:00:00Z"),
          { start: day("2026-06-01"), end: day("2027-04-01") }
        ]
      )
      const credits = correction!.lines.filter(({ corrects }) => corrects !== undefined)
      assert.isAbove(credits.length, 0)
      for (const { amount, corrects, slice } of credits) {
        assert.strictEqual(corrects, first!.id)
        assert.strictEqual(slice.start, "2026-06-01")
        assert.isAtMost(amount.amountWithFeesAndTaxes, 0)
      }
      const [old, renewed] = yield* quotesOf(at)
      const whole = upTo(renewed!, "2027-04-01")
      assert.strictEqual(
        totalOf(after),
        upTo(old!, "2026-06-01") +
          once(old!) +
          whole -
          upTo(renewed!, "2026-06-01") +
          spots(renewed!)
      )
      // Nothing of it is done twice.
      yield* PolicyLifecycle.moveTo(at.world, "2026-12-01T12:00:00Z")
      assert.deepStrictEqual(yield* invoicesAt(at), after)
    })
  )

  it.effect("is told beforehand as it will be, by the difference that a branch makes", () =>
    Effect.gen(function* () {
      const monthly: InvoicingConfig = { ...yearly, frequency: "MONTHLY" }
      const at = yield* scene("2026-07-15", monthly)
      const on = yield* endorsement(at, "2026-05-10")
      const diff = () =>
        as(at)(Branches.use((branches) => branches.diff({ branchId: on.branchId })))
      assert.deepStrictEqual((yield* diff()).invoices, [])
      yield* as(at)(Quotes.use((quotes) => quotes.quote(on, {})))
      const { invoices } = yield* diff()
      assert.deepStrictEqual(
        invoices.map(({ before, periodStart }) => [periodStart, before > 0]),
        [["2026-05-10", false], ...months.slice(4).map((month) => [month, true])]
      )
      const [, ...told] = invoices.map(({ after, periodStart }) => [periodStart, after])
      yield* PolicyLifecycle.endorse(at.world, on)
      const [correction] = (yield* invoicesAt(at)).slice(4)
      assert.strictEqual(invoices[0]!.after, correction!.total.amountWithFeesAndTaxes)
      const { instalments } = yield* as(at)(
        Billing.use((billing) => billing.schedule({ policyId: at.contract.policyId }))
      )
      assert.deepStrictEqual(
        instalments.map(({ amount, periodStart }) => [periodStart, amount.amountWithFeesAndTaxes]),
        told
      )
    })
  )

  it.effect("is left to the calendar where it was not invoiced yet", () =>
    Effect.gen(function* () {
      const monthly: InvoicingConfig = { ...yearly, frequency: "MONTHLY" }
      const at = yield* scene("2026-07-15", monthly)
      yield* endorse(at, "2026-09-10")
      const before = yield* invoicesAt(at)
      assert.strictEqual(before.length, 4)
      yield* PolicyLifecycle.moveTo(at.world, "2026-10-02T12:00:00Z")
      const after = yield* invoicesAt(at)
      assert.deepStrictEqual(
        after.map(({ period }) => period.start),
        [
          "2026-04-01",
          "2026-05-01",
          "2026-06-01",
          "2026-07-01",
          "2026-08-01",
          "2026-09-01",
          "2026-10-01"
        ]
      )
      const slices = after[5]!.lines.map(({ slice }) => `${slice.start} ${slice.end}`)
      assert.includeMembers(slices, ["2026-09-01 2026-09-10", "2026-09-10 2026-10-01"])
    })
  )

  it.effect(
    "is given back by the day when the policy is stopped, and the credit settles what is unpaid",
    () =>
      Effect.gen(function* () {
        const at = yield* scene("2026-07-10")
        const [invoice] = yield* invoicesAt(at)
        const [premiumItems] = yield* quotesOf(at)
        yield* stop(at, "CUSTOMER_REQUEST", "2026-07-01")
        const [credited, note] = yield* invoicesAt(at)
        const unused = premiumItems!
          .filter(({ chargeType, refundable }) => chargeType === "RECURRING" && refundable)
          .reduce((sum, { amount }) => sum + amount - costOfDays(amount, 91, 365), 0)
        assert.deepStrictEqual(
          [note!.type, note!.number, note!.creditedInvoiceId],
          ["CREDIT_NOTE", "CRN-000001", invoice!.id]
        )
        assert.strictEqual(note!.total.amountWithFeesAndTaxes, -unused)
        assert.deepStrictEqual(
          [credited!.status, credited!.amountDue],
          ["PARTIALLY_PAID", invoice!.amountDue - unused]
        )
        assert.deepStrictEqual(yield* booksOf(at), {
          receivable: invoice!.amountDue - unused,
          balance: 0
        })
        const summary = yield* as(at)(
          AccountingSummary.use((each) => each.list({}, { page: 1, count: 10 }))
        )
        assert.strictEqual(summary.data[0]?.policy.status, "POLICY_STOPPED")
        const { instalments } = yield* as(at)(
          Billing.use((billing) => billing.schedule({ policyId: at.contract.policyId }))
        )
        assert.deepStrictEqual(instalments, [])
      })
  )

  it.effect("becomes a balance of the payer where it was paid", () =>
    Effect.gen(function* () {
      const at = yield* scene("2026-07-10")
      const [invoice] = yield* invoicesAt(at)
      yield* pay(at, invoice!)
      yield* stop(at, "CUSTOMER_REQUEST", "2026-07-01")
      const [paid, note] = yield* invoicesAt(at)
      assert.strictEqual(paid!.status, "PAID")
      const { balance, receivable } = yield* booksOf(at)
      assert.deepStrictEqual([receivable, balance], [0, note!.total.amountWithFeesAndTaxes])
    })
  )

  it.effect("is credited as a whole, or not at all, where the reason says so", () =>
    Effect.gen(function* () {
      const whole = yield* scene("2026-04-10")
      yield* stop(whole, "NOT_TAKEN_UP", "2026-04-10")
      const [invoice, note] = yield* invoicesAt(whole)
      assert.deepStrictEqual([invoice!.status, invoice!.amountDue], ["CREDITED", 0])
      assert.strictEqual(totalOf([invoice!, note!]), 0)
      assert.deepStrictEqual(yield* booksOf(whole), { receivable: 0, balance: 0 })

      const kept = yield* scene("2026-07-10")
      const before = yield* invoicesAt(kept)
      yield* stop(kept, "FALSE_DECLARATION", "2026-07-01")
      yield* PolicyLifecycle.moveTo(kept.world, "2026-12-01T12:00:00Z")
      assert.deepStrictEqual(yield* invoicesAt(kept), before)
    })
  )

  it.effect(
    "is given back when a stop is announced, and charged again when that is withdrawn",
    () =>
      Effect.gen(function* () {
        const at = yield* scene("2026-07-10")
        const { policyId } = at.contract
        const [invoice] = yield* invoicesAt(at)
        yield* stop(at, "CUSTOMER_REQUEST", "2026-08-01")
        assert.strictEqual((yield* invoicesAt(at)).length, 2)
        yield* as(at)(ContractSteps.use((steps) => steps.withdrawStop({ policyId })))
        const after = yield* invoicesAt(at)
        assert.strictEqual(after.length, 3)
        assert.strictEqual(totalOf(after), totalOf([invoice!]))
        assert.strictEqual((yield* booksOf(at)).receivable, totalOf(after))
      })
  )

  it.effect(
    "is given back for a suspension that is not billed, and not for one for unpaid premiums",
    () =>
      Effect.gen(function* () {
        for (const reason of ["VEHICLE_OFF_ROAD", "UNPAID_PREMIUM"]) {
          const at = yield* scene("2026-07-10")
          const policyId = at.contract.policyId
          const [invoice] = yield* invoicesAt(at)
          yield* as(at)(ContractSteps.use((steps) => steps.suspend({ policyId }, { reason })))
          yield* PolicyLifecycle.moveTo(at.world, "2026-08-10T12:00:00Z")
          yield* as(at)(ContractSteps.use((steps) => steps.reactivate({ policyId })))
          const after = yield* invoicesAt(at)
          if (reason === "UNPAID_PREMIUM") assert.deepStrictEqual(after, [invoice!])
          else {
            const [premiumItems] = yield* quotesOf(at)
            const rested = upTo(premiumItems!, "2026-08-10") - upTo(premiumItems!, "2026-07-10")
            assert.strictEqual(totalOf(after), totalOf([invoice!]) - rested)
          }
        }
      })
  )

  it.effect("passes to another payer from the day on which they start to pay", () =>
    Effect.gen(function* () {
      const at = yield* scene("2026-07-10")
      const { customerId, policyId } = at.contract
      const [invoice] = yield* invoicesAt(at)
      const { customerId: payerId } = yield* as(at)(
        Customers.use((customers) =>
          customers.addToPolicy({ policyId }, { role: "PAYER", name: "Garage" })
        )
      )
      const [premiumItems] = yield* quotesOf(at)
      const rest = upTo(premiumItems!, "2027-04-01") - upTo(premiumItems!, "2026-07-10")
      const [, note, charge] = yield* invoicesAt(at)
      assert.deepStrictEqual(
        [note!, charge!].map(({ customerId: payer, total }) => [
          payer,
          total.amountWithFeesAndTaxes
        ]),
        [
          [customerId, -rest],
          [payerId, rest]
        ]
      )
      yield* as(at)(
        CustomerPolicies.use((customers) => customers.takeOff({ policyId, customerId: payerId }))
      ).pipe(Effect.flip)
      yield* pay(at, charge!)
      yield* as(at)(
        CustomerPolicies.use((customers) => customers.takeOff({ policyId, customerId: payerId }))
      )
      const after = yield* invoicesAt(at)
      assert.strictEqual(totalOf(after), totalOf([invoice!]))
      const ofHolder = after.filter((each) => each.customerId === customerId)
      assert.strictEqual(totalOf(ofHolder), totalOf([invoice!]))
    })
  )

  it.effect(
    "of a term that was renewed is its own price, and given back where it is stopped first",
    () =>
      Effect.gen(function* () {
        const at = yield* scene("2027-04-02")
        const [first, second] = yield* invoicesAt(at)
        const quoted = (yield* quotesOf(at)).at(-1)!
        const everyTerm = quoted
          .filter((premiumItem) => premiumItem.chargeType === "ONE_TIME" && premiumItem.everyTerm)
          .reduce((sum, { amount }) => sum + amount, 0)
        const expected =
          recurring(quoted).reduce((sum, { amount }) => sum + amount, everyTerm) + spots(quoted)
        assert.deepStrictEqual(
          [second!.period, totalOf([second!])],
          [{ start: day("2027-04-01"), end: day("2028-04-01") }, expected]
        )
        yield* stop(at, "CUSTOMER_REQUEST", "2027-04-01")
        const after = yield* invoicesAt(at)
        assert.strictEqual(totalOf(after), totalOf([first!]))
        assert.deepStrictEqual(
          after.map(({ status }) => status),
          ["ISSUED", "CREDITED", "PAID"]
        )
      })
  )

  it.effect("comes back to what it was when a change is reverted", () =>
    Effect.gen(function* () {
      const at = yield* scene("2026-07-10")
      const { policyId } = at.contract
      const [invoice] = yield* invoicesAt(at)
      const stopped = yield* stop(at, "CUSTOMER_REQUEST", "2026-07-01")
      assert.strictEqual(stopped.status, "POLICY_STOPPED")
      const changes = yield* as(at)(
        PolicyHistory.use((history) => history.changes({ policyId }, { page: 1, count: 50 }))
      )
      const last = changes.data.find(({ kind }) => kind === "STOP")!
      yield* as(at)(ContractSteps.use((steps) => steps.revert({ policyId, changeId: last.id })))
      assert.strictEqual(totalOf(yield* invoicesAt(at)), totalOf([invoice!]))
    })
  )
})

/** What a quote charges once for itself. */
const spots = (premiumItems: ReadonlyArray<PremiumItem>) =>
  premiumItems
    .filter(({ chargeType }) => chargeType === "SPOT")
    .reduce((sum, { amount }) => sum + amount, 0)
