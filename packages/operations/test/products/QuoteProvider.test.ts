/** Products that another program prices: quoted, compared, previewed, sold, whatever happens meanwhile. */
import { assert, layer } from "@effect/vitest"
import { isAnswerSigned, signRequest } from "@quittance/auth/ExchangeSignature"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { FieldValues } from "@quittance/domain/products/ProductFields"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { compile } from "@quittance/pricing/Engine"
import { type Context, Effect, Result } from "effect"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Preview } from "../../src/quotes/Preview.ts"
import { type CommandQuestion, QuoteProvider } from "../../src/products/QuoteProvider.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { inputOf } from "../../../pricing/test/Elsewhere.ts"
import * as Rated from "../Rated.ts"
import { answer, good, priced, type Received, secret } from "../RateServer.ts"
import * as World from "../World.ts"

const quote = ({ policyId, run }: Rated.Rated, tierId?: string) =>
  run(Quotes.use((quotes) => quotes.quote({ policyId }, tierId === undefined ? {} : { tierId })))

/** What the built-in engine would charge for what was asked. */
const own = (product: Product, { request }: Received, tierId: string) =>
  Result.getOrThrow(compile(product).price(inputOf(product, request, tierId)))

const patch = ({ policyId, run }: Rated.Rated, key: string, value: number) =>
  run(Policies.use((policies) => policies.update({ policyId }, { customFields: [{ key, value }] })))

/** Answers well, once something has been done meanwhile. */
const meanwhile = <A, E, R>(context: Context.Context<R>, effect: Effect.Effect<A, E, R>) =>
  Effect.runPromiseWith(context)(effect)

const refusal = { path: "/assets/0/customFields/value", message: "Not insurable: above 90 000 €." }
const refusing = (except: ReadonlyArray<string> = []) =>
  answer((received) => {
    const answered = priced(received)
    return {
      ...answered,
      tiers: answered.tiers.map((tier) =>
        except.includes(tier.id) ? tier : { id: tier.id, refusals: [refusal] }
      )
    }
  })

