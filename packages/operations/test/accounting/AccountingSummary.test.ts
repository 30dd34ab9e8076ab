import type { ListSummaries } from "@quittance/domain/accounting/AccountingRequests"
import { assert, layer } from "@effect/vitest"
import { type OrderKey, orderKeys } from "@quittance/domain/accounting/AccountingSummary"
import { type Caller, ClientId } from "@quittance/domain/requests/Caller"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { daysBetween } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Ids } from "@quittance/persistence/sql/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { ReceivablesRepo } from "@quittance/persistence/accounting/ReceivablesRepo"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Direction } from "@quittance/domain/values/Page"

const client: Caller = {
  _tag: "Client",
  clientId: ClientId.make("test-client"),
  scopes: new Set(["platform/billing"])
}

const list = (
  world: World.World,
  query: ListSummaries = {},
  caller: Caller = client,
  page = { count: 100, page: 1 }
) => World.as(world, caller)(AccountingSummary.use((summary) => summary.list(query, page)))

const policyIds = (entries: ReadonlyArray<{ readonly policy: { readonly id: string } }>) =>
  entries.map(({ policy }) => policy.id)

/** Five policies in arrears since different days, of two firms, of customers with telling names. */
const arrears = Effect.gen(function* () {
  const world = yield* World.make()
  const make = (signing: Contracts.Signing) => Contracts.signed(world, signing)
  const starts = (day: string) => World.at(`${day}T00:00:00+02:00`)
  const eloise = yield* make({
    caller: world.north,
    startedAt: starts("2026-04-01"),
    customer: { name: "Éloïse Lefèvre", email: "eloise@cafe.example" },
    policy: { name: "Flotte Légère", externalId: "EXT-100%_A" }
  })
  const bjork = yield* make({
    caller: world.north,
    startedAt: starts("2026-05-10"),
    customer: { name: "björk Æsir" }
  })
  const jean = yield* make({
    caller: world.south,
    startedAt: starts("2026-05-10"),
    customer: { name: "Jean-Paul Dupont" }
  })
  const anonymous = yield* make({ startedAt: starts("2026-06-20") })
  const zoe = yield* make({ startedAt: starts("2026-07-01"), customer: { name: "Zoé" } })
  const future = yield* make({ startedAt: starts("2026-12-01"), customer: { name: "Later" } })
  yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
  return { world, eloise, bjork, jean, anonymous, zoe, future }
})

