import { assert, describe, it } from "@effect/vitest"
import { Result, SchemaAST } from "effect"
import { Product } from "../../src/products/Product.ts"
import { documentOf, type Json, productIds, withAt, read } from "../ShippedProducts.ts"

const motor = documentOf("motor-fr")
const liability = documentOf("liability-fr")

const pointers = (definition: Json): ReadonlyArray<string> => {
  const result = read(definition)
  return Result.isFailure(result) ? result.failure.faults.map(({ pointer }) => pointer) : []
}

const peril = (id: string) =>
  (motor["perils"] as Array<{ id: string }>).findIndex((one) => one.id === id)
const input = (id: string) =>
  (motor["rating"] as { inputs: Array<{ id: string }> }).inputs.findIndex((one) => one.id === id)
const factor = (id: string) =>
  (motor["rating"] as { factors: Array<{ id: string }> }).factors.findIndex((one) => one.id === id)
const field = (entity: string, key: string) =>
  (motor["fields"] as { [entity: string]: Array<{ key: string }> })[entity]!.findIndex(
    (one) => one.key === key
  )

const earning = { brokerageFirmId: "brokerage_firm_test_346789ABCDEFGHJKLMNPQ", fee: 12.5 }
const twoFees = [earning, { ...earning, fee: 10 }]

const [ipid] = motor["documents"] as [{ readonly [key: string]: Json }]
const gated = { ...ipid, gate: { step: "CONFIRM", proof: "DELIVERED" } }
const hasBonus = { path: "policy.customFields.bonusMalus", in: [50] }
const dutyToGive = [{ kind: "IPID", requiredFor: "CONFIRM" }]

const directDebit = {
  schemes: ["CORE"],
  notificationDays: 14,
  announce: "INVOICE",
  retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
}
const debited = { modes: ["DIRECT_DEBIT", "BANK_TRANSFER"], directDebit }
const refunds = {
  automatic: true,
  minimum: 500,
  afterDays: 3,
  notBeforeDays: 0,
  speed: "STANDARD",
  fallback: true
}

