import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { Effect, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.mergeAll(
  Policies.layer,
  Sales.layer,
  Customers.layer,
  Assets.layer,
  Quotes.layer
).pipe(Layer.provideMerge(World.layer))

const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const
const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }

/** A policy with its policyholder and vehicle, filled with the product's examples. */
const prepared = Effect.fnUntraced(function* (world: World.World, caller: Caller) {
  const policies = yield* Policies
  const customers = yield* Customers
  const assets = yield* Assets
  const run = World.as(world, caller)
  const { id: policyId } = yield* run(
    policies.create({
      productId: "motor-fr",
      startedAt: World.at("2026-04-01T00:00:00+02:00"),
      customFields: World.examples(World.motor.fields.policy)
    })
  )
  const { customerId } = yield* run(
    customers.addToPolicy(
      { policyId },
      {
        role: "POLICYHOLDER",
        name: "Camille Martin",
        customFields: World.examples(World.motor.fields.customer, "POLICYHOLDER")
      }
    )
  )
  yield* run(
    assets.addToPolicy({ policyId }, { customFields: World.examples(World.motor.fields.asset) })
  )
  return { policyId, customerId, run }
})

type Sale = Effect.Success<ReturnType<typeof prepared>>

const confirmed = Effect.fnUntraced(function* ({ customerId, policyId, run }: Sale) {
  const customers = yield* Customers
  const quotes = yield* Quotes
  yield* run(quotes.quote({ policyId }, {}))
  yield* run(customers.confirm({ customerId }))
  return yield* run(Sales.use((sales) => sales.confirm({ policyId })))
})

const unknown = "policy_test_346789ABCDEFGHJKLMNPQ" as PolicyId