layer(Layer.provideMerge(Dunning.layer, Contracts.layer), { excludeTestServices: true })(
  "the accounting summary",
  (it) => {
    it.effect("is refused to a session and to a caller who may read no accounts", () =>
      Effect.gen(function* () {
        const { world } = yield* arrears
        const sessionId = (yield* Ids).next("anonymous_session")
        const stranger = (yield* Ids).next("user")
        const callers: ReadonlyArray<Caller> = [
          { _tag: "Anonymous", sessionId },
          { _tag: "User", userId: stranger }
        ]
        for (const caller of callers) {
          assert.strictEqual((yield* Effect.flip(list(world, {}, caller)))._tag, "Forbidden")
        }
      })
    )

    it.effect("shows a tenant nothing of another one", () =>
      Effect.gen(function* () {
        yield* arrears
        const other = yield* World.make()
        const empty = yield* list(other)
        assert.deepStrictEqual(empty, {
          data: [],
          pageInfo: { first: true, last: true },
          totalCount: 0,
          currentPage: 1,
          totalPages: 0
        })
      })
    )

    it.effect("shows brokers their firm's entries, and auditors and clients all of them", () =>
      Effect.gen(function* () {
        const { bjork, eloise, jean, world } = yield* arrears
        const north = yield* list(world, {}, world.north)
        const south = yield* list(world, {}, world.south)
        assert.deepStrictEqual(policyIds(north.data), [eloise.policyId, bjork.policyId])
        assert.deepStrictEqual(policyIds(south.data), [jean.policyId])
        for (const caller of [world.auditor, world.manager, client]) {
          assert.strictEqual((yield* list(world, {}, caller)).totalCount, 5)
        }
        const foreign = yield* list(world, { brokerageFirmId: world.firms.south }, world.north)
        assert.strictEqual(foreign.totalCount, 0)
      })
    )

    it.effect(
      "counts unpaid invoices and whole local days since the oldest, the longest first",
      () =>
        Effect.gen(function* () {
          const { anonymous, bjork, eloise, jean, world, zoe } = yield* arrears
          const { data } = yield* list(world)
          const sameDay = [bjork.policyId, jean.policyId].sort()
          assert.deepStrictEqual(
            data.map((entry) => [
              entry.policy.id,
              entry.numberOfUnpaidInvoices,
              entry.unpaidDurationInDay,
              entry.oldestUnpaidInvoiceIssuedAt
            ]),
            [
              [eloise.policyId, 4, 105, "2026-03-31T22:00:00.000Z"],
              [sameDay[0], 3, 66, "2026-05-09T22:00:00.000Z"],
              [sameDay[1], 3, 66, "2026-05-09T22:00:00.000Z"],
              [anonymous.policyId, 1, 25, "2026-06-19T22:00:00.000Z"],
              [zoe.policyId, 1, 14, "2026-06-30T22:00:00.000Z"]
            ]
          )
          const [first] = data
          const policy = yield* World.as(
            world,
            world.manager
          )(Policies.use(({ get }) => get({ policyId: eloise.policyId })))
          const customer = yield* World.as(
            world,
            world.manager
          )(Customers.use(({ get }) => get({ customerId: eloise.customerId })))
          assert.deepStrictEqual(first?.policy, policy)
          assert.deepStrictEqual(first?.customer, customer)
          assert.notProperty(first, "lastFormalNoticeSentAt")
        })
    )

    it.effect(
      "changes the day at midnight of the product's zone, and shows what it filters by",
      () =>
        Effect.gen(function* () {
          const { anonymous, world } = yield* arrears
          const days = Effect.map(
            list(world, { queryString: anonymous.policyId }),
            ({ data }) => data[0]?.unpaidDurationInDay
          )
          yield* Contracts.moveTo(world, "2026-07-16T21:59:59.999Z")
          assert.strictEqual(yield* days, 26)
          const atLeast = (unpaidDurationDays: number) =>
            Effect.map(list(world, { unpaidDurationDays }), ({ data }) =>
              data.map((entry) => entry.unpaidDurationInDay)
            )
          assert.deepStrictEqual(yield* atLeast(27), [106, 67, 67])
          yield* Contracts.moveTo(world, "2026-07-16T22:00:00Z")
          assert.strictEqual(yield* days, 27)
          assert.deepStrictEqual(yield* atLeast(27), [107, 68, 68, 27])
          assert.deepStrictEqual(yield* atLeast(1_000_000), [])
        })
    )

    it.effect(
      "orders by every key in both directions, with a total order and pages that tile",
      () =>
        Effect.gen(function* () {
          const { eloise, world } = yield* arrears
          yield* sendNotice(world, eloise, "2026-07-01T08:00:00Z")
          const value: Record<OrderKey, (entry: Entry) => string | number | undefined> = {
            oldestUnpaidInvoiceIssuedAt: (entry) => entry.oldestUnpaidInvoiceIssuedAt,
            unpaidDurationInDay: (entry) => entry.unpaidDurationInDay,
            numberOfUnpaidInvoices: (entry) => entry.numberOfUnpaidInvoices,
            lastFormalNoticeSentAt: (entry) => entry.lastFormalNoticeSentAt,
            customerName: (entry) => folded[entry.customer.name ?? ""],
            policyCreatedAt: (entry) => entry.policy.createdAt
          }
          for (const by of orderKeys) {
            for (const direction of ["ASC", "DESC"] as const) {
              const order = { by, direction }
              const whole = yield* list(world, { order })
              assert.deepStrictEqual(
                policyIds(whole.data),
                policyIds(sorted(whole.data, value[by], direction)),
                `${by} ${direction}`
              )
              const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
                list(world, { order }, client, { count: 2, page })
              )
              assert.deepStrictEqual(
                pages.flatMap(({ data }) => policyIds(data)),
                policyIds(whole.data)
              )
              assert.deepStrictEqual(
                pages.map(({ data, pageInfo: { first, last }, totalCount, totalPages }) => [
                  data.length,
                  first,
                  last,
                  totalCount,
                  totalPages
                ]),
                [
                  [2, true, false, 5, 3],
                  [2, false, false, 5, 3],
                  [1, false, true, 5, 3],
                  [0, false, true, 5, 3]
                ]
              )
            }
          }
        })
    )

    it.effect(
      "finds by any words, in any order, whatever their accents, case and punctuation",
      () =>
        Effect.gen(function* () {
          const { bjork, eloise, jean, world, zoe } = yield* arrears
          const found: ReadonlyArray<readonly [string, ReadonlyArray<Contracts.Contract>]> = [
            ["ELOISE", [eloise]],
            ["lefe éloï", [eloise]],
            ["flotte leg", [eloise]],
            ["cafe", [eloise]],
            ["eloise@caf", [eloise]],
            ["ext-100%_a", [eloise]],
            ["100 %", []],
            ["100", [eloise]],
            ["1%", []],
            ["e_t", []],
            ["loise", []],
            ["Bjork aesir", [bjork]],
            ["ÆSIR", [bjork]],
            ["paul", [jean]],
            ["jean-p dup", [jean]],
            ["dupont bjork", []],
            ["zoe\u0301", [zoe]],
            [jean.policyId, [jean]],
            [jean.customerId.toUpperCase(), [jean]],
            ["\\", []],
            ["nul\0l", []],
            ["'; DROP TABLE receivable; --", []]
          ]
          for (const [queryString, lifecycle] of found) {
            const { data } = yield* list(world, { queryString })
            assert.deepStrictEqual(
              policyIds(data),
              lifecycle.map(({ policyId }) => policyId),
              queryString
            )
          }
          for (const queryString of ["", "   "]) {
            assert.strictEqual((yield* list(world, { queryString })).totalCount, 5)
          }
          const { data } = yield* list(world, { queryString: eloise.policyId })
          const { incrementalId } = data[0]!.policy
          const byNumber = yield* list(world, { queryString: `${incrementalId} flotte` })
          assert.deepStrictEqual(policyIds(byNumber.data), [eloise.policyId])
        })
    )

    it.effect("filters by product, status, stop reason and firm", () =>
      Effect.gen(function* () {
        const { bjork, eloise, world } = yield* arrears
        const count = (query: ListSummaries) =>
          Effect.map(list(world, query), ({ totalCount }) => totalCount)
        assert.strictEqual(yield* count({ productIds: ["motor-fr"] }), 5)
        assert.strictEqual(yield* count({ productIds: ["home-fr"] }), 0)
        assert.strictEqual(yield* count({ productIds: ["home-fr", "motor-fr"] }), 5)
        assert.strictEqual(yield* count({ statuses: ["POLICY_STARTED"] }), 5)
        assert.strictEqual(yield* count({ statuses: ["POLICY_SIGNED", "POLICY_STOPPED"] }), 0)
        assert.strictEqual(yield* count({ brokerageFirmId: world.firms.north }), 2)
        assert.strictEqual(yield* count({ terminationReasons: ["NON_PAYMENT"] }), 0)
        // Nothing stops policies yet; the head says it as a stop will.
        const superuser = yield* SuperuserSql
        yield* superuser`
        UPDATE policy SET stop_reason = 'NON_PAYMENT', status = 'POLICY_STOPPED'
        WHERE id = ${eloise.policyId}
      `
        yield* TenantSql.use((sql) =>
          sql.transaction(ReceivablesRepo.use((repo) => repo.refresh([eloise.policyId])))
        ).pipe(Effect.provideService(CurrentTenant, world.tenant))
        assert.strictEqual(yield* count({ terminationReasons: ["NON_PAYMENT", "OTHER"] }), 1)
        assert.strictEqual(yield* count({ statuses: ["POLICY_STOPPED"] }), 1)
        const both = yield* list(world, {
          statuses: ["POLICY_STARTED"],
          brokerageFirmId: world.firms.north
        })
        assert.deepStrictEqual(policyIds(both.data), [bjork.policyId])
      })
    )

    it.effect(
      "keeps an entry whose unpaid invoices were issued within bounds, with whole counts",
      () =>
        Effect.gen(function* () {
          const { bjork, eloise, jean, world, zoe } = yield* arrears
          const found = (before: string | undefined, after: string | undefined) =>
            Effect.map(
              list(world, {
                ...(before === undefined ? {} : { unpaidInvoiceIssuedBefore: before as never }),
                ...(after === undefined ? {} : { unpaidInvoiceIssuedAfter: after as never })
              }),
              ({ data }) => data.map((entry) => [entry.policy.id, entry.numberOfUnpaidInvoices])
            )
          const eloiseRow = [eloise.policyId, 4]
          // Before is exclusive, after inclusive, a date is its first instant in Paris.
          assert.deepStrictEqual(yield* found("2026-04-01", undefined), [])
          assert.deepStrictEqual(yield* found("2026-03-31T22:00:00.000Z", undefined), [])
          assert.deepStrictEqual(yield* found("2026-03-31T22:00:00.001Z", undefined), [eloiseRow])
          assert.deepStrictEqual(yield* found("2026-04-02", undefined), [eloiseRow])
          assert.deepStrictEqual(yield* found(undefined, "2026-07-10T22:00:00.000Z"), [])
          assert.deepStrictEqual(
            (yield* found(undefined, "2026-07-10")).map(([id]) => id).sort(),
            [bjork.policyId, jean.policyId].sort()
          )
          assert.deepStrictEqual(yield* found("2026-07-02", "2026-07-01"), [
            eloiseRow,
            [zoe.policyId, 1]
          ])
          // One of its invoices must lie within both bounds, not one within each.
          assert.deepStrictEqual(yield* found("2026-04-20", "2026-04-10"), [])
        })
    )

    it.effect(
      "says whether a dispatched notice names an invoice that is still unpaid, and when",
      () =>
        Effect.gen(function* () {
          const { eloise, world } = yield* arrears
          yield* sendNotice(world, eloise, "2026-06-01T08:00:00Z")
          yield* sendNotice(world, eloise, "2026-07-01T08:00:00Z")
          const noticed = (hasFormalNotice: boolean) =>
            Effect.map(list(world, { hasFormalNotice }), ({ data }) => data)
          const [entry, ...more] = yield* noticed(true)
          assert.deepStrictEqual(
            [entry?.policy.id, entry?.lastFormalNoticeSentAt, more.length],
            [eloise.policyId, World.at("2026-07-01T08:00:00Z"), 0]
          )
          assert.strictEqual((yield* noticed(false)).length, 4)
          const [first] = yield* Contracts.invoices(world, eloise)
          yield* World.as(
            world,
            world.manager
          )(
            Payments.use((payments) =>
              payments.record(first!.id as InvoiceId, {
                amount: first!.amountDue,
                method: "CARD",
                reference: "r"
              })
            )
          )
          assert.deepStrictEqual(yield* noticed(true), [])
        })
    )

    it.effect("follows a change of the customer's or the policy's name at once", () =>
      Effect.gen(function* () {
        const { eloise, world } = yield* arrears
        const run = World.as(world, world.manager)
        yield* run(
          Customers.use((customers) =>
            customers.update({ customerId: eloise.customerId }, { name: "Solène Roux" })
          )
        )
        yield* run(
          Policies.use((policies) =>
            policies.update({ policyId: eloise.policyId }, { name: "Renamed", externalId: "NEW-7" })
          )
        )
        for (const queryString of ["solene roux", "renamed", "new-7"]) {
          const { data } = yield* list(world, { queryString })
          assert.deepStrictEqual(policyIds(data), [eloise.policyId], queryString)
        }
        for (const queryString of ["lefevre", "flotte", "ext-100"]) {
          assert.strictEqual((yield* list(world, { queryString })).totalCount, 0, queryString)
        }
      })
    )

    it.effect(
      "is what a slow look at every invoice says, after payments in any order (overdue-race-472)",
      () =>
        Effect.gen(function* () {
          const { anonymous, bjork, eloise, jean, world } = yield* arrears
          const run = World.as(world, world.manager)
          const pay = Effect.fnUntraced(function* (contract: Contracts.Contract, share: number) {
            const open = (yield* Contracts.invoices(world, contract)).filter(
              ({ amountDue }) => amountDue > 0
            )
            const [invoice] = open.slice(-1)
            if (invoice === undefined) return
            const amount = Math.max(1, Math.round(invoice.amountDue * share))
            const payment = { amount, method: "CARD", reference: "r" } as const
            yield* run(Payments.use(({ record }) => record(invoice.id as InvoiceId, payment)))
          })
          const shares = [0.4, 1, 1.7, 3, 0.1, 9, 1, 2.5]
          for (const [step, share] of shares.entries()) {
            yield* pay([eloise, bjork, jean, anonymous][step % 4]!, share)
            yield* assertProjection(world)
          }
          yield* Contracts.moveTo(world, "2026-10-02T12:00:00Z")
          yield* assertProjection(world)
        })
    )
  }
)

