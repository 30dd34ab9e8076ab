/** Mandates over HTTP: signed, amended, withdrawn, imported, and raced for. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { imported } from "./matrix/mandates.ts"
import { account } from "./matrix/payment-methods.ts"
import { companyMandate } from "./PaymentWrites.ts"
import { prepared } from "./Sales.ts"

const ask = ({ tenant, session }: World, method: string, path: string, body?: unknown) =>
  call(path, { tenant, token: session, method, ...(body === undefined ? {} : { body }) })

const asManager = (world: World, method: string, path: string, body?: unknown) =>
  ask({ ...world, session: world.manager }, method, path, body)

const addMethod = (world: World, customerId: string) =>
  Effect.map(ask(world, "POST", `/payment-methods/customers/${customerId}`, account), ({ body }) =>
    String(body.id)
  )

const toSign = { productId: "motor-fr", locale: "fr" }

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  yield* asManager(world, "PUT", "/admin/bank-accounts/main", bankAccount)
  const { customerId } = yield* prepared(world, world.session)
  const methodId = yield* addMethod(world, customerId)
  return { world, customerId, methodId, path: `/mandates/payment-methods/${methodId}` }
})

const draft = (world: World, path: string) =>
  Effect.map(ask(world, "POST", path, toSign), ({ body }) => `/mandates/${body.id}`)

const textOf = (world: World, mandate: string) =>
  Effect.map(ask(world, "GET", `${mandate}/text`), ({ body }) => body)

const sign = Effect.fnUntraced(function* (world: World, mandate: string) {
  const { hash } = yield* textOf(world, mandate)
  return yield* ask(world, "POST", `${mandate}/sign`, {
    consent: { textHash: hash, accepted: true },
    place: "Lyon"
  })
})

const refused = ({ body, status }: { readonly body: any; readonly status: number }) => [
  status,
  body.code
]

layer(TestLayer, { excludeTestServices: true })("mandates", (it) => {
  it.effect("are refused where nothing could be collected by them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { customerId } = yield* prepared(world, world.session)
      const path = `/mandates/payment-methods/${yield* addMethod(world, customerId)}`
      const noAccount = yield* ask(world, "POST", path, toSign)
      assert.deepStrictEqual(refused(noAccount), [422, "INVALID_REFERENCE"])
      assert.strictEqual(noAccount.body.details.field, "productId")
      const { creditorIdentifier: _, ...withoutIdentifier } = bankAccount
      yield* asManager(world, "PUT", "/admin/bank-accounts/main", withoutIdentifier)
      assert.deepStrictEqual(refused(yield* ask(world, "POST", path, toSign)), [
        422,
        "INVALID_REFERENCE"
      ])

      yield* asManager(world, "PUT", "/admin/bank-accounts/main", bankAccount)
      const b2b = yield* ask(world, "POST", path, { ...toSign, scheme: "B2B" })
      assert.deepStrictEqual([b2b.status, b2b.body.details.field], [422, "scheme"])
      yield* ask(world, "POST", `${path.replace("/mandates", "")}/disable`, {})
      const disabled = yield* ask(world, "POST", path, toSign)
      assert.deepStrictEqual(refused(disabled), [422, "INVALID_PAYMENT_METHOD"])
      const none = yield* ask(world, "GET", `/mandates/customers/${customerId}`)
      assert.strictEqual(none.body.totalCount, 0)
    })
  )

  it.effect("are signed under the text that was shown, and once", () =>
    Effect.gen(function* () {
      const { methodId, path, world } = yield* scene
      const made = yield* ask(world, "POST", path, toSign)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        paymentMethodId: methodId,
        status: "DRAFT",
        scheme: "CORE",
        type: "RECURRENT",
        umr: "QM000000000142",
        amendments: []
      })
      assert.notProperty(made.body, "endsOn")
      const mandate = `/mandates/${made.body.id}`
      const shown = yield* textOf(world, mandate)
      assert.strictEqual(shown.hash, createHash("sha256").update(shown.text).digest("hex"))
      assert.notInclude(shown.text, "FR7699999000010000000010106")

      // What the creditor is called has changed since.
      const holder = { ...bankAccount.holder, name: "Acme Vie" }
      yield* asManager(world, "PUT", "/admin/bank-accounts/main", { ...bankAccount, holder })
      const consent = { textHash: shown.hash, accepted: true }
      const outdated = yield* ask(world, "POST", `${mandate}/sign`, { consent })
      assert.deepStrictEqual(refused(outdated), [409, "CONFLICT"])
      assert.strictEqual((yield* ask(world, "GET", mandate)).body.status, "DRAFT")

      const signed = yield* sign(world, mandate)
      const { hash } = yield* textOf(world, mandate)
      assert.deepInclude(signed.body, { status: "ACTIVE", text: { hash, locale: "fr" } })
      assert.strictEqual(signed.body.evidence.place, "Lyon")
      const [day, last] = [signed.body.signedOn, signed.body.endsOn].map((text) =>
        String(text).split("-").map(Number)
      )
      assert.deepStrictEqual(last!.slice(0, 2), [day![0]! + 3, day![1]!])
      const again = yield* sign(world, mandate)
      assert.deepStrictEqual(refused(again), [409, "INVALID_TRANSITION"])

      const sql = yield* SuperuserSql
      const [row] = yield* sql<{ readonly evidence: Readonly<Record<string, string>> }>`
        SELECT evidence FROM mandate WHERE id = ${made.body.id}
      `
      assert.containsAllKeys(row!.evidence, ["by", "at", "place", "address", "userAgent"])
      assert.hasAllKeys(signed.body.evidence, ["by", "at", "place"])
    })
  )

  it.effect("wait for the bank of a company", () =>
    Effect.gen(function* () {
      const { path, world } = yield* scene
      const b2b = `/mandates/${yield* companyMandate(world)}`
      assert.strictEqual((yield* asManager(world, "GET", b2b)).body.status, "AWAITING_BANK")
      const evidence = "Letter of the bank"
      const confirmed = yield* asManager(world, "POST", `${b2b}/confirm-bank`, { evidence })
      assert.deepInclude(confirmed.body, { status: "ACTIVE" })
      assert.strictEqual(confirmed.body.bankConfirmation.reference, evidence)
      const core = yield* draft(world, path)
      assert.deepStrictEqual(
        refused(yield* ask(world, "POST", `${core}/confirm-bank`, { evidence })),
        [409, "INVALID_TRANSITION"]
      )
    })
  )

  it.effect("move to another account of the same debtor, also from a disabled one", () =>
    Effect.gen(function* () {
      const { customerId, methodId, path, world } = yield* scene
      const mandate = yield* draft(world, path)
      yield* sign(world, mandate)
      const other = yield* prepared(world, world.session)
      const foreign = yield* addMethod(world, other.customerId)
      const move = (paymentMethodId: string) =>
        ask(world, "POST", `${mandate}/amend`, { paymentMethodId })
      assert.deepStrictEqual(refused(yield* move(foreign)), [422, "INVALID_PAYMENT_METHOD"])

      const next = yield* addMethod(world, customerId)
      yield* ask(world, "POST", `/payment-methods/${methodId}/disable`, {})
      const moved = yield* move(next)
      assert.strictEqual(moved.body.paymentMethodId, next)
      const [{ at: _, ...amendment }] = moved.body.amendments
      assert.deepStrictEqual(amendment, {
        kind: "ACCOUNT",
        from: methodId,
        to: next,
        status: "PENDING"
      })
      assert.deepStrictEqual((yield* ask(world, "GET", mandate)).body, moved.body)
      assert.deepStrictEqual(refused(yield* move(methodId)), [422, "INVALID_PAYMENT_METHOD"])

      yield* ask(world, "POST", `${mandate}/cancel`, {})
      assert.deepStrictEqual(refused(yield* move(next)), [409, "INVALID_TRANSITION"])
    })
  )

  it.effect(
    "are signed on any policy of the customer, and moved and withdrawn on the earliest",
    () =>
      Effect.gen(function* () {
        const { customerId, methodId, path, world } = yield* scene
        const other = { ...world, session: world.stranger }
        const mandate = yield* draft(world, path)
        const reads = [mandate, `${mandate}/text`, `/mandates/customers/${customerId}`]
        for (const read of reads) {
          assert.deepStrictEqual(refused(yield* ask(other, "GET", read)), [403, "FORBIDDEN"])
        }
        assert.deepStrictEqual(refused(yield* ask(other, "POST", path, toSign)), [403, "FORBIDDEN"])

        // Their second policy is the other session's.
        const { policyId } = yield* prepared(world, world.stranger)
        const put = `/customers/${customerId}/policies/${policyId}`
        assert.strictEqual((yield* asManager(world, "POST", put, { role: "PAYER" })).status, 204)
        for (const read of reads) assert.strictEqual((yield* ask(other, "GET", read)).status, 200)
        assert.strictEqual((yield* sign(other, mandate)).body.status, "ACTIVE")
        for (const [step, body] of [
          ["amend", { paymentMethodId: methodId }],
          ["cancel", {}]
        ] as const) {
          const at = `${mandate}/${step}`
          assert.deepStrictEqual(refused(yield* ask(other, "POST", at, body)), [403, "FORBIDDEN"])
          assert.strictEqual((yield* ask(world, "POST", at, body)).status, 200)
        }
        const disabling = `/payment-methods/${methodId}/disable`
        assert.deepStrictEqual(refused(yield* ask(other, "POST", disabling, {})), [
          403,
          "FORBIDDEN"
        ])
      })
  )

  it.effect("are one for a creditor and a reference, however it is written", () =>
    Effect.gen(function* () {
      const { path, world } = yield* scene
      const bring = (more: object) =>
        asManager(world, "POST", `${path}/import`, { ...imported, ...more })
      const first = yield* bring({ umr: "Old 2024-17" })
      assert.deepInclude(first.body, { status: "ACTIVE", umr: "Old 2024-17" })
      const written = ["Old 2024-17", "OLD2024-17", "old 2024-17", "O l d2024-17"]
      for (const umr of written) {
        const again = yield* bring({ umr })
        assert.deepStrictEqual(refused(again), [409, "DUPLICATE_MANDATE_REFERENCE"], umr)
      }
      for (const days of [
        { signedOn: "2999-01-01" },
        { signedOn: "2001-01-01" },
        { signedOn: "2026-01-12", lastPresentedOn: "2026-01-11" },
        { signedOn: "2001-01-01", lastPresentedOn: "2999-01-01" }
      ]) {
        const late = yield* bring({ umr: "NEW", ...days })
        assert.deepStrictEqual(refused(late), [422, "INVALID_REFERENCE"], JSON.stringify(days))
      }
      // One that was signed long ago lives by its last debit.
      const old = yield* bring({ umr: "X", signedOn: "2001-01-01", lastPresentedOn: "2026-01-12" })
      assert.strictEqual(old.body.endsOn, "2029-01-12")

      // Our own next number is taken already: the one after it is used.
      yield* bring({ umr: "qm 0000 0000 0142" })
      const made = yield* ask(world, "POST", path, toSign)
      assert.strictEqual(made.body.umr, "QM000000000239")
    })
  )

  it.effect("expire by the account's days, without anything that looks at them", () =>
    Effect.gen(function* () {
      const { path, world } = yield* scene
      const mandate = yield* draft(world, path)
      const moveTo = (now: string) =>
        call("/admin/test-clock", {
          tenant: world.tenant,
          token: world.client,
          method: "PUT",
          body: { now }
        })
      const now = "2026-11-30T12:00:00Z"
      yield* moveTo(now)
      const { body } = yield* sign(world, mandate)
      assert.deepStrictEqual([body.signedOn, body.endsOn], ["2026-11-30", "2029-11-30"])
      const sql = yield* SuperuserSql
      const at = (instant: string) =>
        sql`UPDATE tenant SET test_clock = ${instant}::timestamptz WHERE tenant_id = ${world.tenant}`
      const statusNow = Effect.map(ask(world, "GET", mandate), ({ body }) => body.status)
      // Midnight of Paris.
      yield* at("2029-11-30T22:59:59Z")
      assert.strictEqual(yield* statusNow, "ACTIVE")
      yield* at("2029-11-30T23:00:00Z")
      assert.strictEqual(yield* statusNow, "EXPIRED")
      const late = yield* ask(world, "POST", `${mandate}/cancel`, {})
      assert.deepStrictEqual(refused(late), [409, "INVALID_TRANSITION"])
    })
  )

  it.effect("have as many references as there are of them, made all at once", () =>
    Effect.gen(function* () {
      const { customerId, path, world } = yield* scene
      const made = yield* Effect.all(
        Array.from({ length: 60 }, () => asManager(world, "POST", path, toSign)),
        { concurrency: 8 }
      )
      assert.strictEqual(new Set(made.map(({ body }) => body.umr)).size, 60)
      const bring = asManager(world, "POST", `${path}/import`, imported)
      const brought = yield* Effect.all(
        Array.from({ length: 20 }, () => bring),
        { concurrency: 8 }
      )
      assert.deepStrictEqual(brought.map(({ status }) => status).sort(), [
        201,
        ...Array.from({ length: 19 }, () => 409)
      ])
      const { body } = yield* ask(world, "GET", `/mandates/customers/${customerId}`)
      assert.strictEqual(body.totalCount, 61)
    })
  )

  it.effect("take one of two steps that exclude each other, in a hundred rounds", () =>
    Effect.gen(function* () {
      const { customerId, path, world } = yield* scene
      const other = yield* addMethod(world, customerId)
      const sql = yield* SuperuserSql
      for (let round = 0; round < 100; round++) {
        const mandate = yield* draft(world, path)
        const { hash } = yield* textOf(world, mandate)
        const consent = { textHash: hash, accepted: true }
        const signing = ask(world, "POST", `${mandate}/sign`, { consent })
        const cancelling = ask(world, "POST", `${mandate}/cancel`, {})
        const answers = yield* Effect.all(
          round % 2 === 0 ? [signing, signing, cancelling] : [cancelling, signing, signing],
          { concurrency: "unbounded" }
        )
        const won = answers.filter(({ status }) => status === 200)
        // Two signatures are never both taken; one may still be withdrawn after it.
        const signatures = won.filter(({ body }) => body.status === "ACTIVE").length
        assert.include([0, 1], signatures)
        for (const { status } of answers) assert.include([200, 409], status)
        const { body } = yield* ask(world, "GET", mandate)
        assert.strictEqual(body.status, "CANCELLED")
        assert.strictEqual(body.signedOn !== undefined, signatures === 1)
        const [left] = yield* sql<{ readonly signed: number; readonly cancelled: number }>`
          SELECT count(*) FILTER (WHERE kind = 'mandate.sign')::int AS signed,
            count(*) FILTER (WHERE kind = 'mandate.cancel')::int AS cancelled
          FROM event WHERE subject = ${body.id}
        `
        assert.deepStrictEqual(left, { signed: signatures, cancelled: 1 })
        if (round >= 20) continue
        // Amended and withdrawn at once: what is withdrawn is not moved.
        const second = yield* draft(world, path)
        yield* sign(world, second)
        const [amended] = yield* Effect.all(
          [
            ask(world, "POST", `${second}/amend`, { paymentMethodId: other }),
            ask(world, "POST", `${second}/cancel`, {})
          ],
          { concurrency: "unbounded" }
        )
        const end = (yield* ask(world, "GET", second)).body
        assert.strictEqual(end.status, "CANCELLED")
        assert.lengthOf(end.amendments, amended.status === 200 ? 1 : 0)
      }
    })
  )
})