/** One mistake each: what is put where, and the pointer at which it is told. */
const mistakes: ReadonlyArray<readonly [string, string, Json | undefined, string?]> = [
  ["an unknown property", "/colour", "red"],
  ["a property that is missing", "/currency", undefined],
  ["a type that is none", "/type", "HERD"],
  ["a time zone that is none", "/timeZone", "Europe/Lutetia"],
  ["a slug in capitals", "/productId", "Motor"],
  [
    "a rate as a float",
    "/taxes/0/charges/0",
    { from: "2016-01-01", rate: 0.33 },
    "/taxes/0/charges/0/rate"
  ],
  ["a charge of a rate and an amount", "/taxes/0/charges/0/amount", 7, "/taxes/0/charges/0"],
  ["a fraction by nothing", "/taxes/0/charges/0/rate", "33/0"],
  ["a day that does not exist", "/validFrom", "2025-02-29"],
  ["a reserved key", `/fields/policy/0/key`, "constructor"],
  ["a key twice", "/fields/policy/1/key", "bonusMalus"],
  ["an ENUM without values", `/fields/asset/${field("asset", "zone")}/values`, undefined],
  ["bounds upside down", "/fields/policy/0/min", 400],
  ["a bound of another type", `/fields/customer/${field("customer", "birthDate")}/min`, 1900],
  ["a pattern that is none", `/fields/asset/${field("asset", "registration")}/pattern`, "["],
  ["a pattern that explodes", `/fields/asset/${field("asset", "registration")}/pattern`, "(A+)+"],
  ["an example out of bounds", "/fields/policy/0/example", 49],
  [
    "an example of another form",
    `/fields/asset/${field("asset", "registration")}/example`,
    "AB123CD"
  ],
  ["roles on a policy's field", "/fields/policy/0/roles", ["DRIVER"]],
  ["an unknown role", "/fields/customer/0/roles", ["PILOT"], "/fields/customer/0/roles/0"],
  ["a condition on no field", "/fields/policy/4/showWhen/key", "colour"],
  ["a condition on no value", "/fields/policy/4/showWhen/in/0", "maybe"],
  ["no policyholder", "/customerRoles/0", "OWNER", "/customerRoles"],
  ["a tier of no peril", "/tiers/0/perils/3", "HAIL"],
  ["a tier's peril twice", "/tiers/0/perils/3", "RC"],
  ["a tier of optional perils alone", "/tiers/0/perils", ["LEGAL_PROTECTION"]],
  ["a preset of no value", "/tiers/2/defaults/0/valueId", "EUR_1"],
  ["a default tier that is none", "/defaultTier", "GOLD"],
  ["a default value that is none", "/perils/0/options/0/default", "EUR_1"],
  ["a peril's name twice", "/perils/1/id", "RC"],
  ["a factor named as a tax", "/rating/factors/0/id", "FGAO"],
  ["a factor that is none", "/perils/0/rating/factors/0", "HAIR_COLOUR"],
  ["a base of no input", "/perils/0/rating/base/input", "height"],
  [
    "a peril per policy of an asset's field",
    "/perils/0/rating/per",
    "POLICY",
    "/perils/0/rating/base/input"
  ],
  ["a least price above the greatest", "/perils/0/rating/max", 8999, "/perils/0/rating/min"],
  ["an input of no field", "/rating/inputs/0/key", "colour"],
  ["an input that is not priced", "/fields/policy/0/priced", false, "/rating/inputs/0/key"],
  ["an input that may be missing", "/fields/policy/0/requiredFor", "CONFIRM", "/rating/inputs/0"],
  ["an age of what is no date", "/rating/inputs/0/as", "AGE"],
  ["a default out of bounds", `/rating/inputs/${input("driverAge")}/default`, 17],
  [
    "a customer's input of no role",
    `/rating/inputs/${input("driverAge")}/roles`,
    undefined,
    `/rating/inputs/${input("driverAge")}`
  ],
  ["an input of a role without the field", `/rating/inputs/${input("driverAge")}/roles/0`, "PAYER"],
  [
    "a value without a row",
    `/rating/factors/${factor("ZONE")}/rows/3`,
    undefined,
    `/rating/factors/${factor("ZONE")}/rows`
  ],
  ["a row of no value", `/rating/factors/${factor("ZONE")}/rows/3/is`, "MOON"],
  ["a value with two rows", `/rating/factors/${factor("ZONE")}/rows/3/is`, "RURAL"],
  ["a gap between ranges", `/rating/factors/${factor("GROUP")}/rows/1/from`, 27],
  ["ranges that overlap", `/rating/factors/${factor("GROUP")}/rows/1/from`, 25],
  ["a range that begins too late", `/rating/factors/${factor("GROUP")}/rows/0/from`, 21],
  ["a range that ends too early", `/rating/factors/${factor("GROUP")}/rows/4/below`, 50],
  ["a range of what is no number", `/rating/factors/${factor("GROUP")}/input`, "zone"],
  [
    "a linear rate below nothing",
    `/rating/factors/${factor("BONUS_MALUS")}/offset`,
    -5001,
    `/rating/factors/${factor("BONUS_MALUS")}/perUnit`
  ],
  [
    "a share of a negative sum",
    `/fields/asset/${field("asset", "value")}/min`,
    -1,
    `/perils/${peril("THEFT")}/rating/base/input`
  ],
  ["a special of no peril", "/specials/0/of/0", "HAIL"],
  ["a tax without a rate on some day", "/taxes/0/charges/0/from", "2020-01-02"],
  ["charges out of order", "/specials/0/charges/1/from", "1999-09-01"],
  ["a class that no tax knows", "/perils/0/taxClass", "BOATS"],
  [
    "a tax on a class that nothing has",
    "/taxes/0/classes",
    ["MOTOR_LIABILITY", "BOATS"],
    "/taxes/0/classes/1"
  ],
  ["a recurring charge that repeats", "/brokerageFee/everyTerm", true],
  ["a recurring peril that repeats", "/perils/0/everyTerm", true],
  [
    "a firm whose fee is told twice",
    "/brokerageFee/firms",
    twoFees,
    "/brokerageFee/firms/1/brokerageFirmId"
  ],
  [
    "a least price that is no multiple of its rounding",
    "/rounding",
    { premiums: { to: 700 } },
    "/perils/0/rating/min"
  ],
  ["a fee on a class that nothing has", "/fees/0/classes", ["BOATS"], "/fees/0/classes/0"],
  [
    "a tax where no input says so",
    "/taxes/0/where",
    { input: "country", in: ["FR"] },
    "/taxes/0/where/input"
  ],
  [
    "a cost of notices that are never sent",
    "/dunning",
    {
      firstPremium: "COVER",
      suspend: { after: { amount: 15, unit: "DAY" }, from: "DUE_DATE" },
      terminate: { after: { amount: 6, unit: "MONTH" }, from: "DUE_DATE", mode: "AUTOMATIC" },
      reactivation: "END_OF_DAY",
      feesRebilled: 1500,
      stopReason: "NON_PAYMENT"
    },
    "/dunning/feesRebilled"
  ],
  ["a stop reason twice", "/stopReasons/1/id", "CUSTOMER_REQUEST"],
  [
    "a short rate without its table",
    "/stopReasons/0/refund",
    "SHORT_RATE",
    "/stopReasons/0/shortRate"
  ],
  ["a reason that is none", "/reasons/unpaid", "BORED"],
  ["a dunning reason that is none", "/dunning/stopReason", "BORED"],
  [
    "a default way of invoicing not offered",
    "/invoicing/frequencies",
    ["YEARLY"],
    "/invoicing/default/frequency"
  ],
  [
    "an early payment without its length",
    "/invoicing/default/firstPayment",
    "EARLY_PAYMENT_AT_SIGNATURE",
    "/invoicing/default/earlyPayment"
  ],
  ["a payer's role that is none", "/billingAssignmentConfigs/0/payerRoles/0", "BANK"],
  [
    "an assignable component that is none",
    "/billingAssignmentConfigs/0/components",
    ["HAIL"],
    "/billingAssignmentConfigs/0/components/0"
  ],
  ["cover from a payment", "/activation/coverFrom", "PAYMENT"],
  ["a gate that no payment opens", "/activation/firstPayment", "GATE"],
  ["debits without their terms", "/payments", { modes: ["DIRECT_DEBIT"] }, "/payments/directDebit"],
  [
    "terms of debits that are not collected",
    "/payments",
    { modes: ["BANK_TRANSFER"], directDebit },
    "/payments/directDebit"
  ],
  ["no way to pay", "/payments", { modes: [] }, "/payments/modes"],
  ["cards", "/payments", { modes: ["CARD"] }, "/payments/modes"],
  [
    "a debit that is tried four times",
    "/payments",
    {
      ...debited,
      directDebit: { ...directDebit, retry: { ...directDebit.retry, maxAttempts: 4 } }
    },
    "/payments/directDebit/retry/maxAttempts"
  ],
  [
    "debits told a term at a time",
    "/payments",
    { ...debited, directDebit: { ...directDebit, announce: "SCHEDULE" } },
    "/payments/directDebit/announce"
  ],
  ["refunds by themselves", "/payments", { ...debited, refunds }, "/payments/refunds/automatic"],
  ["transfers that fall short", "/payments", { ...debited, tolerance: 1 }, "/payments/tolerance"],
  ["a base branch field that is priced", "/trunkFields/policy/0", "bonusMalus"],
  ["a base branch field that is none", "/trunkFields/policy/0", "colour"],
  ["no text to sign", "/consents", []],
  [
    "texts for the confirmation alone",
    "/consents",
    [{ textId: "ADVICE", text: "I was advised.", requiredFor: "CONFIRM" }]
  ],
  [
    "two texts of one name",
    "/consents/1",
    { textId: "SUBSCRIPTION_TERMS", text: "I was advised.", requiredFor: "CONFIRM" },
    "/consents/1/textId"
  ],
  [
    "a gate on a right of withdrawal that the product does not have",
    "/complianceGates",
    [{ kind: "WITHDRAWAL_RIGHT", requiredFor: "CONFIRM" }],
    "/complianceGates/0/kind"
  ],
  [
    "a gate on a document that the product does not have",
    "/complianceGates",
    [{ kind: "INTERMEDIARY_INFORMATION", requiredFor: "CONFIRM" }],
    "/complianceGates/0/kind"
  ],
  [
    "a gate on a document that some sales lack",
    "/documents/0",
    { ...gated, when: hasBonus },
    "/documents/0/when"
  ],
  [
    "a gate on documents of assets, which a policy may lack",
    "/documents/0",
    { ...gated, per: "ASSET" },
    "/documents/0/per"
  ],
  [
    "a letter with a document that its reader may not see",
    "/documents/0",
    { ...ipid, deliver: "EMAIL", visibility: "INTERNAL" },
    "/documents/0/visibility"
  ],
  [
    "an age of a registration on a gate that needs none",
    "/complianceGates",
    [{ kind: "ADVICE", requiredFor: "CONFIRM", maxAgeDays: 30 }],
    "/complianceGates/0/maxAgeDays"
  ],
  ["more assets at least than at most", "/assets/min", 2]
]

