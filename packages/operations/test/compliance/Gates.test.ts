import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Product } from "@quittance/domain/products/Product"
import type { Instant } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer, Schema } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Compliance } from "../../src/compliance/Compliance.ts"
import { FirmRegistrations } from "../../src/compliance/FirmRegistrations.ts"
import { Statements } from "../../src/compliance/Statements.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(
  Assets.layer,
  Branches.layer,
  Compliance.layer,
  Customers.layer,
  FirmRegistrations.layer,
  Policies.layer,
  Quotes.layer,
  Sales.layer,
  Statements.layer
).pipe(Layer.provideMerge(World.layer))

const gated: Product = {
  ...World.motor,
  consents: [
    { textId: "ADVICE", text: "I was advised.", requiredFor: "CONFIRM" },
    ...World.motor.consents,
    { textId: "DEBIT", text: "You may debit me.", requiredFor: "SIGN" }
  ],
  complianceGates: [{ kind: "BROKER_REGISTRATION", requiredFor: "CONFIRM", maxAgeDays: 30 }]
}

const home = shippedProduct("home-fr")
const day = Schema.decodeUnknownSync(LocalDate)
const now = World.at("2026-03-10T09:00:00Z")
const signing = {
  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true },
  signer: { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
} as const

/** A quoted policy with a confirmed policyholder, who joins it with the start unless another day is said. */
const quoted = Effect.fnUntraced(function* (
  world: World.World,
  caller: Caller,
  {
    joinsAt,
    product = World.motor
  }: { readonly joinsAt?: Instant; readonly product?: Product } = {}
) {
  const run = World.as(world, caller)
  const { id: policyId } = yield* run(
    Policies.use((policies) =>
      policies.create({
        productId: product.productId,
        startedAt: World.at("2026-04-01T00:00:00+02:00"),
        customFields: World.examples(product.fields.policy)
      })
    )
  )
  const { customerId } = yield* run(
    Customers.use((customers) =>
      customers.addToPolicy(
        { policyId, whenAt: joinsAt },
        {
          role: "POLICYHOLDER",
          name: "Camille Martin",
          customFields: World.examples(product.fields.customer, "POLICYHOLDER")
        }
      )
    )
  )
  const customFields = World.examples(product.fields.asset)
  yield* run(Assets.use((assets) => assets.addToPolicy({ policyId }, { customFields })))
  yield* run(Quotes.use((quotes) => quotes.quote({ policyId }, {})))
  yield* run(Customers.use((customers) => customers.confirm({ customerId })))
  const confirm = run(Sales.use((sales) => sales.confirm({ policyId })))
  const sign = run(Sales.use((sales) => sales.sign({ policyId }, signing)))
  const accept = (textId: string) =>
    run(Compliance.use((compliance) => compliance.accept({ policyId }, { textId, accepted: true })))
  return { policyId, run, confirm, sign, accept }
})

/** The gates that a step is refused for. */
const gatesOf = <A, E extends { readonly _tag: string }, R>(step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(step), (error) =>
    "gates" in error
      ? (error.gates as ReadonlyArray<Record<string, string>>).map(
          ({ kind, textId, why }) => `${textId ?? kind} ${why}`
        )
      : error._tag
  )

const registered = (world: World.World, more: object = {}) =>
  FirmRegistrations.use((registrations) =>
    registrations.put(world.firms.north, {
      register: "ORIAS",
      number: "07000001",
      categories: ["COA"],
      validUntil: day("2026-03-10"),
      checkedAt: now,
      evidence: "https://www.orias.fr",
      ...more
    })
  )