type Entry = Effect.Success<ReturnType<typeof list>>["data"][number]

const folded: Readonly<Record<string, string>> = {
  "Éloïse Lefèvre": "eloise lefevre",
  "björk Æsir": "bjork aesir",
  "Jean-Paul Dupont": "jean-paul dupont",
  "Camille Martin": "camille martin",
  Zoé: "zoe"
}

/** By value, what has none last, ties by the identifiers. */
const sorted = (
  entries: ReadonlyArray<Entry>,
  value: (entry: Entry) => string | number | undefined,
  direction: Direction
) =>
  [...entries].sort((a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === right) return a.policy.id < b.policy.id ? -1 : 1
    if (left === undefined) return 1
    if (right === undefined) return -1
    return left < right === (direction === "ASC") ? -1 : 1
  })

/** The dispatch of a notice over the first invoice. */
const sendNotice = Effect.fnUntraced(function* (
  world: World.World,
  contract: Contracts.Contract,
  sentAt: string
) {
  const [first] = yield* Contracts.invoices(world, contract)
  yield* World.as(
    world,
    world.manager
  )(
    Dunning.use((dunning) =>
      dunning.recordNotice(contract.policyId, {
        invoiceIds: [first!.id as InvoiceId],
        payerCustomerId: contract.customerId,
        sentAt: World.at(sentAt),
        channel: "REGISTERED_LETTER",
        evidence: { carrier: "La Poste", reference: "RK 1" }
      })
    )
  )
})

