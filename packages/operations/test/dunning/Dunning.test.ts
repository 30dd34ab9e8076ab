import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { origin } from "@quittance/domain/policies/Change"
import type { RecordNotice } from "@quittance/domain/dunning/DunningRequests"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Product } from "@quittance/domain/products/Product"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { PolicyLifecycle as Commands } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import * as Clones from "../Clones.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  ManualCharges.layer,
  Dunning.layer,
  DunningRepo.layer,
  PaymentReturns.layer,
  PolicyHistory.layer,
  InvoiceAdjustments.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const as = (world: World.World, caller: Caller = world.manager) => World.as(world, caller)

/** A policy from 1 April 2026 with monthly invoices, each due on the 11th; the notices go by themselves. */
const posted = Effect.fnUntraced(function* (signing: PolicyLifecycle.Signing = {}) {
  const { product = World.motor } = signing
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, signing)
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  return { world, contract }
})

const pay = (world: World.World, { id, total }: Invoice, paidAt: string) =>
  as(world)(
    Payments.use((payments) =>
      payments.record(id as InvoiceId, {
        amount: total.amountWithFeesAndTaxes,
        method: "BANK_TRANSFER",
        reference: "R-1",
        paidAt: World.at(paidAt)
      })
    )
  )

/** What the policy was and will be, from when on. */
const timeline = Effect.fnUntraced(function* (
  world: World.World,
  { policyId }: PolicyLifecycle.Contract
) {
  const { segments } = yield* as(world)(
    PolicyHistory.use((history) => history.timeline({ policyId }))
  )
  return segments
    .filter(({ from }) => from !== origin)
    .map(({ from, status }) => `${status} ${from}`)
    .filter((text, index, all) => text.split(" ")[0] !== all[index - 1]?.split(" ")[0])
})

const notices = (world: World.World, { policyId }: PolicyLifecycle.Contract) =>
  as(world)(Dunning.use((dunning) => dunning.notices(policyId, { count: 100, page: 1 }))).pipe(
    Effect.map(({ data }) => data.toReversed())
  )

const record = (
  world: World.World,
  { customerId, policyId }: PolicyLifecycle.Contract,
  invoices: ReadonlyArray<Pick<Invoice, "id">>,
  input: Partial<RecordNotice>,
  caller: Caller = world.manager
) =>
  as(
    world,
    caller
  )(
    Dunning.use((dunning) =>
      dunning.recordNotice(policyId, {
        invoiceIds: invoices.map(({ id }) => id as InvoiceId) as unknown as readonly [InvoiceId],
        payerCustomerId: customerId,
        sentAt: World.at("2026-05-12T15:00:00Z"),
        channel: "REGISTERED_LETTER",
        evidence: { carrier: "La Poste", reference: "RK 1" },
        ...input
      })
    )
  )

/** What became of notices, by events and by the audit trail, and when, with the notice that each names. */
const noticeTrail = Effect.fnUntraced(function* (world: World.World) {
  const superuser = yield* SuperuserSql
  const events = yield* superuser<{
    readonly kind: string
    readonly at: Date
    readonly id: string
  }>`
    SELECT kind, occurred_at AS at, payload ->> 'formalNoticeId' AS id FROM event
    WHERE tenant_id = ${world.tenant} AND kind LIKE 'formal_notice.%' ORDER BY policy_id, seq
  `
  const audited = yield* superuser<{ readonly actor: string; readonly id: string | Array<string> }>`
    SELECT actor_kind AS actor, detail -> 'formalNoticeId' AS id FROM audit
    WHERE tenant_id = ${world.tenant} AND detail ? 'formalNoticeId' ORDER BY recorded_at
  `
  return {
    events: events.map(({ at, id, kind }) => [kind, at.toISOString(), id]),
    audited: audited.map(({ actor, id }) => [actor, id])
  }
})

