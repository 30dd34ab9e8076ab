/** Prices that another program gives: which count, and which don't. */
import { PriceAnswer, PriceRequest } from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { compile, type Priced } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import { read } from "../src/ProviderPrices.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import { screener, requestOf } from "../src/PriceQuestion.ts"
import { atOnce } from "../src/Slices.ts"
import { read as publish } from "../src/Publishable.ts"
import { Draw } from "@quittance/testing/Draw"
import { answerTo, elsewhere } from "./Elsewhere.ts"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { motor, products } from "./Shipped.ts"

const runs = { arbitrary: { runs: 200 } }
const seed = { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) }
const property = (name: string, check: (draw: Draw) => void) =>
  it.effect.prop(name, seed, ({ seed }) => Effect.sync(() => check(new Draw(seed))), runs)

type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

/** A copy with another value at a JSON pointer; `undefined` takes it out. */
const withAt = (definition: unknown, pointer: string, value: unknown): unknown => {
  const copy = structuredClone(definition)
  const path = pointer.split("/").slice(1)
  const last = path.pop()!
  // Every step of the pointers below is a member that is there.
  const parent = path.reduce((one, key) => one[key] as never, copy as Record<string, unknown>)
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

interface Asked {
  readonly tariff: Product
  readonly input: PriceInput
  readonly ask: (change?: (answer: unknown) => unknown) => ReturnType<typeof read>
  readonly request: PriceRequest
}

const strict = { onExcessProperty: "error", errors: "all" } as const

/** Asks for tiers of a risk and reads an answer, that of the tariff unless it is changed. */
const asked = (
  tariff: Product,
  input: PriceInput,
  tierIds: ReadonlyArray<string | undefined> = [input.tierId]
): Asked => {
  const product = elsewhere(tariff)
  const tiers = tierIds.map((tierId) =>
    Result.getOrThrow(atOnce(screener(product)({ ...input, tierId })))
  )
  const { periodDuration } = product
  const request = requestOf({ product, input, periodDuration }, tiers, "request-1")
  const ask: Asked["ask"] = (change = (answer) => answer) => {
    const answer = change(JSON.parse(JSON.stringify(answerTo(tariff, request))))
    const decoded = Schema.decodeUnknownResult(PriceAnswer)(answer, strict)
    if (Result.isFailure(decoded)) return Result.fail([`schema: ${decoded.failure.message}`])
    return read(product, "request-1", tiers, decoded.success)
  }
  return { tariff, input, ask, request }
}

const priceOf = (result: ReturnType<typeof read>): Priced => {
  const [one] = Result.getOrThrow(result)
  return Result.getOrThrow(one!)
}

const faultsOf = (result: ReturnType<typeof read>): string =>
  Result.isFailure(result) ? result.failure.join("\n") : "no fault"

const input: PriceInput = { ...exampleOf(motor), startDate: "2026-04-01" as LocalDate }
const firm = "brokerage_firm_test_346789ABCDEFGHJKLMNPQ"
const motorAsked = asked(motor, { ...input, tierId: "COMPREHENSIVE" })
const components = priceOf(motorAsked.ask()).quote.components
const at = (id: string) =>
  `/tiers/0/price/components/${components.findIndex((component) => component.id === id)}`

type Sums = Record<
  "amountPreFeesAndTaxes" | "amountWithFeesPreTaxes" | "amountWithFeesAndTaxes",
  number
>

/** A component with another net premium and all sums kept right, so that one rule alone is broken. */
const charged = (answer: unknown, id: string, change: (before: Sums) => number): unknown => {
  const copy = structuredClone(answer) as {
    tiers: [{ price: { components: Array<Component>; totalPremium: Sums } }]
  }
  const { components, totalPremium } = copy.tiers[0].price
  const component = components.find((component) => component.id === id)!
  const moved = change(component.premium)
  for (const sums of [component.premium, totalPremium]) {
    sums.amountPreFeesAndTaxes += moved
    sums.amountWithFeesPreTaxes += moved
    sums.amountWithFeesAndTaxes += moved
  }
  delete component.steps
  return copy
}

interface Component {
  readonly id: string
  readonly premium: Sums
  steps?: unknown
}

const below = ({ amountPreFeesAndTaxes }: Sums) => -1 - amountPreFeesAndTaxes
const highest = ({ amountWithFeesAndTaxes }: Sums) =>
  Number.MAX_SAFE_INTEGER - amountWithFeesAndTaxes
const noTotals = {
  amountPreFeesAndTaxes: 0,
  totalFees: 0,
  amountWithFeesPreTaxes: 0,
  totalTaxes: 0,
  amountWithFeesAndTaxes: 0
}

describe("an answer is refused that", () => {
  const broken: ReadonlyArray<readonly [string, (answer: unknown) => unknown, string]> = [
    ["is of another request", (one) => withAt(one, "/requestId", "request-0"), "/requestId"],
    ["is in another currency", (one) => withAt(one, "/currency", "USD"), "/currency"],
    ["has an unknown member", (one) => withAt(one, "/note", "hello"), "note"],
    ["has no version", (one) => withAt(one, "/providerVersion", ""), "providerVersion"],
    [
      "leaves a tier out",
      (one) => withAt(one, "/tiers", []),
      "/tiers: no answer for COMPREHENSIVE"
    ],
    [
      "has a tier that was not asked for",
      (one) => withAt(one, "/tiers/0/id", "GOLD"),
      "/tiers/0/id"
    ],
    [
      "has a component that the product doesn't have",
      (one) => withAt(one, `${at("THEFT")}/id`, "HAIL"),
      `${at("THEFT")}/id: HAIL`
    ],
    ["leaves a peril out", (one) => withAt(one, at("THEFT"), undefined), "THEFT is missing"],
    [
      "leaves a fee out",
      (one) => withAt(one, at("POLICY_FEE"), undefined),
      "POLICY_FEE is missing"
    ],
    ["has a peril of another type", (one) => withAt(one, `${at("RC")}/type`, "SPECIAL"), "/type"],
    [
      "charges a peril in another way",
      (one) => withAt(one, `${at("RC")}/chargeType`, "SPOT"),
      "/chargeType: not RECURRING"
    ],
    [
      "has a tax of another class",
      (one) => withAt(one, `${at("RC")}/premium/taxes/0/id`, "FGTI"),
      "/premium/taxes/0: FGTI"
    ],
    [
      "charges a tax in another way",
      (one) => withAt(one, `${at("RC")}/premium/taxes/0/chargeType`, "ONE_TIME"),
      "/premium/taxes/0"
    ],
    ["has a negative peril that adds up", (one) => charged(one, "RC", below), "negative"],
    ["has a net premium on a fee", (one) => charged(one, "POLICY_FEE", () => 1), "not 0"],
    [
      "has an amount beyond 2^53",
      (one) => withAt(one, "/tiers/0/price/totalPremium/totalTaxes", 2 ** 53),
      "schema"
    ],
    [
      "sums up beyond 2^53",
      (one) => withAt(charged(one, "RC", highest), "/tiers/0/price/totalPremium", noTotals),
      "too large"
    ],
    [
      "has a text that no database keeps",
      (one) => withAt(one, `${at("RC")}/steps/0/label`, "zone\0"),
      "a NUL"
    ],
    ["has half a cent", (one) => withAt(one, `${at("RC")}/premium/totalTaxes`, 1.5), "schema"],
    [
      "refuses without a reason",
      (one) => withAt(one, "/tiers/0", { id: "COMPREHENSIVE", refusals: [] }),
      "schema"
    ]
  ]
  for (const [name, change, told] of broken) {
    it(`${name}`, () => {
      assert.include(faultsOf(motorAsked.ask(change)), told)
    })
  }

  it("rounds a firm's fee otherwise, or pays another firm", () => {
    const withFee = asked(motor, {
      ...input,
      tierId: "COMPREHENSIVE",
      brokerageFees: [{ brokerageFirmId: firm as never, fee: 12.5 }]
    })
    const { quote } = priceOf(withFee.ask())
    const index = quote.components.findIndex(({ id }) => id === motor.brokerageFee.id)
    const pointer = `/tiers/0/price/components/${index}/premium/fees`
    const other = firm.replace("346", "643")
    for (const change of [
      (one: unknown) => withAt(one, `${pointer}/0/brokerageFirmId`, other),
      (one: unknown) => withAt(one, `${pointer}/0/brokerageFirmId`, undefined),
      (one: unknown) => withAt(one, `${pointer}/0/amount`, 1)
    ]) {
      assert.include(faultsOf(withFee.ask(change)), "/premium/fees: not the")
    }
  })

  property("differs from a good one by a single cent, wherever", (draw) => {
    const tariff = draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)
    const risk = randomInput(draw, tariff)
    if (Result.isFailure(compile(tariff).price(risk))) return
    const { ask } = asked(tariff, risk, [risk.tierId])
    const places: Array<string> = []
    const walk = (value: Json, pointer: string): void => {
      if (typeof value === "number") places.push(pointer)
      else if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) walk(member, `${pointer}/${key}`)
      }
    }
    const result = ask((answer) => {
      const { components, totalPremium } = (answer as PriceAnswer & { tiers: [{ price: never }] })
        .tiers[0].price as { components: Json; totalPremium: Json }
      walk(components, "/tiers/0/price/components")
      walk(totalPremium, "/tiers/0/price/totalPremium")
      const amounts = places.filter((place) => !/\/(rate|value)$/u.test(place))
      const place = draw.pick(amounts)
      const value = place
        .split("/")
        .slice(1)
        .reduce((one, key) => one[key] as never, answer as Record<string, unknown>)
      return withAt(answer, place, Number(value) + (draw.chance(0.5) ? 1 : -1))
    })
    assert.notStrictEqual(faultsOf(result), "no fault")
  })
})