layer(Rated.layer, { excludeTestServices: true })("a product that another program prices", (it) => {
  it.effect("is quoted at its price, which billing can charge as it charges our own", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { explanation, quote: given, selectedTier } = yield* quote(rated, "COMPREHENSIVE")
      const [asked] = rated.rates.received
      const expected = own(World.motor, asked!, "COMPREHENSIVE")
      assert.deepStrictEqual(given.provider, { id: "rates", version: "7.1" })
      assert.deepStrictEqual(given.totalPremium, expected.quote.totalPremium)
      assert.deepStrictEqual(selectedTier, expected.selectedTier)
      assert.strictEqual(explanation.components.length, given.components.length)
      const row = yield* rated
        .run(QuotesRepo.use((quotes) => quotes.find(given.id)))
        .pipe(Effect.provide(QuotesRepo.layer))
      assert.deepStrictEqual(row?.content.premiumItems, expected.premiumItems)
    })
  )

  it.effect("is asked for with what is priced, and no names, in a signed request", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      yield* quote(rated)
      const [{ headers, method, path, request, text }] = rated.rates.received as [Received]
      assert.deepStrictEqual([method, path], ["POST", "/prices?tariff=7"])
      assert.strictEqual(headers["content-type"], "application/json")
      const header = String(headers["quittance-signature"])
      const { keyId } = rated.settings
      const time = Number(/;time=(\d+);/u.exec(header)?.[1])
      const body = Buffer.from(text)
      assert.strictEqual(
        header,
        signRequest({ keyId, secret }, { method: "POST", path: "/prices?tariff=7", body, time })
      )
      assert.isFalse(isAnswerSigned({ keyId, secret }, request.requestId, body, header))
      for (const known of [
        "Camille",
        "Martin",
        "example.test",
        rated.policyId,
        "user_",
        "customer_"
      ]) {
        assert.notInclude(text, known)
      }
      assert.isUndefined(headers["traceparent"])
      assert.isUndefined(headers["b3"])
    })
  )

  it.effect("is calculated, compared and previewed without a trace", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, run } = rated
      const before = yield* Rated.traces(rated)
      const quotes = yield* Quotes
      const calculated = yield* run(quotes.calculate({ policyId }, { tierId: "COMPREHENSIVE" }))
      const { tiers } = yield* run(quotes.available({ policyId }))
      const example = exampleOf(Rated.product)
      const list = (values: FieldValues) =>
        Object.entries(values).map(([key, value]) => ({ key, value }))
      const preview = yield* run(
        Preview.use((preview) =>
          preview.quote({
            productId: Rated.product.productId,
            startedAt: World.at("2026-04-01T00:00:00+02:00"),
            tierId: "COMPREHENSIVE",
            customFields: list(example.customFields),
            customers: example.customers.map(({ customFields, role }) => ({
              role,
              customFields: list(customFields)
            })),
            assets: example.assets.map(({ customFields }) => ({ customFields: list(customFields) }))
          })
        )
      )
      assert.lengthOf(rates.received, 3)
      // All tiers are one question.
      assert.deepStrictEqual(
        rates.received.map(({ request }) => request.tiers.length),
        [1, World.motor.tiers.length, 1]
      )
      const total = calculated.quote.totalPremium
      assert.deepStrictEqual(
        tiers.find(({ id }) => id === "COMPREHENSIVE")?.quote?.totalPremium,
        total
      )
      assert.deepStrictEqual(preview.quote.totalPremium, total)
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
    })
  )

  it.effect("is refused as the engine refuses: with where it lies, tier by tier", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, run } = rated
      const before = yield* Rated.traces(rated)
      rates.behaviour = refusing()
      const failure = yield* Effect.flip(quote(rated))
      assert.strictEqual(failure._tag, "InvalidCustomField")
      const [issue] = failure._tag === "InvalidCustomField" ? failure.issues : []
      assert.match(String(issue?.path), /^\/assets\/asset_test_\w{21}\/customFields\/value$/u)
      assert.strictEqual(issue?.message, refusal.message)
      const quotes = yield* Quotes
      assert.strictEqual(
        (yield* Effect.flip(run(quotes.available({ policyId }))))._tag,
        "InvalidCustomField"
      )
      rates.behaviour = refusing(["COMPREHENSIVE"])
      const { tiers } = yield* run(quotes.available({ policyId }))
      assert.deepStrictEqual(
        tiers.map(({ id, quote }) => [id, quote !== undefined]),
        World.motor.tiers.map(({ id }) => [id, id === "COMPREHENSIVE"])
      )
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
    })
  )

  it.effect("is not asked for where the product itself stands in the way", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const failure = yield* Effect.flip(quote(rated, "GOLD"))
      assert.deepInclude(failure, { _tag: "InvalidReference", field: "tierId" })
      assert.lengthOf(rated.rates.received, 0)
    })
  )

  it.effect("answers a repetition as the first time, without another call", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, world } = rated
      const keyed = (key: string) => {
        const answer = { replayed: false }
        const request = { idempotency: { key, fingerprint: "same" }, answer }
        const run = World.as(world, world.manager, request)
        return Effect.map(
          Effect.result(run(Quotes.use((quotes) => quotes.quote({ policyId }, {})))),
          (result) => [result, answer.replayed] as const
        )
      }
      for (const [key, behaviour] of [
        ["priced", good],
        ["refused", refusing()]
      ] as const) {
        rates.behaviour = behaviour
        const asked = rates.received.length
        const [first, firstReplayed] = yield* keyed(key)
        const [second, secondReplayed] = yield* keyed(key)
        assert.strictEqual(Result.isSuccess(first), key === "priced")
        const [told, again] = [first, second].map((one): unknown => JSON.parse(JSON.stringify(one)))
        assert.deepStrictEqual(again, told)
        assert.deepStrictEqual([firstReplayed, secondReplayed], [false, true])
        assert.lengthOf(rates.received, asked + 1)
      }
    })
  )

  it.effect("forgets an outage: the same key may be tried again", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, world } = rated
      const keyed = World.as(world, world.manager, {
        idempotency: { key: "again", fingerprint: "same" }
      })(Quotes.use((quotes) => quotes.quote({ policyId }, {})))
      const before = yield* Rated.traces(rated)
      rates.behaviour = (_, response) => void response.writeHead(500).end()
      const failure = yield* Effect.flip(keyed)
      assert.strictEqual(failure._tag, "QuoteProviderUnavailable")
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
      rates.behaviour = good
      assert.strictEqual((yield* keyed).quote.provider.id, "rates")
    })
  )

  it.effect("is asked for one price after the other where a version has several", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const example = exampleOf(Rated.product)
      const questions = [1, 2, 3, 4, 5].map((number): CommandQuestion => ({
        product: Rated.product,
        periodDuration: Rated.product.periodDuration,
        input: {
          ...example,
          startDate: "2026-04-01" as LocalDate,
          customFields: { ...example.customFields, bonusMalus: 60 + number }
        },
        pricedHash: String(number),
        etag: '"7"'
      }))
      let attempts = 0
      const prices = yield* rated
        .run(
          QuoteProvider.use(({ forCommand }) =>
            forCommand((priceOf) => {
              attempts++
              return Effect.forEach(questions, priceOf)
            })
          )
        )
        .pipe(Effect.provide(QuoteProvider.layer))
      assert.strictEqual(attempts, 6)
      assert.lengthOf(rated.rates.received, 5)
      assert.deepStrictEqual(
        prices.map(({ quote }) => quote.totalPremium),
        rated.rates.received.map(
          (received) => own(World.motor, received, World.motor.defaultTier).quote.totalPremium
        )
      )
    })
  )

  it.effect("is quoted once, also when it is repeated at the same time", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, world } = rated
      const request = { idempotency: { key: "twice", fingerprint: "same" } }
      const before = yield* Rated.traces(rated)
      const both = Array.from({ length: 4 }, () =>
        Effect.result(
          World.as(world, world.manager, { ...request, answer: { replayed: false } })(
            Quotes.use((quotes) => quotes.quote({ policyId }, {}))
          )
        )
      )
      const results = yield* Effect.all(both, { concurrency: "unbounded" })
      const ids = new Set(results.filter(Result.isSuccess).map(({ success }) => success.quote.id))
      assert.strictEqual(ids.size, 1)
      for (const result of results.filter(Result.isFailure)) {
        assert.strictEqual(result.failure._tag, "IdempotencyKeyInUse")
      }
      const after = yield* Rated.traces(rated)
      assert.strictEqual(after!["quotes"], before!["quotes"]! + 1)
    })
  )

  it.effect("is asked for in a dry run too, which writes nothing", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, world } = rated
      const before = yield* Rated.traces(rated)
      const { quote: given } = yield* World.as(world, world.manager, { dryRun: true })(
        Quotes.use((quotes) => quotes.quote({ policyId }, {}))
      )
      assert.strictEqual(given.provider.id, "rates")
      assert.lengthOf(rates.received, 1)
      assert.deepStrictEqual(yield* Rated.traces(rated), before)
    })
  )

  it.effect("does not lock the policy while the provider computes", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const sql = yield* SuperuserSql
      const context = yield* Effect.context<Policies>()
      const busy = sql<{ readonly state: string }>`
        SELECT state FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
      `
      const held = sql`SELECT id FROM policy WHERE id = ${rated.policyId} FOR UPDATE NOWAIT`
      const seen: Array<unknown> = []
      rated.rates.behaviour = async (received, response, number) => {
        const look = Effect.gen(function* () {
          seen.push(yield* busy, yield* held)
          // What is not priced may change.
          yield* rated.run(
            Policies.use((policies) => policies.update({ policyId: rated.policyId }, { name: "X" }))
          )
        })
        await meanwhile(context, look)
        await good(received, response, number)
      }
      yield* quote(rated)
      assert.deepStrictEqual(seen, [[], [{ id: rated.policyId }]])
      assert.lengthOf(rated.rates.received, 1)
      const policy = yield* rated.run(
        Policies.use((policies) => policies.get({ policyId: rated.policyId }))
      )
      assert.deepInclude(policy, { name: "X", status: "POLICY_QUOTED" })
    })
  )

  it.effect("is priced again when the policy changed meanwhile, and fits what it is now", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, rates, run } = rated
      const context = yield* Effect.context<Policies>()
      rates.behaviour = async (received, response, number) => {
        if (number === 1) await meanwhile(context, patch(rated, "bonusMalus", 100))
        await good(received, response, number)
      }
      const { quote: given } = yield* quote(rated)
      const [before, after] = rates.received
      assert.lengthOf(rates.received, 2)
      assert.notStrictEqual(before!.request.requestId, after!.request.requestId)
      assert.strictEqual(after!.request.customFields["bonusMalus"], 100)
      const tierId = World.motor.defaultTier
      const [old, now] = [own(World.motor, before!, tierId), own(World.motor, after!, tierId)]
      assert.notDeepEqual(old.quote.totalPremium, now.quote.totalPremium)
      assert.deepStrictEqual(given.totalPremium, now.quote.totalPremium)
      const policy = yield* run(Policies.use((policies) => policies.get({ policyId })))
      assert.strictEqual(policy.status, "POLICY_QUOTED")
      assert.deepStrictEqual(policy.quote?.totalPremium, now.quote.totalPremium)
      const listed = yield* run(Quotes.use((quotes) => quotes.get({ quoteId: given.id })))
      assert.isFalse(listed.outdated)
    })
  )

  it.effect("is a conflict when the policy changes each time, with nothing quoted", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const context = yield* Effect.context<Policies>()
      rated.rates.behaviour = async (received, response, number) => {
        await meanwhile(context, patch(rated, "bonusMalus", 60 + number))
        await good(received, response, number)
      }
      const before = yield* Rated.traces(rated)
      const failure = yield* Effect.flip(quote(rated))
      const after = yield* Rated.traces(rated)
      assert.lengthOf(rated.rates.received, 3)
      assert.strictEqual(after!["quotes"], before!["quotes"])
      assert.strictEqual(after!["seq"], before!["seq"]! + 3)
      assert.deepInclude(failure, { _tag: "Conflict", etag: `"${after!["seq"]}"` })
    })
  )

  it.effect("is asked of the tenant's own program", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      yield* quote(rated)
      const other = yield* Rated.make()
      yield* quote(other)
      assert.lengthOf(rated.rates.received, 1)
      assert.lengthOf(other.rates.received, 1)
    })
  )

  it.effect("is sold, and signed, as any other is", () =>
    Effect.gen(function* () {
      const rated = yield* Rated.make()
      const { policyId, run } = rated
      const { quote: given } = yield* quote(rated)
      const customers = yield* Customers
      const { customers: ids } = yield* run(Policies.use((policies) => policies.get({ policyId })))
      yield* run(customers.confirm({ customerId: ids[0]! }))
      yield* run(Sales.use((sales) => sales.confirm({ policyId })))
      const signed = yield* run(
        Sales.use((sales) =>
          sales.sign(
            { policyId },
            {
              signer: { firstName: "Camille", lastName: "Martin", email: "camille@example.test" },
              consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
            }
          )
        )
      )
      assert.strictEqual(signed.status, "POLICY_SIGNED")
      assert.deepStrictEqual(signed.quote?.totalPremium, given.totalPremium)
      assert.lengthOf(rated.rates.received, 1)
    })
  )
})