layer(TestLayer, { excludeTestServices: true })("a formal notice", (it) => {
  it.effect("leaves an event and an audit entry, by the worker and by users", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* PolicyLifecycle.signed(world)
      yield* PolicyLifecycle.moveTo(world, "2026-04-23T00:00:00Z")
      const [invoice] = yield* PolicyLifecycle.invoices(world, contract)
      const [written] = yield* notices(world, contract)
      yield* record(world, contract, [invoice!], { sentAt: World.at("2026-04-22T15:00:00Z") })
      assert.deepStrictEqual(yield* noticeTrail(world), {
        events: [
          ["formal_notice.written", "2026-04-21T22:00:00.000Z", written!.id],
          ["formal_notice.sent", "2026-04-22T15:00:00.000Z", written!.id]
        ],
        audited: [
          ["JOB", written!.id],
          ["USER", written!.id]
        ]
      })
      const sent = yield* posted()
      yield* PolicyLifecycle.moveTo(sent.world, "2026-04-23T00:00:00Z")
      const [posting] = yield* notices(sent.world, sent.contract)
      assert.deepStrictEqual(yield* noticeTrail(sent.world), {
        events: [
          ["formal_notice.written", "2026-04-21T22:00:00.000Z", posting!.id],
          ["formal_notice.sent", "2026-04-21T22:00:00.000Z", posting!.id]
        ],
        audited: [["JOB", posting!.id]]
      })
    })
  )

  it.effect("that need not be sent any more is dropped, which is on record too", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* PolicyLifecycle.signed(world)
      yield* PolicyLifecycle.moveTo(world, "2026-04-23T00:00:00Z")
      const [invoice] = yield* PolicyLifecycle.invoices(world, contract)
      const [written] = yield* notices(world, contract)
      const { id } = written!
      yield* pay(world, invoice!, "2026-04-23T00:00:00Z")
      const { audited, events } = yield* noticeTrail(world)
      assert.deepStrictEqual(events.at(-1), [
        "formal_notice.dropped",
        "2026-04-23T00:00:00.000Z",
        id
      ])
      assert.deepStrictEqual(audited, [
        ["JOB", id],
        ["JOB", id]
      ])
    })
  )

  it.effect(
    "is refused without the permission to write bills, and for another tenant's policy",
    () =>
      Effect.gen(function* () {
        const { contract, world } = yield* posted()
        yield* PolicyLifecycle.moveTo(world, "2026-05-15T00:00:00Z")
        const invoices = yield* PolicyLifecycle.invoices(world, contract)
        const sessionId = (yield* Ids).next("anonymous_session")
        for (const caller of [
          world.auditor,
          world.north,
          { _tag: "Anonymous", sessionId } as const
        ]) {
          const error = yield* Effect.flip(record(world, contract, invoices, {}, caller))
          assert.strictEqual(error._tag, "Forbidden")
        }
        const other = yield* World.make()
        const error = yield* Effect.flip(record(other, contract, invoices, {}))
        assert.strictEqual(error._tag, "PolicyNotFound")
      })
  )

  it.effect("is sent neither in the future nor before the grace is over", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* PolicyLifecycle.signed(world)
      yield* PolicyLifecycle.moveTo(world, "2026-05-15T00:00:00Z")
      const [first, second] = yield* PolicyLifecycle.invoices(world, contract)
      const at = (sentAt: string, ...invoices: ReadonlyArray<Invoice>) =>
        record(world, contract, invoices, { sentAt: World.at(sentAt) })
      const refused = yield* Effect.flip(at("2026-04-21T21:59:59.999Z", first!))
      assert.deepInclude(refused, {
        _tag: "InvalidEffectiveDate",
        field: "sentAt",
        earliest: World.at("2026-04-22T00:00:00+02:00"),
        latest: World.at("2026-05-15T00:00:00Z")
      })
      for (const refusal of [
        at("2026-05-15T00:00:00.001Z", first!),
        at("2026-05-14T00:00:00Z", first!, second!)
      ]) {
        assert.strictEqual((yield* Effect.flip(refusal))._tag, "InvalidEffectiveDate")
      }
      const missing = { id: (yield* Ids).next("invoice") }
      const unknown = yield* Effect.flip(record(world, contract, [missing], {}))
      assert.strictEqual(unknown._tag, "InvalidReference")
      const sent = yield* at("2026-04-22T00:00:00+02:00", first!)
      assert.deepInclude(sent, {
        status: "SENT",
        suspendedAt: World.at("2026-05-23T00:00:00+02:00"),
        terminableAt: World.at("2026-06-02T00:00:00+02:00")
      })
    })
  )

  it.effect(
    "is over nothing that was paid when it was sent, also where a bank took that back",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const contract = yield* PolicyLifecycle.signed(world)
        yield* PolicyLifecycle.moveTo(world, "2026-05-15T00:00:00Z")
        const [first] = yield* PolicyLifecycle.invoices(world, contract)
        const { id } = yield* pay(world, first!, "2026-05-01T08:00:00Z")
        const returned = { reasonCode: "AM04", returnedAt: World.at("2026-05-10T08:00:00Z") }
        yield* as(world)(PaymentReturns.use((returns) => returns.record(id, returned)))
        const at = (sentAt: string) =>
          record(world, contract, [first!], { sentAt: World.at(sentAt) })
        const refused = yield* Effect.flip(at("2026-05-05T08:00:00Z"))
        assert.strictEqual(refused._tag, "InvalidReference")
        assert.strictEqual((yield* at("2026-05-12T08:00:00Z")).status, "SENT")
      })
  )

  it.effect("waits until it was sent, and is one for each payer", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* PolicyLifecycle.signed(world)
      yield* PolicyLifecycle.moveTo(world, "2026-04-22T00:00:00+02:00")
      const [waiting] = yield* notices(world, contract)
      const [first] = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepEqual([waiting!.status, ...waiting!.invoiceIds], ["TO_SEND", first!.id])
      yield* PolicyLifecycle.moveTo(world, "2026-08-01T00:00:00+02:00")
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      const [still, ...none] = yield* notices(world, contract)
      assert.deepStrictEqual([still!.id, none], [waiting!.id, []])
      assert.sameMembers<string>(
        [...still!.invoiceIds],
        invoices.slice(0, 4).map(({ id }) => id)
      )
      assert.deepStrictEqual(yield* timeline(world, contract), [
        "POLICY_SIGNED 2026-03-10T09:00:00.000Z",
        "POLICY_STARTED 2026-03-31T22:00:00.000Z"
      ])
      yield* record(world, contract, [first!], { sentAt: World.at("2026-07-31T12:00:00Z") })
      const [sent, next] = yield* notices(world, contract)
      assert.deepEqual([sent!.id, sent!.status, next!.status], [waiting!.id, "SENT", "TO_SEND"])
      assert.deepEqual(sent!.invoiceIds, [first!.id as InvoiceId])
      const summary = yield* as(world)(
        AccountingSummary.use((summaries) =>
          summaries.list({ hasFormalNotice: true }, { count: 10, page: 1 })
        )
      )
      assert.strictEqual(summary.totalCount, 1)
      for (const invoice of invoices) yield* pay(world, invoice, "2026-07-31T22:00:00Z")
      assert.deepStrictEqual(
        (yield* notices(world, contract)).map(({ status }) => status),
        ["SENT"]
      )
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("unpaid premiums in France", (it) => {
  it.effect("lead to notice, suspension, and cover again at noon of the day after payment", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const { ran } = yield* PolicyLifecycle.moveTo(world, "2026-06-03T15:00:00+02:00")
      assert.deepInclude(ran, { noticePayers: 2, suspendPolicies: 1 })
      const [first, second] = yield* PolicyLifecycle.invoices(world, contract)
      const suspended = [
        "POLICY_SIGNED 2026-03-10T09:00:00.000Z",
        "POLICY_STARTED 2026-03-31T22:00:00.000Z",
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
      ]
      assert.deepStrictEqual(yield* timeline(world, contract), suspended)
      assert.deepEqual<unknown>(
        (yield* notices(world, contract)).map(({ invoiceIds, sentAt }) => [sentAt, ...invoiceIds]),
        [
          ["2026-04-21T22:00:00.000Z", first!.id],
          ["2026-05-21T22:00:00.000Z", second!.id]
        ]
      )
      yield* pay(world, first!, "2026-06-03T14:00:00+02:00")
      assert.deepStrictEqual(yield* timeline(world, contract), suspended)
      yield* pay(world, second!, "2026-06-03T15:00:00+02:00")
      yield* PolicyLifecycle.moveTo(world, "2026-06-04T11:59:59.999+02:00")
      assert.deepStrictEqual(yield* timeline(world, contract), suspended)
      const noon = yield* PolicyLifecycle.moveTo(world, "2026-06-04T12:00:00+02:00")
      assert.deepStrictEqual(noon.ran, { reactivatePolicies: 1 })
      assert.deepStrictEqual(yield* timeline(world, contract), [
        ...suspended,
        "POLICY_STARTED 2026-06-04T10:00:00.000Z"
      ])
    })
  )

  it.effect("leave cover on where a bank returns what had fallen due during the suspension", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      yield* PolicyLifecycle.moveTo(world, "2026-06-12T12:00:00Z")
      const [first, second, third] = yield* PolicyLifecycle.invoices(world, contract)
      yield* pay(world, first!, "2026-06-12T12:00:00Z")
      yield* pay(world, second!, "2026-06-12T12:00:00Z")
      const { id } = yield* pay(world, third!, "2026-06-12T12:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-06-20T12:00:00Z")
      const resumed = [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
        "POLICY_STARTED 2026-06-13T10:00:00.000Z"
      ]
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), resumed)
      yield* as(world)(PaymentReturns.use((returns) => returns.record(id, { reasonCode: "AM04" })))
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), resumed)
    })
  )

  it.effect("stay as they were where one credit covers all that was owed", () =>
    Effect.gen(function* () {
      const stopReasons = World.motor.stopReasons.map((reason) =>
        reason.id === "SALE" ? { ...reason, refund: "FULL" as const } : reason
      )
      const { contract, world } = yield* posted({ product: { ...World.motor, stopReasons } })
      yield* PolicyLifecycle.moveTo(world, "2026-06-01T08:00:00Z")
      const { policyId } = contract
      yield* as(world)(Commands.use((commands) => commands.stop({ policyId }, { reason: "SALE" })))
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        invoices.map(({ status, type }) => `${type} ${status}`),
        ["INVOICE CREDITED", "INVOICE CREDITED", "INVOICE CREDITED", "CREDIT_NOTE PAID"]
      )
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
        "POLICY_STOPPED 2026-06-01T08:00:00.000Z"
      ])
    })
  )

  it.effect("stay as they were where credits cover what was owed part by part", () =>
    Effect.gen(function* () {
      const stopReasons = World.motor.stopReasons.map((reason) =>
        reason.id === "SALE" ? { ...reason, refund: "FULL" as const } : reason
      )
      const { contract, world } = yield* posted({ product: { ...World.motor, stopReasons } })
      const { policyId } = contract
      yield* PolicyLifecycle.moveTo(world, "2026-05-10T08:00:00Z")
      const effectiveAt = World.at("2026-04-16T00:00:00+02:00")
      const { id: branchId } = yield* as(world)(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA", effectiveAt }))
      )
      const on = { policyId, branchId }
      const customFields = [{ key: "annualMileage", value: 5_000 }]
      yield* as(world)(Policies.use((policies) => policies.update(on, { customFields })))
      yield* PolicyLifecycle.endorse(world, on)
      const [note] = (yield* PolicyLifecycle.invoices(world, contract)).slice(-1)
      assert.strictEqual(note!.type, "CREDIT_NOTE")
      assert.isUndefined(note!.creditedInvoiceId)
      yield* PolicyLifecycle.moveTo(world, "2026-06-05T08:00:00Z")
      const suspended = "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
      assert.strictEqual((yield* timeline(world, contract)).at(-1), suspended)
      yield* as(world)(Commands.use((commands) => commands.stop({ policyId }, { reason: "SALE" })))
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        suspended,
        "POLICY_STOPPED 2026-06-05T08:00:00.000Z"
      ])
      const paid = (yield* PolicyLifecycle.invoices(world, contract)).filter(
        ({ paidAt, type }) => type === "INVOICE" && paidAt !== undefined
      )
      assert.deepStrictEqual(paid, [])
    })
  )

  it.effect("stay as they were where what was written off is credited later", () =>
    Effect.gen(function* () {
      const stopReasons = World.motor.stopReasons.map((reason) =>
        reason.id === "SALE" ? { ...reason, refund: "FULL" as const } : reason
      )
      const { contract, world } = yield* posted({ product: { ...World.motor, stopReasons } })
      yield* PolicyLifecycle.moveTo(world, "2026-06-01T08:00:00Z")
      for (const { id } of yield* PolicyLifecycle.invoices(world, contract)) {
        yield* as(world)(
          InvoiceAdjustments.use((all) =>
            all.run("write-off", id as InvoiceId, { reason: "Insolvent" })
          )
        )
      }
      yield* PolicyLifecycle.moveTo(world, "2026-06-20T08:00:00Z")
      const { policyId } = contract
      yield* as(world)(Commands.use((commands) => commands.stop({ policyId }, { reason: "SALE" })))
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-3), [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
        "POLICY_STARTED 2026-06-02T10:00:00.000Z",
        "POLICY_STOPPED 2026-06-20T08:00:00.000Z"
      ])
    })
  )

  it.effect("are forestalled by no part of a payment where another part came later", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      yield* PolicyLifecycle.moveTo(world, "2026-05-26T00:00:00Z")
      const [first, second] = yield* PolicyLifecycle.invoices(world, contract)
      yield* pay(world, second!, "2026-05-10T08:00:00Z")
      const half = (amount: number, paidAt: string) =>
        pay(
          world,
          { ...first!, total: { ...first!.total, amountWithFeesAndTaxes: amount } },
          paidAt
        )
      yield* half(first!.amountDue - 100, "2026-05-24T08:00:00Z")
      yield* half(100, "2026-05-10T08:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-05-26T12:00:00Z")
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
        "POLICY_STARTED 2026-05-25T10:00:00.000Z"
      ])
    })
  )

  it.effect("follow the local clock over its changes", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted({
        startedAt: World.at("2026-08-01T00:00:00+02:00")
      })
      yield* PolicyLifecycle.moveTo(world, "2026-10-24T20:00:00Z")
      for (const invoice of yield* PolicyLifecycle.invoices(world, contract)) {
        yield* pay(world, invoice, "2026-10-24T20:00:00Z")
      }
      yield* PolicyLifecycle.moveTo(world, "2026-10-26T00:00:00Z")
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        "POLICY_SUSPENDED 2026-09-21T22:00:00.000Z",
        "POLICY_STARTED 2026-10-25T11:00:00.000Z"
      ])
    })
  )

  it.effect("are forestalled by an earlier payment that is recorded later, and bill on", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      yield* PolicyLifecycle.moveTo(world, "2026-06-20T12:00:00Z")
      const [first, second] = yield* PolicyLifecycle.invoices(world, contract)
      yield* pay(world, first!, "2026-05-22T20:00:00Z")
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-1), [
        "POLICY_STARTED 2026-03-31T22:00:00.000Z"
      ])
      yield* pay(world, second!, "2026-06-20T12:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-07-02T00:00:00Z")
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        invoices.map(({ period, type }) => `${type} ${period.start}`),
        ["04", "05", "06", "07"].map((month) => `INVOICE 2026-${month}-01`)
      )
    })
  )

  it.effect(
    "are unpaid anew once a bank takes the money back, and what was without cover stays so",
    () =>
      Effect.gen(function* () {
        const { contract, world } = yield* posted()
        yield* PolicyLifecycle.moveTo(world, "2026-06-03T15:00:00+02:00")
        const [first, second, third] = yield* PolicyLifecycle.invoices(world, contract)
        const { id } = yield* pay(world, first!, "2026-06-03T14:00:00+02:00")
        yield* pay(world, second!, "2026-06-03T15:00:00+02:00")
        yield* pay(world, third!, "2026-06-03T15:00:00+02:00")
        yield* PolicyLifecycle.moveTo(world, "2026-06-20T10:00:00Z")
        const away = [
          "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
          "POLICY_STARTED 2026-06-04T10:00:00.000Z"
        ]
        assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), away)
        const taken = PaymentReturns.use((returns) => returns.record(id, { reasonCode: "AM04" }))
        yield* as(world)(taken)
        assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), away)
        const sent = yield* notices(world, contract)
        assert.deepEqual(
          [sent.at(-1)!.sentAt, ...sent.at(-1)!.invoiceIds],
          [World.at("2026-06-20T10:00:00Z"), first!.id as InvoiceId]
        )
        yield* PolicyLifecycle.moveTo(world, "2026-07-21T00:00:00+02:00")
        assert.deepStrictEqual((yield* timeline(world, contract)).slice(-3), [
          ...away,
          "POLICY_SUSPENDED 2026-07-20T22:00:00.000Z"
        ])
      })
  )

  it.effect("never end the contract by themselves, and end a rest with the year", () =>
    Effect.gen(function* () {
      const product: Product = {
        ...World.motor,
        renewal: { ...World.motor.renewal, mode: "TACIT" }
      }
      const { contract, world } = yield* posted({ product })
      const { ran } = yield* PolicyLifecycle.moveTo(world, "2027-04-01T00:00:00+02:00")
      assert.isUndefined(ran.terminatePolicies)
      const steps = yield* timeline(world, contract)
      assert.include(steps, "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z")
      assert.notInclude(steps.join(), "STOPPED")
    })
  )

  it.effect("end a rest with the year only where its premium is paid in parts", () =>
    Effect.gen(function* () {
      const product: Product = {
        ...World.motor,
        renewal: { ...World.motor.renewal, mode: "TACIT" }
      }
      const year = "2027-04-01T12:00:00Z"
      const inParts = yield* posted({ product })
      yield* PolicyLifecycle.moveTo(inParts.world, year)
      const resumed = "POLICY_STARTED 2027-03-31T22:00:00.000Z"
      assert.strictEqual((yield* timeline(inParts.world, inParts.contract)).at(-1), resumed)
      const invoicingConfig = {
        frequency: "MONTHLY",
        timing: "IN_ADVANCE",
        firstPayment: "FULL_AT_START_DATE"
      } as const
      const atOnce = yield* posted({ product, policy: { invoicingConfig } })
      yield* PolicyLifecycle.moveTo(atOnce.world, year)
      assert.strictEqual(
        (yield* timeline(atOnce.world, atOnce.contract)).at(-1),
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
      )
    })
  )

  it.effect("are done late as of their instants, and recorded when they are done", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      yield* PolicyLifecycle.moveTo(world, "2026-04-22T10:00:00Z")
      yield* Clones.onRealTime(world)
      const run = Effect.provideService(CurrentTenant, world.tenant)
      const { ran } = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.strictEqual(ran.suspendPolicies, 1)
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-1), [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
      ])
      const again = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.deepStrictEqual(again.ran, {})
    })
  )

  it.effect("leave what people decide: cover resumed by hand, and a rest of another kind", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      yield* PolicyLifecycle.moveTo(world, "2026-05-25T00:00:00Z")
      const { policyId } = contract
      yield* as(world)(Commands.use((commands) => commands.reactivate({ policyId })))
      yield* PolicyLifecycle.moveTo(world, "2026-06-01T00:00:00Z")
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z",
        "POLICY_STARTED 2026-05-25T00:00:00.000Z"
      ])
      // The notice of the second invoice went out on 22 May.
      yield* PolicyLifecycle.moveTo(world, "2026-07-01T00:00:00Z")
      assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), [
        "POLICY_STARTED 2026-05-25T00:00:00.000Z",
        "POLICY_SUSPENDED 2026-06-21T22:00:00.000Z"
      ])
      const suspended = yield* posted()
      const { contract: other, world: elsewhere } = suspended
      yield* PolicyLifecycle.moveTo(elsewhere, "2026-05-20T00:00:00Z")
      const at = { policyId: other.policyId }
      yield* as(elsewhere)(Commands.use((commands) => commands.suspend(at, { reason: "GARAGED" })))
      yield* PolicyLifecycle.moveTo(elsewhere, "2026-05-30T00:00:00Z")
      yield* as(elsewhere)(Commands.use((commands) => commands.reactivate(at)))
      assert.deepStrictEqual((yield* timeline(elsewhere, other)).slice(-1), [
        "POLICY_SUSPENDED 2026-05-20T00:00:00.000Z"
      ])
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a hold", (it) => {
  const place = (world: World.World, { policyId }: PolicyLifecycle.Contract, input = {}) =>
    as(world)(
      Dunning.use((dunning) => dunning.placeHold(policyId, { reason: "Disputed", ...input }))
    )

  it.effect("is not placed in the past, nor over no time", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const past = World.at("2026-03-01T00:00:00Z")
      for (const input of [{ from: past }, { to: past }]) {
        const error = yield* Effect.flip(place(world, contract, input))
        assert.strictEqual(error._tag, "InvalidEffectiveDate")
      }
    })
  )

  it.effect("keeps every step away until it ends, and lets none happen in the past", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const { policyId } = contract
      yield* PolicyLifecycle.moveTo(world, "2026-05-01T00:00:00Z")
      const { id } = yield* place(world, contract)
      yield* PolicyLifecycle.moveTo(world, "2026-07-01T10:00:00Z")
      const started = "POLICY_STARTED 2026-03-31T22:00:00.000Z"
      assert.strictEqual((yield* timeline(world, contract)).at(-1), started)
      const lift = as(world)(Dunning.use((dunning) => dunning.liftHold(policyId, id)))
      yield* lift
      assert.strictEqual(
        (yield* timeline(world, contract)).at(-1),
        "POLICY_SUSPENDED 2026-07-01T10:00:00.000Z"
      )
      assert.strictEqual((yield* Effect.flip(lift))._tag, "HoldNotFound")
    })
  )

  it.effect("delays a notice that was due before it, and was not sent by then", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const superuser = yield* SuperuserSql
      yield* PolicyLifecycle.moveTo(world, "2026-04-10T10:00:00Z")
      // No worker runs until the hold is placed.
      yield* superuser`UPDATE tenant SET test_clock = '2026-05-12T10:00:00Z' WHERE tenant_id = ${world.tenant}`
      const { id } = yield* place(world, contract, { to: World.at("2026-06-01T10:00:00Z") })
      yield* PolicyLifecycle.moveTo(world, "2026-05-20T10:00:00Z")
      assert.deepStrictEqual(yield* notices(world, contract), [])
      yield* as(world)(Dunning.use((dunning) => dunning.liftHold(contract.policyId, id)))
      assert.deepStrictEqual(
        (yield* notices(world, contract)).map(({ sentAt }) => sentAt),
        [World.at("2026-05-20T10:00:00Z")]
      )
    })
  )

  it.effect("that has not begun is forgotten when it is lifted", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const from = World.at("2026-05-01T00:00:00Z")
      const { id } = yield* place(world, contract, { from })
      yield* as(world)(Dunning.use((dunning) => dunning.liftHold(contract.policyId, id)))
      yield* PolicyLifecycle.moveTo(world, "2026-06-01T10:00:00Z")
      assert.strictEqual(
        (yield* timeline(world, contract)).at(-1),
        "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
      )
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("what is charged beside the premium", (it) => {
  it.effect("gets no notice, stops no cover, and delays none", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* posted()
      const { policyId } = contract
      yield* PolicyLifecycle.moveTo(world, "2026-04-02T10:00:00Z")
      const charge = { componentId: "CERTIFICATE", label: "Second certificate", amount: 900 }
      yield* as(world)(ManualCharges.use((charges) => charges.make(policyId, charge)))
      const [april] = yield* PolicyLifecycle.invoices(world, contract)
      const { id } = yield* pay(world, april!, "2026-04-02T10:00:00Z")
      const returned = { reasonCode: "AM04", fee: 800 }
      yield* as(world)(PaymentReturns.use((returns) => returns.record(id, returned)))
      yield* pay(world, april!, "2026-04-02T10:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-05-02T10:00:00Z")
      assert.deepStrictEqual(yield* notices(world, contract), [])
      const cost = (yield* PolicyLifecycle.invoices(world, contract)).find(
        ({ lines }) => lines[0]?.componentId === "CERTIFICATE"
      )
      const sentAt = World.at("2026-05-02T09:00:00Z")
      const refused = yield* Effect.flip(record(world, contract, [cost!], { sentAt }))
      assert.strictEqual(refused._tag, "InvalidReference")
      assert.include(refused.message, "invoices of premium that this payer owed")

      yield* PolicyLifecycle.moveTo(world, "2026-06-25T10:00:00Z")
      const away = "POLICY_SUSPENDED 2026-06-21T22:00:00.000Z"
      assert.strictEqual((yield* timeline(world, contract)).at(-1), away)
      yield* as(world)(ManualCharges.use((charges) => charges.make(policyId, charge)))
      yield* PolicyLifecycle.moveTo(world, "2026-07-06T10:00:00Z")
      for (const invoice of yield* PolicyLifecycle.invoices(world, contract)) {
        if (invoice.status !== "PAID" && invoice.total.amountWithFeesAndTaxes > 1_000) {
          yield* pay(world, invoice, "2026-07-06T10:00:00Z")
        }
      }
      yield* PolicyLifecycle.moveTo(world, "2026-07-08T10:00:00Z")
      assert.strictEqual(
        (yield* timeline(world, contract)).at(-1),
        "POLICY_STARTED 2026-07-07T10:00:00.000Z"
      )
    })
  )
})