describe("an answer that is good", () => {
  property("gives the quote, leaves and reasons that the engine would have given", (draw) => {
    const tariff = draw.chance(0.5) ? draw.pick(products) : randomProduct(draw)
    const risk = randomInput(draw, tariff)
    const own = compile(tariff).price(risk)
    if (Result.isFailure(own)) return
    const { ask, request } = asked(tariff, risk, [risk.tierId])
    assert.deepStrictEqual(Schema.decodeUnknownSync(PriceRequest)(request, strict), request)
    const priced = priceOf(ask())
    const provider = { id: "rates", version: "7.1" }
    assert.deepStrictEqual(priced.quote, { ...own.success.quote, provider })
    assert.deepStrictEqual(priced.premiumItems, own.success.premiumItems)
    assert.deepStrictEqual(priced.selectedTier, own.success.selectedTier)
    assert.deepStrictEqual(priced.derogations, own.success.derogations)
    assert.deepStrictEqual(explain(tariff, priced), explain(tariff, own.success))
  })

  it("prices every tier, or says which has no price", () => {
    const tierIds = motor.tiers.map(({ id }) => id)
    const { ask } = asked(motor, input, tierIds)
    const refusals = [
      { path: "/assets/0/customFields/value", message: "We insure up to 90 000 €." },
      { path: "/customers/0/customFields/claims", message: "Too many." },
      { path: "/assets/7/customFields/value", message: "Nothing is there." },
      { message: "Not in this region." }
    ]
    const results = Result.getOrThrow(
      ask((answer) => withAt(answer, "/tiers/1", { id: tierIds[1], refusals }))
    )
    assert.deepStrictEqual(results.map(Result.isSuccess), [true, false, true])
    const [failure] = Result.getOrThrow(Result.flip(results[1]!))
    assert.deepInclude(failure, {
      _tag: "InvalidCustomField",
      issues: refusals.map(({ message, path = "" }) => ({ path, message }))
    })
  })

  it("names records by their identifiers where it refuses", () => {
    const [customer] = input.customers
    const [asset] = input.assets
    const { ask, request } = asked(motor, {
      ...input,
      // A payer has no priced field: the provider does not see them.
      customers: [
        { id: "payer", role: "PAYER", customFields: {} },
        { ...customer!, id: "holder" }
      ],
      assets: [{ ...asset!, id: "car" }]
    })
    assert.lengthOf(request.customers, 1)
    const refusals = [
      { path: "/customers/0/customFields/birthDate", message: "Too young." },
      { path: "/assets/0", message: "Too fast." }
    ]
    const results = ask((answer) =>
      withAt(answer, "/tiers/0", { id: request.tiers[0]!.id, refusals })
    )
    const [failure] = Result.getOrThrow(Result.flip(Result.getOrThrow(results)[0]!))
    assert.deepInclude(failure, {
      issues: [
        { path: "/customers/holder/customFields/birthDate", message: "Too young." },
        { path: "/assets/car", message: "Too fast." }
      ]
    })
  })
})