layer(TestLayer)("the gates of a sale", (it) => {
  it.effect("stop each step until everything that it asks for is recorded", () =>
    Effect.gen(function* () {
      const world = yield* World.make(now, [gated])
      const { accept, confirm, policyId, run, sign } = yield* quoted(world, world.north)
      assert.deepStrictEqual(yield* gatesOf(confirm), [
        "ADVICE MISSING",
        "BROKER_REGISTRATION MISSING"
      ])
      yield* accept("ADVICE")
      yield* World.as(world, world.manager)(registered(world))
      const { steps } = yield* run(Compliance.use((compliance) => compliance.get({ policyId })))
      assert.deepStrictEqual(
        steps.map(({ gates, step }) => [step, gates.map(({ met }) => met)]),
        [
          ["CONFIRM", [true, true, true]],
          ["SIGN", [false, false]]
        ]
      )
      yield* confirm
      assert.deepStrictEqual(yield* gatesOf(sign), ["DEBIT MISSING"])
      yield* accept("DEBIT")
      assert.strictEqual((yield* sign).status, "POLICY_SIGNED")
    })
  )

  it.effect("sell no cover whose only policyholder joins after it has begun", () =>
    Effect.gen(function* () {
      const world = yield* World.make(now, [home])
      const joining = (at: string) =>
        quoted(world, world.north, { joinsAt: World.at(at), product: home })
      const late = yield* joining("2026-04-01T00:00:00.001+02:00")
      assert.deepStrictEqual(yield* gatesOf(late.confirm), ["POLICYHOLDER_CONFIRMED MISSING"])
      const inTime = yield* joining("2026-04-01T00:00:00+02:00")
      yield* inTime.confirm
    })
  )

  it.effect("take no text of another policy, branch or wording, and none that is not there", () =>
    Effect.gen(function* () {
      const world = yield* World.make(now, [gated])
      yield* World.as(world, world.manager)(registered(world))
      const other = yield* quoted(world, world.north)
      yield* other.accept("ADVICE")
      const { confirm, policyId, run } = yield* quoted(world, world.north)
      const offer = yield* run(
        Branches.use((branches) => branches.open({ policyId }, { branchType: "NEW_BUSINESS" }))
      )
      const accept = (branchId: typeof offer.id | undefined, textId: string) =>
        run(
          Compliance.use((compliance) =>
            compliance.accept({ policyId, branchId }, { textId, accepted: true })
          )
        )
      yield* accept(offer.id, "ADVICE")
      assert.deepStrictEqual(yield* gatesOf(confirm), ["ADVICE MISSING"])
      assert.strictEqual(
        (yield* Effect.flip(accept(undefined, "NO_SUCH")))._tag,
        "InvalidReference"
      )
      const first = yield* accept(undefined, "ADVICE")
      assert.deepStrictEqual(yield* accept(undefined, "ADVICE"), first)
      yield* confirm
    })
  )

  it.effect("do not take a firm's own word, a look-up of tomorrow, or one of 31 days ago", () =>
    Effect.gen(function* () {
      const world = yield* World.make(now, [gated])
      const { accept, confirm } = yield* quoted(world, world.north)
      yield* accept("ADVICE")
      const manager = World.as(world, world.manager)
      const tags = yield* Effect.forEach(
        [
          World.as(world, world.north)(registered(world)),
          manager(registered(world, { checkedAt: World.at("2026-03-10T09:00:00.001Z") }))
        ],
        (attempt) => Effect.map(Effect.flip(attempt), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["Forbidden", "InvalidEffectiveDate"])
      yield* manager(registered(world, { checkedAt: World.at("2026-02-07T22:59:59.999Z") }))
      assert.deepStrictEqual(yield* gatesOf(confirm), ["BROKER_REGISTRATION OUTDATED"])
      yield* manager(registered(world, { validUntil: day("2026-03-09") }))
      assert.deepStrictEqual(yield* gatesOf(confirm), ["BROKER_REGISTRATION OUTDATED"])
      yield* manager(registered(world))
      yield* confirm
      const kept = yield* manager(
        FirmRegistrations.use((registrations) => registrations.get(world.firms.north))
      )
      assert.deepInclude(kept, { validUntil: day("2026-03-10"), recordedAt: now })
    })
  )

  it.effect("stop a sale whose needs are not stated, or were stated for another cover", () =>
    Effect.gen(function* () {
      const gates = [
        { kind: "DEMANDS_AND_NEEDS", requiredFor: "CONFIRM" },
        { kind: "ADVICE", requiredFor: "CONFIRM" }
      ] as const
      const world = yield* World.make(now, [{ ...World.motor, complianceGates: gates }])
      const { confirm, policyId, run } = yield* quoted(world, world.north)
      assert.deepStrictEqual(yield* gatesOf(confirm), [
        "DEMANDS_AND_NEEDS MISSING",
        "ADVICE MISSING"
      ])
      const state = (wantsDamage: boolean) =>
        run(
          Statements.use((statements) =>
            statements.record(
              { policyId },
              {
                answers: [
                  { key: "wantsTheft", value: true },
                  { key: "wantsDamage", value: wantsDamage }
                ]
              }
            )
          )
        )
      yield* run(Quotes.use((quotes) => quotes.quote({ policyId }, { tierId: "THIRD_PARTY" })))
      const { id: statementId } = yield* state(false)
      assert.deepStrictEqual(yield* gatesOf(confirm), ["DEMANDS_AND_NEEDS DEVIATION"])
      const deviate = (ruleId: string) =>
        run(
          Statements.use((statements) =>
            statements.confirmDeviation({ policyId, statementId }, { ruleId, confirmed: true })
          )
        )
      assert.strictEqual((yield* Effect.flip(deviate("DAMAGE_WANTED")))._tag, "InvalidReference")
      const confirmed = yield* deviate("THEFT_WANTED")
      assert.deepInclude(confirmed.deviations[0], { confirmedAt: now })
      assert.deepStrictEqual(yield* deviate("THEFT_WANTED"), confirmed)
      // Another tier is another cover: what was stated and confirmed for the one before counts no more.
      yield* run(Quotes.use((quotes) => quotes.quote({ policyId }, { tierId: "THIRD_PARTY_PLUS" })))
      assert.deepStrictEqual(yield* gatesOf(confirm), [
        "DEMANDS_AND_NEEDS OUTDATED",
        "ADVICE OUTDATED"
      ])
      yield* state(false)
      assert.strictEqual((yield* confirm).status, "POLICY_CONFIRMED")
      const { data } = yield* run(
        Statements.use((statements) => statements.list(policyId, { count: 10, page: 1 }))
      )
      assert.deepStrictEqual(data.map(({ id }) => id).at(-1), statementId)
    })
  )

  it.effect("let a visitor state needs, and no visitor advise", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId, run } = yield* quoted(world, yield* World.visitor(world))
      const answers = [
        { key: "wantsTheft", value: false },
        { key: "wantsDamage", value: true }
      ]
      const record = (input: object) =>
        run(Statements.use((statements) => statements.record({ policyId }, { answers, ...input })))
      const advice = { kind: "ADVICE", reasons: ["I say so."] } as const
      assert.strictEqual((yield* Effect.flip(record({ advice })))._tag, "Forbidden")
      const { advice: ruled } = yield* record({})
      assert.deepInclude(ruled, { kind: "ADVICE", tierId: "COMPREHENSIVE" })
    })
  )

  it.effect("wait for the IPID to be given to the policyholder, and to no other customer", () =>
    Effect.gen(function* () {
      const gates = [{ kind: "IPID", requiredFor: "CONFIRM" }] as const
      const world = yield* World.make(now, [{ ...World.motor, complianceGates: gates }])
      const { confirm } = yield* quoted(world, world.north)
      assert.deepStrictEqual(yield* gatesOf(confirm), ["IPID MISSING"])
    })
  )

  it.effect("sell nothing against a rule that refuses, whatever the customer wants", () =>
    Effect.gen(function* () {
      const needs = World.motor.needs!
      const refusing: Product = {
        ...World.motor,
        needs: { ...needs, rules: needs.rules.map((rule) => ({ ...rule, otherwise: "REFUSE" })) },
        complianceGates: [{ kind: "DEMANDS_AND_NEEDS", requiredFor: "CONFIRM" }]
      }
      const world = yield* World.make(now, [refusing])
      const { confirm, policyId, run } = yield* quoted(world, world.north)
      const answers = [
        { key: "wantsTheft", value: false },
        { key: "wantsDamage", value: true }
      ]
      const { id: statementId } = yield* run(
        Statements.use((statements) => statements.record({ policyId }, { answers }))
      )
      const deviation = { ruleId: "DAMAGE_WANTED", confirmed: true } as const
      const refused = yield* Effect.flip(
        run(
          Statements.use((statements) =>
            statements.confirmDeviation({ policyId, statementId }, deviation)
          )
        )
      )
      assert.strictEqual(refused._tag, "DeviationNotPossible")
      assert.deepStrictEqual(yield* gatesOf(confirm), ["DEMANDS_AND_NEEDS DEVIATION"])
    })
  )

  it.effect("let no sale through whose data change while it is confirmed, every time", () =>
    Effect.gen(function* () {
      const gates = [{ kind: "DEMANDS_AND_NEEDS", requiredFor: "CONFIRM" }] as const
      const world = yield* World.make(now, [{ ...World.motor, complianceGates: gates }])
      const { confirm, policyId, run } = yield* quoted(world, world.north)
      const answers = [
        { key: "wantsTheft", value: true },
        { key: "wantsDamage", value: false }
      ]
      const state = run(
        Statements.use((statements) => statements.record({ policyId }, { answers }))
      )
      const requote = (tierId: string) =>
        run(Quotes.use((quotes) => quotes.quote({ policyId }, { tierId })))
      for (let round = 0; round < 25; round++) {
        yield* requote("THIRD_PARTY_PLUS")
        yield* state
        const [confirmed, quote] = yield* Effect.all(
          [Effect.result(confirm), Effect.result(requote("THIRD_PARTY"))],
          { concurrency: 2 }
        )
        // One comes first: a confirmed sale takes no other tier, and another tier is no confirmed sale.
        assert.notStrictEqual(confirmed._tag, quote._tag)
        if (confirmed._tag === "Success") {
          yield* run(Sales.use((sales) => sales.reopen({ policyId })))
        }
      }
    })
  )
})
