/**
 * Requests that are almost right, against the real routes and a real database: whatever they hold, the
 * answer is what the document lists for the route, and never a fault of ours.
 */
import { assert, layer } from "@effect/vitest"
import { openApi } from "@quittance/contract/api/OpenApiDocument"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { type Draws, drawsOf } from "./Draws.ts"

type Json = unknown

const largest = Number.MAX_SAFE_INTEGER
const amount = {
  amountPreFeesAndTaxes: largest,
  fees: [],
  totalFees: largest,
  amountWithFeesPreTaxes: 1,
  taxes: [],
  totalTaxes: 0,
  amountWithFeesAndTaxes: 0
}

/** Values that fit somewhere, at the edge of what fits, or nowhere. */
const values: ReadonlyArray<Json> = [
  null,
  true,
  0,
  -1,
  1,
  2,
  1.5,
  0.00005,
  100,
  1_000_000,
  largest,
  -largest,
  "",
  " ",
  "x".repeat(300),
  "x".repeat(200),
  "motor-fr",
  "__proto__",
  "constructor",
  "a/b~c",
  "1900-01-01T00:00:00Z",
  "2026-03-10T09:00:00Z",
  "2026-02-29T00:00:00Z",
  "2999-12-31T23:59:59.999Z",
  "2026-10-25T02:30:00+01:00",
  "YEAR",
  "SECOND",
  "WEEKLY",
  "BIENNIAL",
  "IN_ARREAR",
  "FULL_AT_SIGNATURE",
  "EARLY_PAYMENT_AT_START_DATE",
  "POLICYHOLDER",
  "PAYER",
  "COMPREHENSIVE",
  "policy_test_346789ABCDEFGHJKLMNPQ",
  "brokerage_firm_test_346789ABCDEFGHJKLMNPQ",
  [],
  {},
  [{}],
  [{ id: "GLASS", included: false }],
  [{ id: "GLASS", options: { __proto__: "x", nothing: "x" } }],
  { amount: 1_000_000, unit: "YEAR" },
  { amount: 1, unit: "SECOND" },
  { amount: 9999, unit: "DAY" },
  { frequency: "WEEKLY", timing: "IN_ARREAR", firstPayment: "NONE" },
  {
    frequency: "MONTHLY",
    timing: "IN_ADVANCE",
    firstPayment: "EARLY_PAYMENT_AT_SIGNATURE",
    earlyPayment: { amount: 1_000_000, unit: "YEAR" }
  },
  [{ brokerageFirmId: "brokerage_firm_test_346789ABCDEFGHJKLMNPQ", fee: 100 }],
  { configId: "x", defaultPayerId: "x", componentOverrides: [] },
  { id: "X", type: "SPECIAL", chargeType: "SPOT", premium: amount },
  [{ key: "bonusMalus", value: largest }],
  [{ key: "birthDate", value: "0001-01-01" }],
  [{ key: "claims", value: null }]
]

const integers = [0, 1, -1, 49, 50, 100, 350, 12_000, 1_000_000, largest, -largest]
const times = [
  "1900-01-01T00:00:00Z",
  "2024-02-29T12:00:00Z",
  "2026-03-10T09:00:00Z",
  "2026-03-29T02:30:00+01:00",
  "2026-04-01T00:00:00+02:00",
  "2026-10-25T02:30:00+02:00",
  "2999-12-31T23:59:59.999Z"
]
const components = [
  { id: "X", type: "SPECIAL", chargeType: "SPOT", premium: amount },
  {
    id: "RC",
    type: "FEE",
    chargeType: "RECURRING",
    premium: { ...amount, totalFees: 0, amountPreFeesAndTaxes: -largest }
  },
  {
    id: "GIFT",
    type: "SPECIAL",
    chargeType: "ONE_TIME",
    premium: {
      amountPreFeesAndTaxes: -500,
      fees: [],
      totalFees: 0,
      amountWithFeesPreTaxes: -500,
      taxes: [],
      totalTaxes: 0,
      amountWithFeesAndTaxes: -500
    }
  }
]