layer(TestLayer)("the sale of a policy", (it) => {
  it.effect("answers a policy that isn't there as not found", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const error = yield* Effect.flip(
        World.as(world, world.manager)(policies.get({ policyId: unknown }))
      )
      assert.strictEqual(error._tag, "PolicyNotFound")
    })
  )

  it.effect("hides another tenant's policy as if it weren't there", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const policies = yield* Policies
      const { policyId } = yield* prepared(world, world.manager)
      const stranger = World.as(other, other.manager)
      const read = yield* Effect.flip(stranger(policies.get({ policyId })))
      const write = yield* Effect.flip(stranger(policies.update({ policyId }, { name: "mine" })))
      assert.deepStrictEqual([read._tag, write._tag], ["PolicyNotFound", "PolicyNotFound"])
    })
  )

  it.effect("refuses a client, a broker of another firm and an auditor who writes", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const { policyId } = yield* prepared(world, world.north)
      const patch = policies.update({ policyId }, { name: "x" })
      const client = { _tag: "Client", clientId: "c" as never, scopes: new Set<never>() } as const
      const tags = yield* Effect.forEach([client, world.south, world.auditor], (caller) =>
        Effect.map(Effect.flip(World.as(world, caller)(patch)), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["UserNotFound", "Forbidden", "Forbidden"])
      const seen = yield* World.as(world, world.auditor)(policies.get({ policyId }))
      assert.strictEqual(seen.brokerageFirm, world.firms.north)
      assert.strictEqual(seen.author?.firstName, "north")
    })
  )

  it.effect("leads from a draft to a signed policy with the price it was quoted at", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const quotes = yield* Quotes
      const sale = yield* prepared(world, world.manager)
      const { policyId, run } = sale
      const { tiers } = yield* run(quotes.available({ policyId }))
      assert.strictEqual(tiers.length, 3)
      const { explanation, quote } = yield* run(
        quotes.quote({ policyId }, { tierId: tiers[1]!.id })
      )
      assert.deepStrictEqual(quote.totalPremium, tiers[1]!.quote?.totalPremium)
      assert.strictEqual(
        explanation.components.reduce(
          (sum, { amountWithFeesAndTaxes }) => sum + amountWithFeesAndTaxes,
          0
        ),
        quote.totalPremium.amountWithFeesAndTaxes
      )
      const customers = yield* Customers
      yield* run(customers.confirm({ customerId: sale.customerId }))
      assert.strictEqual(
        (yield* run(Sales.use((sales) => sales.confirm({ policyId })))).status,
        "POLICY_CONFIRMED"
      )
      const signed = yield* run(Sales.use((sales) => sales.sign({ policyId }, { signer, consent })))
      assert.strictEqual(signed.status, "POLICY_SIGNED")
      assert.strictEqual(signed.branchType, "BASE")
      assert.strictEqual(signed.signedAt, "2026-03-10T09:00:00.000Z")
      assert.strictEqual(signed.endedAt, "2027-03-31T22:00:00.000Z")
      assert.strictEqual(signed.nextRenewalAt, signed.endedAt)
      assert.deepStrictEqual(signed.quote, quote)
      assert.deepStrictEqual(yield* run(policies.get({ policyId })), signed)
    })
  )

  it.effect("refuses every step out of turn and says what is possible", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId, run } = yield* prepared(world, world.manager)
      const error = yield* Effect.flip(run(Sales.use((sales) => sales.confirm({ policyId }))))
      assert.deepInclude(error, { _tag: "InvalidTransition", status: "POLICY_CREATED" })
      const sign = yield* Effect.flip(
        run(Sales.use((sales) => sales.sign({ policyId }, { signer, consent })))
      )
      assert.strictEqual(sign._tag, "InvalidTransition")
    })
  )

  it.effect("outdates a quote by what is priced and by nothing else", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const quotes = yield* Quotes
      const { customerId, policyId, run } = yield* prepared(world, world.manager)
      const customers = yield* Customers
      yield* run(quotes.quote({ policyId }, {}))
      const unpriced = yield* run(policies.update({ policyId }, { name: "Clio" }))
      assert.strictEqual(unpriced.status, "POLICY_QUOTED")
      yield* run(
        customers.update({ customerId }, { customFields: [{ key: "city", value: "Paris" }] })
      )
      const priced = yield* run(
        policies.update({ policyId }, { customFields: [{ key: "bonusMalus", value: 100 }] })
      )
      assert.strictEqual(priced.status, "POLICY_CREATED")
      assert.isUndefined(priced.quote)
      const error = yield* Effect.flip(run(Sales.use((sales) => sales.confirm({ policyId }))))
      assert.deepInclude(error, { _tag: "QuoteOutdated", reason: "CHANGED" })
    })
  )

  it.effect("keeps the priced data of a confirmed sale until it is reopened", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const sale = yield* prepared(world, world.manager)
      const { policyId, run } = sale
      yield* confirmed(sale)
      const change = policies.update({ policyId }, { customFields: [{ key: "claims", value: 2 }] })
      assert.strictEqual((yield* Effect.flip(run(change)))._tag, "InvalidTransition")
      assert.strictEqual(
        (yield* run(Sales.use((sales) => sales.reopen({ policyId })))).status,
        "POLICY_QUOTED"
      )
      assert.strictEqual((yield* run(change)).status, "POLICY_CREATED")
    })
  )

  it.effect("gates the confirmation on a confirmed policyholder", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const quotes = yield* Quotes
      const { policyId, run } = yield* prepared(world, world.manager)
      yield* run(quotes.quote({ policyId }, {}))
      const error = yield* Effect.flip(run(Sales.use((sales) => sales.confirm({ policyId }))))
      assert.strictEqual(error._tag, "ComplianceGateNotMet")
    })
  )

  it.effect("asks for a branch where a signed policy's price would change", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const sale = yield* prepared(world, world.manager)
      const { policyId, run } = sale
      yield* confirmed(sale)
      yield* run(Sales.use((sales) => sales.sign({ policyId }, { signer, consent })))
      const error = yield* Effect.flip(
        run(policies.update({ policyId }, { customFields: [{ key: "claims", value: 2 }] }))
      )
      assert.deepInclude(error, { _tag: "BranchRequired", branchType: "MTA" })
      const renamed = yield* run(policies.update({ policyId }, { name: "Ma Clio" }))
      assert.strictEqual(renamed.name, "Ma Clio")
      const before = yield* run(
        policies.get({ policyId, whenAt: World.at("2026-03-10T08:59:59Z") })
      )
      assert.isUndefined(before.name)
      assert.isUndefined(before.signedAt)
    })
  )

  it.effect(
    "gives the first answer again to the same key, and refuses the key for another request",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const policies = yield* Policies
        const create = policies.create({ productId: "motor-fr" })
        const keyed = (fingerprint: string) =>
          World.as(world, world.manager, { idempotency: { key: "k", fingerprint } })
        const first = yield* keyed("a")(create)
        assert.deepStrictEqual(yield* keyed("a")(create), first)
        assert.strictEqual((yield* Effect.flip(keyed("b")(create)))._tag, "IdempotencyKeyReused")
        const failing = policies.create({ productId: "no-such" })
        const keyedFailure = World.as(world, world.manager, {
          idempotency: { key: "f", fingerprint: "f" }
        })
        const failure = yield* Effect.flip(keyedFailure(failing))
        assert.deepStrictEqual(yield* Effect.flip(keyedFailure(failing)), failure)
      })
  )

  it.effect("lets one of many equal requests through, every time", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      for (let round = 0; round < 50; round++) {
        const idempotency = { key: `round ${round}`, fingerprint: "same" }
        const externalId = `external ${round}`
        const create = policies.create({ productId: "motor-fr", externalId })
        const results = yield* Effect.all(
          Array.from({ length: 4 }, () =>
            Effect.result(World.as(world, world.manager, { idempotency })(create))
          ),
          { concurrency: "unbounded" }
        )
        const ids = new Set<string>()
        for (const result of results) {
          if (result._tag === "Success") ids.add(result.success.id)
          else assert.strictEqual(result.failure._tag, "IdempotencyKeyInUse")
        }
        assert.strictEqual(ids.size, 1)
      }
    })
  )

  it.effect("writes nothing in a dry run and answers what it would answer", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const { policyId, run } = yield* prepared(world, world.manager)
      const before = yield* run(policies.get({ policyId }))
      const dry = World.as(world, world.manager, { dryRun: true })
      const renamed = yield* dry(policies.update({ policyId }, { name: "dry" }))
      assert.strictEqual(renamed.name, "dry")
      assert.deepStrictEqual(yield* run(policies.get({ policyId })), before)
    })
  )

  it.effect("lets only one of two writers win who read the same version", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const { policyId } = yield* prepared(world, world.manager)
      for (let round = 0; round < 100; round++) {
        const seq = 3 + round
        const write = (name: string) =>
          Effect.result(
            World.as(world, world.manager, { ifMatch: `"${seq}"` })(
              policies.update({ policyId }, { name })
            )
          )
        const results = yield* Effect.all([write(`a${round}`), write(`b${round}`)], {
          concurrency: "unbounded"
        })
        const failures = results.flatMap((result) =>
          result._tag === "Failure" ? [result.failure._tag] : []
        )
        assert.deepStrictEqual(failures, ["Conflict"])
      }
    })
  )

  it.effect("lets a session reach its own policies and no others", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const policies = yield* Policies
      const [owner, stranger] = [yield* World.visitor(world), yield* World.visitor(world)]
      const sale = yield* prepared(world, owner)
      const { policyId } = sale
      yield* confirmed(sale)
      const signed = yield* World.as(
        world,
        owner
      )(Sales.use((sales) => sales.sign({ policyId }, { signer, consent })))
      assert.isUndefined(signed.author)
      const error = yield* Effect.flip(World.as(world, stranger)(policies.get({ policyId })))
      assert.strictEqual(error._tag, "Forbidden")
      const fees = policies.create({ productId: "motor-fr", brokerageFees: [] })
      assert.strictEqual((yield* Effect.flip(World.as(world, owner)(fees)))._tag, "Forbidden")
    })
  )
})