/** A product whose formal notices cost the payer 15 euros each. */
const costly: Product = {
  ...World.motor,
  dunning: { ...World.motor.dunning, feesRebilled: 1_500 }
}

/** The invoices of notices' costs, and those of premium. */
const byCost = (world: World.World, contract: PolicyLifecycle.Contract) =>
  Effect.map(PolicyLifecycle.invoices(world, contract), (all) => ({
    costs: all.filter(({ lines }) => lines[0]?.componentId === "FORMAL_NOTICE"),
    premiums: all.filter(({ lines }) => lines[0]?.componentId !== "FORMAL_NOTICE")
  }))

layer(TestLayer, { excludeTestServices: true })("the cost of a formal notice", (it) => {
  it.effect(
    "is charged to its payer once, with the notice, and leads to no notice of its own",
    () =>
      Effect.gen(function* () {
        const { contract, world } = yield* posted({ product: costly })
        yield* PolicyLifecycle.moveTo(world, "2026-04-22T10:00:00Z")
        const { costs, premiums } = yield* byCost(world, contract)
        assert.deepStrictEqual(
          costs.map(({ customerId, dueOn, total, type }) => [
            type,
            customerId,
            total.amountWithFeesAndTaxes,
            dueOn
          ]),
          [["INVOICE", contract.customerId, 1_500, "2026-05-02"]]
        )
        for (const premium of premiums) yield* pay(world, premium, "2026-04-22T10:00:00Z")
        yield* PolicyLifecycle.moveTo(world, "2026-04-30T10:00:00Z")
        yield* PolicyLifecycle.moveTo(world, "2026-06-15T10:00:00Z")
        const sent = yield* notices(world, contract)
        const later = yield* byCost(world, contract)
        // Of the unpaid premium of May.
        assert.strictEqual(sent.length, 2)
        assert.strictEqual(later.costs.length, 2)
        const noticed = new Set(
          sent.flatMap(({ invoiceIds }) => invoiceIds as ReadonlyArray<string>)
        )
        assert.isFalse(later.costs.some(({ id }) => noticed.has(id)))
      })
  )

  it.effect(
    "keeps cover on where the premium alone is paid, but does not resume suspended cover",
    () =>
      Effect.gen(function* () {
        const { contract, world } = yield* posted({ product: costly })
        yield* PolicyLifecycle.moveTo(world, "2026-05-10T10:00:00Z")
        const [april, may] = (yield* byCost(world, contract)).premiums
        yield* pay(world, may!, "2026-05-10T10:00:00Z")
        const paidEarly = yield* posted({ product: costly })
        yield* PolicyLifecycle.moveTo(paidEarly.world, "2026-05-10T10:00:00Z")
        for (const premium of (yield* byCost(paidEarly.world, paidEarly.contract)).premiums) {
          yield* pay(paidEarly.world, premium, "2026-05-10T10:00:00Z")
        }
        yield* PolicyLifecycle.moveTo(paidEarly.world, "2026-05-30T10:00:00Z")
        assert.notInclude(
          (yield* timeline(paidEarly.world, paidEarly.contract)).join(),
          "SUSPENDED"
        )

        yield* PolicyLifecycle.moveTo(world, "2026-05-25T10:00:00Z")
        yield* pay(world, april!, "2026-05-25T10:00:00Z")
        yield* PolicyLifecycle.moveTo(world, "2026-05-28T10:00:00Z")
        const rest = "POLICY_SUSPENDED 2026-05-22T22:00:00.000Z"
        assert.strictEqual((yield* timeline(world, contract)).at(-1), rest)
        const [cost] = (yield* byCost(world, contract)).costs
        const { id } = yield* pay(world, cost!, "2026-05-28T10:00:00Z")
        yield* PolicyLifecycle.moveTo(world, "2026-05-30T10:00:00Z")
        const resumed = [rest, "POLICY_STARTED 2026-05-29T10:00:00.000Z"]
        assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), resumed)
        yield* as(world)(
          PaymentReturns.use((returns) => returns.record(id, { reasonCode: "AM04" }))
        )
        assert.deepStrictEqual((yield* timeline(world, contract)).slice(-2), resumed)
      })
  )

  it.effect(
    "is charged too where a user records the dispatch, and is itself no premium to notice",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make(undefined, [costly])
        const contract = yield* PolicyLifecycle.signed(world, { product: costly })
        yield* PolicyLifecycle.moveTo(world, "2026-04-25T10:00:00Z")
        const [invoice] = yield* PolicyLifecycle.invoices(world, contract)
        yield* record(world, contract, [invoice!], { sentAt: World.at("2026-04-24T10:00:00Z") })
        const { costs } = yield* byCost(world, contract)
        assert.lengthOf(costs, 1)
        yield* PolicyLifecycle.moveTo(world, "2026-06-15T10:00:00Z")
        const refused = yield* Effect.flip(
          record(world, contract, costs, { sentAt: World.at("2026-06-14T10:00:00Z") })
        )
        assert.strictEqual(refused._tag, "InvalidReference")
      })
  )
})
