/** Prices over HTTP: what stands in their way, what they come to, and how long they hold. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { productDefinition } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, quoted, risk, send, signature } from "./Sales.ts"

const document = (productId: string) => productDefinition(productId) as Product

const fleet = document("fleet-fr")

const publish = (world: World, product: unknown, productId = "motor-fr") =>
  call(`/admin/products/${productId}`, {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: product
  })

const patch = (world: World, policyId: string, body: object) =>
  call(`/policies/${policyId}`, {
    tenant: world.tenant,
    token: world.session,
    method: "PATCH",
    body
  })

/** Posts in a visitor's name, whatever is answered. */
const post = (world: World, path: string, body: unknown = {}) =>
  call(path, { tenant: world.tenant, token: world.session, body })

const moveTo = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now }
  })

interface Issue {
  readonly path: string
}

const paths = (answer: {
  readonly body: { readonly details: { readonly issues: ReadonlyArray<Issue> } }
}) => answer.body.details.issues.map(({ path }) => path).toSorted()

const total = (quote: any): number => quote.totalPremium.amountWithFeesAndTaxes

const neededFor = (list: Product["fields"]["policy"], stage: string) =>
  list.filter(({ requiredFor, roles, showWhen }) => {
    const isOfPolicyholder = roles === undefined || roles.includes("POLICYHOLDER")
    return requiredFor === stage && showWhen === undefined && isOfPolicyholder
  })