/** Derives the summary from every invoice in memory and compares. */
const assertProjection = Effect.fnUntraced(function* (world: World.World) {
  const superuser = yield* SuperuserSql
  const invoices = yield* superuser<{
    readonly policyId: string
    readonly customerId: string
    readonly type: string
    readonly status: string
    readonly total: bigint
    readonly paid: bigint
    readonly issuedAt: Date
  }>`SELECT * FROM invoice WHERE tenant_id = ${world.tenant}`
  const unpaid = invoices.filter(
    ({ status, type }) => type === "INVOICE" && unpaidStatuses.some((one) => one === status)
  )
  assert.isTrue(unpaid.every(({ paid, total }) => paid < total))
  const groups = Map.groupBy(unpaid, ({ customerId, policyId }) => `${policyId} ${customerId}`)
  const { data } = yield* list(world)
  const now = (yield* Contracts.now(world)).now
  assert.deepStrictEqual(
    data
      .map((entry) => [
        `${entry.policy.id} ${entry.customer.id}`,
        entry.numberOfUnpaidInvoices,
        toEpochMillis(entry.oldestUnpaidInvoiceIssuedAt),
        entry.unpaidDurationInDay
      ])
      .sort(),
    [...groups]
      .map(([key, own]) => {
        const oldest = Math.min(...own.map(({ issuedAt }) => issuedAt.getTime()))
        const zone = World.motor.timeZone
        const issuedOn = localDate(World.at(new Date(oldest).toISOString()), zone)
        return [key, own.length, oldest, daysBetween(issuedOn, localDate(now, zone))]
      })
      .sort()
  )
})