describe("the payments of a product", () => {
  it("are sound in euros, and debits in no other currency", () => {
    const payments = { ...debited, refunds: { ...refunds, automatic: false }, tolerance: 0 }
    assert.deepStrictEqual(pointers({ ...motor, payments }), [])
    assert.deepStrictEqual(pointers({ ...motor, payments, currency: "CHF" }), ["/payments/modes"])
  })
})

describe("a product's document is refused for", () => {
  it("a duty to give a document that some of its sales lack", () => {
    const withDuty = withAt(motor, "/complianceGates", dutyToGive)
    const told = (document: object) =>
      pointers(withAt(withDuty, "/documents/0", { ...ipid, ...document })).filter((pointer) =>
        pointer.startsWith("/complianceGates")
      )
    assert.deepStrictEqual(told({}), [])
    assert.deepStrictEqual(told({ when: hasBonus }), ["/complianceGates/0/kind"])
    assert.deepStrictEqual(told({ branches: ["NEW_BUSINESS"] }), ["/complianceGates/0/kind"])
  })

  for (const [name, at, value, told = at] of mistakes) {
    it(`${name}`, () => {
      const found = pointers(withAt(motor, at, value))
      assert.include(found, told)
    })
  }

  it("a slip in a table or a name, in a sentence that mends it", () => {
    const rows = `/rating/factors/${factor("GROUP")}/rows`
    for (const [at, value, message] of [
      [
        `${rows}/1/from`,
        27,
        "Choose `from` 26, where the row before it ends; between 26 and 27 is a gap."
      ],
      [
        `${rows}/1/from`,
        25,
        "Choose `from` 26, where the row before it ends; this one overlaps it."
      ],
      [
        `${rows}/0/below`,
        undefined,
        "Give the row before it a `below`, the first value that it no longer has: 26."
      ],
      [`${rows}/0/from`, 21, "Begin at most at 20, or leave it out; its input may reach as far."],
      [`${rows}/4/below`, 50, "End above 50, or leave it out; its input may reach as far."],
      [
        `/rating/factors/${factor("ZONE")}/rows/3`,
        undefined,
        "Add a row for METROPOLIS, or `otherwise`."
      ],
      [
        "/perils/0/rating/factors/0",
        "BONUS_MALSU",
        "Add BONUS_MALSU to /rating/factors, or write BONUS_MALUS if that is what it means."
      ],
      ["/tiers/0/perils/3", "HAIL", "Add HAIL to /perils."],
      [
        "/reasons/unpaid",
        "NON_PAIMENT",
        "Add NON_PAIMENT to /stopReasons, or write NON_PAYMENT if that is what it means."
      ]
    ] as const) {
      const result = read(withAt(motor, at, value))
      const messages = Result.isFailure(result)
        ? result.failure.faults.map((one) => one.message)
        : []
      assert.include(messages, message)
    }
  })

  it("what is no object at all", () => {
    for (const definition of [null, 7, "motor-fr", []])
      assert.deepStrictEqual(pointers(definition), [""])
  })

  it("short rates out of order or above the whole", () => {
    const rows = [
      { upToDays: 90, kept: "40/100" },
      { upToDays: 30, kept: "101/100" }
    ]
    assert.deepStrictEqual(pointers(withAt(liability, "/stopReasons/0/shortRate", rows)), [
      "/stopReasons/0/shortRate/1/upToDays",
      "/stopReasons/0/shortRate/1/kept"
    ])
  })

  it("every fault at once, not only the first", () => {
    const shape = withAt(withAt(motor, "/currency", "euro"), "/perils/0/optional", "yes")
    assert.deepStrictEqual(pointers(shape), ["/currency", "/perils/0/optional"])
    const content = withAt(withAt(motor, "/defaultTier", "GOLD"), "/reasons/unpaid", "BORED")
    assert.deepStrictEqual(pointers(content), ["/defaultTier", "/reasons/unpaid"])
    const both = withAt(withAt(content, "/currency", "euro"), "/perils/0/colour", "red")
    assert.deepStrictEqual(pointers(both), [
      "/currency",
      "/perils/0/colour",
      "/defaultTier",
      "/reasons/unpaid"
    ])
  })

  it("no fault that only comes of a member which has none of its shape", () => {
    const optional = new Set(
      Object.entries(Product.fields).flatMap(([name, { ast }]) =>
        SchemaAST.isOptional(ast) ? [name] : []
      )
    )
    for (const [member, value] of Object.entries(motor)) {
      const wrong = Array.isArray(value) || typeof value === "object" ? 7 : []
      const found = pointers(withAt(motor, `/${member}`, wrong))
      assert.deepStrictEqual(found, [`/${member}`])
      const absent = pointers(withAt(motor, `/${member}`, undefined))
      assert.deepStrictEqual(absent, optional.has(member) ? [] : [`/${member}`])
    }
  })
})

describe("shipped products", () => {
  for (const productId of productIds) {
    it(`have no fault: ${productId}`, () => {
      const result = read(documentOf(productId))
      assert.deepStrictEqual(Result.isFailure(result) ? result.failure.faults : [], [])
    })
  }
})