const fields = (list: Product["fields"]["policy"], values: Record<string, unknown> = {}) =>
  list.map(({ example, key }) => ({ key, value: values[key] ?? example }))

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("a quote", (it) => {
  it.effect("is refused with all that its fields lack, of every record at once", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const policy = yield* post(world, "/policies", { productId: "motor-fr" })
      const policyId: string = policy.body.id
      const customer = yield* post(world, `/customers/policies/${policyId}`, {
        role: "POLICYHOLDER",
        customFields: []
      })
      const { policy: ofPolicy, customer: ofCustomer } = motor.fields
      const expected = [
        "/assets",
        ...neededFor(ofPolicy, "QUOTE").map(({ key }) => `/customFields/${key}`),
        ...neededFor(ofCustomer, "QUOTE").map(
          ({ key }) => `/customers/${customer.body.customerId}/customFields/${key}`
        )
      ].toSorted()
      assert.isAbove(expected.length, 4)
      for (const route of ["quote", "calculate-quote"]) {
        const refused = yield* post(world, `/policies/${policyId}/${route}`)
        assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_CUSTOM_FIELD"])
        assert.deepStrictEqual(paths(refused), expected)
      }
      const { tenant, session: token } = world
      const compared = yield* call(`/policies/${policyId}/available-pricing`, { tenant, token })
      assert.deepStrictEqual(paths(compared), expected)
    })
  )

  it.effect("is calculated as it would be given, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.session)
      const choice = { tierId: "COMPREHENSIVE" }
      const { body: calculated } = yield* send(
        world,
        world.session,
        `/policies/${policyId}/calculate-quote`,
        choice
      )
      const list = yield* send(world, world.session, `/quotes/policies/${policyId}`)
      assert.strictEqual(list.body.totalCount, 0)
      const read = yield* send(world, world.session, `/policies/${policyId}`)
      assert.strictEqual(read.body.status, "POLICY_CREATED")
      const { body: given } = yield* send(
        world,
        world.session,
        `/policies/${policyId}/quote`,
        choice
      )
      const bare = ({
        quote: { id: _, ...quote },
        proratedQuote: { id: __, ...prorated }
      }: any) => [quote, prorated]
      assert.deepStrictEqual(bare(given), bare(calculated))
      assert.deepStrictEqual(given.selectedTier, calculated.selectedTier)
      const sum = given.explanation.components.reduce(
        (sum: number, component: any) =>
          sum + component.steps.reduce((all: number, { change }: any) => all + change, 0),
        0
      )
      assert.strictEqual(sum, total(given.quote))
    })
  )

  it.effect("is compared tier by tier, and a tier that can't be had says why", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const inputs = motor.rating.inputs.map((input) =>
        input.id === "value" ? { ...input, max: 1_000_000 } : input
      )
      const narrow = { ...motor, version: "2027.1", rating: { ...motor.rating, inputs } }
      assert.strictEqual((yield* publish(world, narrow)).status, 201)
      const { policyId } = yield* prepared(world, world.session)
      const { body } = yield* send(world, world.session, `/policies/${policyId}/available-pricing`)
      const { label } = motor.rating.inputs.find(({ id }) => id === "value")!
      const reason = `Not insurable: ${label} above 1000000.`
      assert.deepStrictEqual(
        body.tiers.map(({ id, quote, unavailable }: any) => [id, quote !== undefined, unavailable]),
        [
          ["THIRD_PARTY", true, undefined],
          ["THIRD_PARTY_PLUS", false, reason],
          ["COMPREHENSIVE", false, reason]
        ]
      )
    })
  )

  it.effect("keeps the version that its policy was opened with, whatever is published", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const before = yield* quoted(world, world.session)
      const dearer = {
        ...motor,
        version: "2027.1",
        fees: motor.fees.map((fee) => ({
          ...fee,
          charges: [{ from: motor.validFrom, amount: 99_900 }]
        }))
      }
      assert.strictEqual((yield* publish(world, dearer)).status, 201)
      const again = yield* send(world, world.session, `/policies/${before.policyId}/quote`, {})
      assert.strictEqual(total(again.body.quote), before.premium.amountWithFeesAndTaxes)
      assert.strictEqual(again.body.quote.provider.version, motor.version)
      const after = yield* quoted(world, world.session)
      assert.isAbove(after.premium.amountWithFeesAndTaxes, before.premium.amountWithFeesAndTaxes)
    })
  )

  it.effect("has the fee that the product lets the policy's own firm earn, unless it is said", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { body: firms } = yield* send(world, world.manager, "/brokerage-firms")
      const north = firms.data.find(({ name }: any) => name === "North Brokers").id
      const other = "brokerage_firm_test_346789ABCDEFGHJKLMNPQ"
      const product = (...firms: ReadonlyArray<object>) => ({
        ...motor,
        version: "2026.2",
        brokerageFee: { ...motor.brokerageFee, firms }
      })
      const stranger = yield* publish(
        world,
        product({ brokerageFirmId: north, fee: 12.5 }, { brokerageFirmId: other, fee: 1 })
      )
      assert.deepStrictEqual([stranger.status, stranger.body.code], [422, "INVALID_PRODUCT"])
      assert.deepStrictEqual(
        stranger.body.details.faults.map(({ pointer }: any) => pointer),
        ["/brokerageFee/firms/1/brokerageFirmId"]
      )
      const own = [{ brokerageFirmId: north, fee: 12.5 }]
      assert.strictEqual((yield* publish(world, product(...own))).status, 201)
      const feesOf = Effect.fnUntraced(function* (token: string, extra: object, choice: object) {
        const { policyId } = yield* prepared(world, token, extra as Record<string, unknown>)
        const { body } = yield* send(world, token, `/policies/${policyId}`)
        const given = yield* send(world, token, `/policies/${policyId}/quote`, choice)
        const { fees, amountPreFeesAndTaxes: net } = given.body.quote.totalPremium
        const earned = fees.flatMap(({ amount, brokerageFirmId }: any) =>
          brokerageFirmId === undefined ? [] : [amount / net]
        )
        return [body.brokerageFees, earned.map((share: number) => Math.round(share * 1000))]
      })
      assert.deepStrictEqual(yield* feesOf(world.north, {}, {}), [own, [125]])
      assert.deepStrictEqual(yield* feesOf(world.south, {}, {}), [undefined, []])
      assert.deepStrictEqual(yield* feesOf(world.session, {}, {}), [undefined, []])
      const none = { brokerageFees: [] }
      assert.deepStrictEqual(yield* feesOf(world.manager, { ...none, brokerageFirm: north }, {}), [
        [],
        []
      ])
      const two = { brokerageFees: [{ brokerageFirmId: north, fee: 2 }] }
      assert.deepStrictEqual(yield* feesOf(world.manager, { brokerageFirm: north }, two), [
        own,
        [20]
      ])
    })
  )

  it.effect("has the taxes of the day on which its term starts", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const taxes = motor.taxes.map((tax) =>
        tax.id === "TSCA_33"
          ? { ...tax, charges: [...tax.charges!, { from: "2026-07-01", rate: "40/100" }] }
          : tax
      )
      assert.strictEqual(
        (yield* publish(world, { ...motor, version: "2026.2", taxes })).status,
        201
      )
      const rateAt = Effect.fnUntraced(function* (startedAt: string) {
        const { body } = yield* send(world, world.session, "/quotes/preview", {
          ...risk,
          startedAt
        })
        const { policyId } = yield* prepared(world, world.session, { startedAt })
        const given = yield* send(world, world.session, `/policies/${policyId}/quote`, {})
        assert.strictEqual(total(given.body.quote), total(body.quote))
        return body.quote.rates.find(({ id }: any) => id === "TSCA_33").rate
      })
      assert.strictEqual(yield* rateAt("2026-06-30T23:59:59+02:00"), 3300)
      assert.strictEqual(yield* rateAt("2026-07-01T00:00:00+02:00"), 4000)
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a quote on the table", (it) => {
  it.effect("is outdated by what is priced, and then neither confirmed nor signed", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* quoted(world, world.session)
      const outdated = Effect.map(
        send(world, world.session, `/quotes/policies/${policyId}`),
        ({ body }) => body.data.map((quote: any) => quote.outdated)
      )
      assert.deepStrictEqual(yield* outdated, [false])
      yield* patch(world, policyId, { name: "Ma Clio" })
      assert.deepStrictEqual(yield* outdated, [false])
      yield* patch(world, policyId, { customFields: [{ key: "claims", value: 2 }] })
      assert.deepStrictEqual(yield* outdated, [true])
      const refused = yield* post(world, `/policies/${policyId}/confirm`)
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.details.reason],
        [409, "QUOTE_OUTDATED", "CHANGED"]
      )
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      assert.deepStrictEqual((yield* outdated).toSorted(), [false, true])
      assert.strictEqual((yield* post(world, `/policies/${policyId}/confirm`)).status, 200)
    })
  )

  it.effect("holds to the end of the product's last day for it, and not a moment longer", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [first, second] = [
        yield* quoted(world, world.session),
        yield* quoted(world, world.session)
      ]
      const { body } = yield* send(world, world.session, `/quotes/policies/${first.policyId}`)
      const { expiresAt } = body.data[0]
      // Given on 10 March; the clocks go forward on the 29th.
      assert.strictEqual(motor.quote.validDays, 30)
      assert.strictEqual(expiresAt, "2026-04-09T22:00:00.000Z")
      yield* moveTo(world, "2026-04-09T21:59:59.999Z")
      assert.strictEqual((yield* post(world, `/policies/${first.policyId}/confirm`)).status, 200)
      yield* moveTo(world, expiresAt)
      for (const [step, { policyId }, answer] of [
        ["confirm", second, {}],
        ["sign", first, signature]
      ] as const) {
        const refused = yield* post(world, `/policies/${policyId}/${step}`, answer)
        assert.deepStrictEqual(
          [refused.status, refused.body.code, refused.body.details.reason],
          [409, "QUOTE_OUTDATED", "EXPIRED"]
        )
      }
      const list = yield* send(world, world.session, `/quotes/policies/${second.policyId}`)
      assert.isTrue(list.body.data[0].outdated)
    })
  )

  it.effect("waits for the fields of each step, all of them told at once", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const keys = (stage: string) => ({
        policy: neededFor(motor.fields.policy, stage),
        customer: neededFor(motor.fields.customer, stage),
        asset: neededFor(motor.fields.asset, stage)
      })
      const quote = keys("QUOTE")
      const policy = yield* send(world, world.session, "/policies", {
        productId: "motor-fr",
        startedAt: "2026-04-01T00:00:00+02:00",
        customFields: fields(quote.policy)
      })
      const policyId: string = policy.body.id
      const customer = yield* send(world, world.session, `/customers/policies/${policyId}`, {
        role: "POLICYHOLDER",
        customFields: fields(quote.customer)
      })
      const customerId: string = customer.body.customerId
      const asset = yield* send(world, world.session, `/assets/policies/${policyId}`, {
        customFields: fields(quote.asset)
      })
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      yield* send(world, world.session, `/customers/${customerId}/confirm`, {})
      for (const [step, stage] of [
        ["confirm", "CONFIRM"],
        ["sign", "SIGN"]
      ] as const) {
        const missing = keys(stage)
        const expected = [
          ...missing.policy.map(({ key }) => `/customFields/${key}`),
          ...missing.customer.map(({ key }) => `/customers/${customerId}/customFields/${key}`),
          ...missing.asset.map(({ key }) => `/assets/${asset.body.assetId}/customFields/${key}`)
        ].toSorted()
        assert.isAbove(expected.length, 0, stage)
        const refused = yield* post(
          world,
          `/policies/${policyId}/${step}`,
          step === "sign" ? signature : {}
        )
        assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_CUSTOM_FIELD"])
        assert.deepStrictEqual(paths(refused), expected)
        // One of them shows another one.
        const shown = motor.fields.policy.filter(({ requiredFor }) => requiredFor === stage)
        yield* patch(world, policyId, { customFields: fields(shown) })
        for (const [path, list] of [
          [`/customers/${customerId}`, missing.customer],
          [`/assets/${asset.body.assetId}`, missing.asset]
        ] as const) {
          yield* call(path, {
            tenant: world.tenant,
            token: world.session,
            method: "PATCH",
            body: { customFields: fields(list) }
          })
        }
        const passed = yield* post(
          world,
          `/policies/${policyId}/${step}`,
          step === "sign" ? signature : {}
        )
        assert.strictEqual(passed.status, 200, JSON.stringify(passed.body))
      }
    })
  )
})