/** By the name of a member: values of its type, so that a request gets past the schema. */
const fitting: Readonly<Record<string, ReadonlyArray<Json>>> = {
  amount: [1, 2, 12, 90, 9999, 1_000_000, 100, largest, -5],
  chargeType: ["ONE_TIME", "SPOT", "RECURRING"],
  earlyPayment: [
    { amount: 1, unit: "MONTH" },
    { amount: 1_000_000, unit: "YEAR" }
  ],
  email: ["a@b.fr", `${"x".repeat(240)}@example.org`],
  firstPayment: [
    "NONE",
    "EARLY_PAYMENT_AT_SIGNATURE",
    "FULL_AT_SIGNATURE",
    "EARLY_PAYMENT_AT_START_DATE",
    "FULL_AT_START_DATE"
  ],
  frequency: ["YEARLY", "HALF_YEARLY", "QUARTERLY", "MONTHLY", "BIENNIAL", "WEEKLY"],
  id: ["GLASS", "THEFT", "RC", "NOTHING", "__proto__"],
  included: [true, false],
  key: ["bonusMalus", "claims", "birthDate", "make", "value", "nothing", "__proto__", "a/b"],
  method: ["CARD", "CASH", "CHEQUE", "DIRECT_DEBIT"],
  name: ["x", "é", "💥", null, "x".repeat(200)],
  paidAt: times,
  paymentMode: ["BANK_TRANSFER", "DIRECT_DEBIT"],
  role: ["POLICYHOLDER", "DRIVER", "PAYER", "PILOT"],
  startedAt: times,
  textId: ["SUBSCRIPTION_TERMS", "OTHER"],
  tierId: ["THIRD_PARTY", "THIRD_PARTY_PLUS", "COMPREHENSIVE", "NONE", "constructor"],
  timing: ["IN_ADVANCE", "IN_ARREAR"],
  type: ["INDIVIDUAL", "COMPANY", "FLEET"],
  unit: ["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "SECOND"],
  value: [...integers, "1988-02-29", "2026-03-10", "69003", "x", true, "PETROL", ""]
}

/** Members that a body may have but the valid ones here don't. */
const extra: Readonly<Record<string, ReadonlyArray<Json>>> = {
  additionalQuoteComponents: components,
  billingAssignment: [{ configId: "SPLIT", defaultPayerId: "x" }, null],
  brokerageFees: [
    [],
    [{ brokerageFirmId: "brokerage_firm_test_346789ABCDEFGHJKLMNPQ", fee: 12.3456 }]
  ],
  externalId: ["CRM-1", "CRM-2", null],
  parent: ["policy_test_346789ABCDEFGHJKLMNPQ"],
  perils: [[{ id: "GLASS", options: { DEDUCTIBLE: "LOW" } }], []],
  startedAt: times
}

const drawn = (name: string, draws: Draws): Json => {
  const fits = fitting[name]
  return fits !== undefined && draws.chance(0.8) ? draws.pick(fits) : draws.pick(values)
}

/** A body with a member more. */
const extended = (body: Json, draws: Draws): Json => {
  const name = draws.pick(Object.keys(extra))
  return typeof body === "object" ? { ...body, [name]: draws.pick(extra[name]!) } : body
}

/** The value with one of its members replaced, dropped or renamed, at any depth. */
const mutated = (value: Json, draws: Draws, name = ""): Json => {
  if (typeof value !== "object" || value === null || draws.chance(0.05)) return drawn(name, draws)
  const keys = Object.keys(value)
  if (keys.length === 0) return draws.chance(0.5) ? { [String(draws.pick(values))]: 1 } : value
  const key = draws.pick(keys)
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (name !== key) return [[name, member] as const]
    if (draws.chance(0.1)) return []
    return [[draws.chance(0.02) ? `${name}x` : name, mutated(member, draws, name)] as const]
  })
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}

const examples = (fields: ReadonlyArray<{ readonly key: string; readonly example: unknown }>) =>
  fields.map(({ example, key }) => ({ key, value: example }))

const bodies = {
  policy: {
    productId: "motor-fr",
    type: "INDIVIDUAL",
    name: "A car",
    startedAt: "2026-04-01T00:00:00+02:00",
    periodDuration: { amount: 1, unit: "YEAR" },
    invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
    customFields: examples(motor.fields.policy)
  },
  customer: {
    role: "POLICYHOLDER",
    type: "INDIVIDUAL",
    name: "Camille Durand",
    email: "camille@example.test",
    paymentMode: "DIRECT_DEBIT",
    customFields: examples(
      motor.fields.customer.filter(
        ({ roles }) => roles === undefined || roles.includes("POLICYHOLDER")
      )
    )
  },
  asset: { name: "Clio", customFields: examples(motor.fields.asset) },
  quote: { tierId: "COMPREHENSIVE", perils: [{ id: "GLASS", included: true }] },
  signature: {
    signer: { firstName: "Camille", lastName: "Durand", email: "camille@example.test" },
    consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
  },
  payment: { amount: 100, method: "BANK_TRANSFER", reference: "x", paidAt: "2026-06-10T00:00:00Z" }
}

const send = (world: World, path: string, body?: Json, method?: string) =>
  call(path, {
    tenant: world.tenant,
    token: world.manager,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method })
  })

const moveClock = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now }
  })