describe("a question", () => {
  it("holds what is priced, and nothing else that is known", () => {
    const text = JSON.stringify(motorAsked.request)
    const unpriced = [
      ...motor.fields.asset,
      ...motor.fields.customer,
      ...motor.fields.policy
    ].filter(({ priced }) => !priced)
    assert.isNotEmpty(unpriced)
    for (const { key } of unpriced) assert.notInclude(text, `"${key}"`)
    assert.include(text, '"bonusMalus"')
  })
})

describe("a document that another program prices", () => {
  it("may be published without its tariff, and not with any part of it", () => {
    assert.isTrue(Result.isSuccess(publish(elsewhere(motor))))
    const mixed = publish({ ...motor, quoteProvider: { type: "HTTP", id: "rates" } })
    const pointers = Result.getOrThrow(Result.flip(mixed)).faults.map(({ pointer }) => pointer)
    assert.includeMembers(pointers, ["/perils/0/rating", "/taxes/0/charges", "/rating/factors/0"])
    const { quoteProvider: _, ...orphan } = elsewhere(motor)
    const missing = Result.getOrThrow(Result.flip(publish(orphan))).faults
    assert.includeMembers(
      missing.map(({ pointer }) => pointer),
      ["/perils/0/rating", "/taxes/0/charges", "/fees/0/charges"]
    )
  })

  it("may not take the name of the built-in engine for the provider's", () => {
    const own = { ...elsewhere(motor), quoteProvider: { type: "HTTP", id: "quittance" } }
    const { faults } = Result.getOrThrow(Result.flip(publish(own)))
    assert.deepStrictEqual(
      faults.map(({ pointer }) => pointer),
      ["/quoteProvider/id"]
    )
  })

  it("is never priced by the built-in engine", () => {
    assert.throws(() => compile(elsewhere(motor)), "priced by rates")
  })
})