/** What a comparison site asks of the fleet product. */
const fleetRisk = (
  values: Record<string, unknown>,
  vehicles: ReadonlyArray<Record<string, unknown>>
) => ({
  productId: "fleet-fr",
  customFields: fields(fleet.fields.policy, values),
  customers: [
    {
      role: "POLICYHOLDER",
      customFields: fields(
        fleet.fields.customer.filter(({ roles }) => roles?.includes("POLICYHOLDER") !== false)
      )
    }
  ],
  assets: vehicles.map((vehicle) => ({ customFields: fields(fleet.fields.asset, vehicle) }))
})

layer(TestLayer, { excludeTestServices: true })("a preview", (it) => {
  it.effect("tells every fault of what it is asked at once", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [, ...others] = risk.customFields
      const refused = yield* post(world, "/quotes/preview", {
        ...risk,
        customFields: [...others, { key: "colour", value: "red" }],
        customers: [{ role: "PILOT", customFields: [] }],
        assets: [{ customFields: [{ key: "power", value: "strong" }] }, { customFields: [] }]
      })
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_CUSTOM_FIELD"])
      const told = paths(refused)
      assert.includeMembers(told, [
        "/assets",
        "/assets/0/customFields/power",
        "/customFields/bonusMalus",
        "/customFields/colour",
        "/customers/0/role"
      ])
      assert.strictEqual(new Set(told).size, told.length)
    })
  )

  it.effect(
    "prices only what could be sold: a way of invoicing and a start that are on offer",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const invoicing = { ...motor.invoicing, frequencies: ["MONTHLY", "YEARLY"] }
        yield* publish(world, { ...motor, version: "2026.2", invoicing })
        const invoicingConfig = { ...motor.invoicing.default, frequency: "WEEKLY" }
        const unoffered = yield* post(world, "/quotes/preview", { ...risk, invoicingConfig })
        assert.strictEqual(unoffered.status, 422)
        assert.match(unoffered.body.message, /^Choose a frequency that the product offers: /u)
        const startedAt = "2031-01-01T00:00:00Z"
        const late = yield* post(world, "/quotes/preview", { ...risk, startedAt })
        assert.deepStrictEqual([late.status, late.body.code], [422, "INVALID_EFFECTIVE_DATE"])
        assert.strictEqual((yield* post(world, "/quotes/preview", risk)).status, 200)
      })
  )

  it.effect("shows the rules that refer a risk, and what they refer is not confirmed", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      assert.strictEqual((yield* publish(world, fleet, "fleet-fr")).status, 201)
      const poor = { premiumsPaid: 1_000_000, claimsPaid: 2_010_000 }
      const { body } = yield* send(
        world,
        world.session,
        "/quotes/preview",
        fleetRisk(poor, [{}, {}])
      )
      assert.deepStrictEqual(
        body.derogations.map(({ id }: any) => id),
        ["LOSS_RATIO"]
      )
      const asked = fleetRisk(poor, [{}, {}])
      const policy = yield* send(world, world.session, "/policies", {
        productId: "fleet-fr",
        startedAt: "2026-04-01T00:00:00+02:00",
        customFields: asked.customFields
      })
      const policyId: string = policy.body.id
      const customer = yield* send(world, world.session, `/customers/policies/${policyId}`, {
        ...asked.customers[0]
      })
      for (const vehicle of asked.assets) {
        yield* send(world, world.session, `/assets/policies/${policyId}`, vehicle)
      }
      yield* send(world, world.session, `/customers/${customer.body.customerId}/confirm`, {})
      const given = yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      assert.deepStrictEqual(given.body.derogations, body.derogations)
      const refused = yield* post(world, `/policies/${policyId}/confirm`)
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.details.derogations],
        [409, "DEROGATION_REQUIRED", body.derogations]
      )
    })
  )

  it.effect("prices a thousand vehicles in one answer, each by itself and all of them summed", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      assert.strictEqual((yield* publish(world, fleet, "fleet-fr")).status, 201)
      const vehicles = Array.from({ length: 1000 }, (_, index) => ({
        value: 900_000 + index * 1000,
        power: 1 + (index % 50)
      }))
      const { body } = yield* send(world, world.session, "/quotes/preview", fleetRisk({}, vehicles))
      const net = (quote: any, id: string): number =>
        quote.components.find((component: any) => component.id === id).premium.amountPreFeesAndTaxes
      const bases = body.quote.rates.filter(({ id }: any) => id === "RC/base")
      assert.strictEqual(
        new Set(bases.map(({ inputs }: any) => JSON.stringify(inputs))).size > 1,
        true
      )
      assert.strictEqual(
        total(body.quote),
        body.quote.components.reduce(
          (sum: number, { premium }: any) => sum + premium.amountWithFeesAndTaxes,
          0
        )
      )
      const explained = body.explanation.components.find(
        ({ componentId }: any) => componentId === "RC"
      )
      assert.strictEqual(
        explained.steps
          .filter(({ part }: any) => part === "NET")
          .reduce((sum: number, { change }: any) => sum + change, 0),
        net(body.quote, "RC")
      )
      // A fleet is as dear as its halves, where both have the discount of a great fleet.
      const [left, right] = [
        yield* send(world, world.session, "/quotes/preview", fleetRisk({}, vehicles.slice(0, 500))),
        yield* send(world, world.session, "/quotes/preview", fleetRisk({}, vehicles.slice(500)))
      ]
      assert.strictEqual(
        net(left.body.quote, "RC") + net(right.body.quote, "RC"),
        net(body.quote, "RC")
      )
      const tooMany = yield* post(world, "/quotes/preview", fleetRisk({}, [...vehicles, {}]))
      assert.deepStrictEqual([tooMany.status, tooMany.body.code], [400, "INVALID_REQUEST"])
    })
  )
})