/** A policy with its people and things, as far as a sale goes; and a request of every kind on it. */
const requestsOn = Effect.fnUntraced(function* (world: World, steps: number) {
  const policyId: string = (yield* send(world, "/policies", bodies.policy)).body.id
  const added = yield* send(world, `/customers/policies/${policyId}`, bodies.customer)
  const customerId: string = added.body.customerId
  const assetId: string = (yield* send(world, `/assets/policies/${policyId}`, bodies.asset)).body
    .assetId
  const sale: ReadonlyArray<readonly [string, Json]> = [
    [`/customers/${customerId}/confirm`, {}],
    [`/policies/${policyId}/quote`, bodies.quote],
    [`/policies/${policyId}/confirm`, {}],
    [`/policies/${policyId}/sign`, bodies.signature]
  ]
  for (const [path, body] of sale.slice(0, steps)) {
    assert.isBelow((yield* send(world, path, body)).status, 300, path)
  }
  if (steps === sale.length) yield* moveClock(world, "2026-06-15T00:00:00Z")
  const invoices = yield* send(world, `/billing/policies/${policyId}/invoices`)
  const invoiceId: string = invoices.body.data[0]?.id ?? "invoice_test_346789ABCDEFGHJKLMNPQ"
  const policy = { ...bodies.policy, productId: undefined, type: undefined }
  return [
    ["POST", "/policies", bodies.policy],
    ["PATCH", `/policies/${policyId}`, policy],
    ["POST", `/policies/${policyId}/calculate-quote`, bodies.quote],
    ["POST", `/policies/${policyId}/quote`, bodies.quote],
    ["POST", `/policies/${policyId}/sign`, bodies.signature],
    ["POST", `/customers/policies/${policyId}`, bodies.customer],
    ["PATCH", `/customers/${customerId}`, bodies.customer],
    ["POST", `/assets/policies/${policyId}`, bodies.asset],
    ["PATCH", `/assets/${assetId}`, bodies.asset],
    ["POST", `/payments/invoices/${invoiceId}`, bodies.payment],
    [
      "POST",
      "/quotes/preview",
      {
        ...policy,
        productId: "motor-fr",
        name: undefined,
        customers: [{ role: "POLICYHOLDER", customFields: bodies.customer.customFields }],
        assets: [{ customFields: bodies.asset.customFields }],
        tierId: "THIRD_PARTY"
      }
    ],
    ["GET", `/policies/${policyId}`],
    ["GET", `/policies/${policyId}/available-pricing`],
    ["GET", "/accounting-summary"],
    ["GET", `/billing/policies/${policyId}/schedule`],
    ["GET", `/quotes/policies/${policyId}`]
  ] as ReadonlyArray<readonly [string, string, Json?]>
})

const names = [
  "count",
  "page",
  "whenAt",
  "knownAt",
  "branchId",
  "dryRun",
  "idempotencyKey",
  "queryString",
  "order[by]",
  "order[direction]",
  "statuses",
  "productIds",
  "unpaidInvoiceIssuedBefore",
  "unpaidDurationDays"
]

const queryOf = ({ below, pick }: Draws): string =>
  Array.from(
    { length: Math.max(0, below(8) - 5) },
    () =>
      `${encodeURIComponent(pick(names))}=${encodeURIComponent(String(pick([...values, "10", "true", "ASC", "customerName", "%_\\"])))}`
  ).join("&")

/** The codes that the document lists for each route and status. */
const listed = (() => {
  const paths = Object.entries(openApi().paths).map(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u")
    return { pattern, item: JSON.parse(JSON.stringify(item)), literal: !path.includes("{") }
  })
  return (method: string, path: string, status: number): ReadonlyArray<string> => {
    const matching = paths.filter(({ pattern }) => pattern.test(path))
    const { item } = matching.find(({ literal }) => literal) ?? matching[0]!
    const response = item[method.toLowerCase()].responses[status]
    return Object.keys(response?.content?.["application/json"]?.examples ?? {})
  }
})()

layer(TestLayer, { excludeTestServices: true })("a request that is almost right", (it) => {
  it.effect.each([0, 2, 4])("is answered as the document says, after %i steps of a sale", (steps) =>
    Effect.gen(function* () {
      let world = yield* newTenant
      let requests = yield* requestsOn(world, steps)
      for (let seed = 1; seed <= 300; seed++) {
        // What was added by then leaves little that could still be priced.
        if (seed % 25 === 0) {
          world = yield* newTenant
          requests = yield* requestsOn(world, steps)
        }
        const draws = drawsOf(seed + 1000 * steps)
        const [method, path, valid] = draws.pick(requests)
        let body = valid
        for (let left = draws.below(3); left > 0 && body !== undefined; left--) {
          body = draws.chance(0.15) ? extended(body, draws) : mutated(body, draws)
        }
        const query = queryOf(draws)
        const answer = yield* send(world, query === "" ? path : `${path}?${query}`, body, method)
        const shown = `${seed}: ${method} ${path}?${query} ${JSON.stringify(body)}`
        assert.isBelow(answer.status, 500, shown)
        if (answer.status >= 400) {
          assert.include(listed(method, path, answer.status), answer.body.code, shown)
        }
      }
    })
  )
})
