import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { unmetOf, type GateFacts } from "../../src/compliance/Gates.ts"
import { coverOf, statementOf } from "../../src/compliance/NewStatement.ts"
import { changedData } from "../../src/compliance/StatementFreshness.ts"
import type { PolicyState } from "../../src/policies/PolicyState.ts"
import { examine } from "../../src/products/ProductFaults.ts"
import { fromEpochMillis } from "../../src/values/Instant.ts"
import { documentOf, read } from "../ShippedProducts.ts"

const motor = Result.getOrThrow(read(documentOf("motor-fr")))
const needs = motor.needs!
const product = { ...motor, needs }

const state = (tierId: string, perils: NonNullable<PolicyState["selection"]>["perils"] = []) => ({
  selection: { tierId, perils }
})
const answers = (wantsTheft: boolean, wantsDamage: boolean) => [
  { key: "wantsTheft", value: wantsTheft },
  { key: "wantsDamage", value: wantsDamage }
]
const made = (input: Parameters<typeof statementOf>[2], tierId = "THIRD_PARTY") =>
  statementOf(product, state(tierId), input)

describe("a statement of needs", () => {
  it("lacks nothing where every question that is shown is answered", () => {
    const incomplete = Result.getOrThrow(Result.flip(made({ answers: [] })))
    assert.deepStrictEqual(
      incomplete.issues.map(({ path }) => path),
      ["/answers/wantsTheft", "/answers/wantsDamage"]
    )
    const strange = [...answers(true, true), { key: "colour", value: "red" }]
    assert.isTrue(Result.isFailure(made({ answers: strange })))
  })

  it("names each rule that the cover does not keep, and none that it does", () => {
    const found = (wantsTheft: boolean, wantsDamage: boolean, tierId: string) =>
      Result.getOrThrow(made({ answers: answers(wantsTheft, wantsDamage) }, tierId)).deviations.map(
        ({ ruleId }) => ruleId
      )
    assert.deepStrictEqual(found(true, true, "THIRD_PARTY"), ["THEFT_WANTED", "DAMAGE_WANTED"])
    assert.deepStrictEqual(found(true, true, "THIRD_PARTY_PLUS"), ["DAMAGE_WANTED"])
    assert.deepStrictEqual(found(true, true, "COMPREHENSIVE"), [])
    assert.deepStrictEqual(found(false, false, "THIRD_PARTY"), [])
  })

  it("sees perils that were left out of a tier or added to it", () => {
    const cover = coverOf(
      product,
      state("THIRD_PARTY_PLUS", [
        { id: "THEFT", included: false },
        { id: "DAMAGE", included: true },
        { id: "GLASS", options: {} }
      ])
    )
    assert.isFalse(cover.perils.has("THEFT"))
    assert.isTrue(cover.perils.has("DAMAGE"))
    assert.isTrue(cover.perils.has("GLASS"))
  })

  it("advises by the rules, to which a person adds and from which they take nothing", () => {
    const ruled = Result.getOrThrow(made({ answers: answers(true, true) })).advice
    assert.strictEqual(ruled.kind, "ADVICE")
    assert.strictEqual(ruled.tierId, "COMPREHENSIVE")
    assert.deepStrictEqual(
      ruled.reasons.map(({ ruleId }) => ruleId),
      ["ALL_DAMAGE"]
    )
    const own = { kind: "ADVICE", reasons: ["The car is new."] } as const
    const both = Result.getOrThrow(made({ answers: answers(true, true), advice: own })).advice
    assert.deepStrictEqual(both.reasons, [...ruled.reasons, { because: "The car is new." }])
    assert.strictEqual(
      Result.getOrThrow(made({ answers: answers(false, false) })).advice.kind,
      "NONE"
    )
  })

  it("takes no advice without a reason, and no recommendation without two offers", () => {
    const paths = (advice: Parameters<typeof statementOf>[2]["advice"]) =>
      Result.getOrThrow(Result.flip(made({ answers: answers(false, false), advice }))).issues.map(
        ({ path }) => path
      )
    assert.deepStrictEqual(paths({ kind: "ADVICE" }), ["/advice/reasons"])
    const one = [{ name: "Other", why: "Dearer." }]
    assert.deepStrictEqual(paths({ kind: "RECOMMENDATION", reasons: ["Best."], compared: one }), [
      "/advice/compared"
    ])
    assert.deepStrictEqual(paths({ kind: "ADVICE", reasons: ["Best."], tierId: "NO_SUCH" }), [
      "/advice/tierId"
    ])
  })
})

const sold: PolicyState = {
  stage: "QUOTED",
  startedAt: fromEpochMillis(0),
  periodDuration: motor.periodDuration,
  invoicingConfig: motor.invoicing.default,
  customFields: { bonusMalus: 68 },
  customers: {},
  assets: { a: { seq: 1, type: "VEHICLE", customFields: { power: 5 } } },
  ...state("THIRD_PARTY")
}

describe("a statement is outdated", () => {
  it("by each single value of the policy and by its cover, and by nothing else", () => {
    const changed = (more: Partial<PolicyState>) => changedData(sold, { ...sold, ...more })
    assert.deepStrictEqual(changed({ stage: "CONFIRMED", name: "x" }), [])
    assert.deepStrictEqual(changed({ customFields: { bonusMalus: 69 } }), [
      "/customFields/bonusMalus"
    ])
    const asset = { a: { seq: 1, type: "VEHICLE", customFields: { power: 6 } } }
    assert.deepStrictEqual(changed({ assets: asset }), ["/assets/a/customFields/power"])
    assert.deepStrictEqual(changed({ assets: {} }), [
      "/assets/a/customFields/power",
      "/assets/a/type"
    ])
    assert.deepStrictEqual(changed(state("COMPREHENSIVE")), ["/tierId"])
    assert.deepStrictEqual(changed(state("THIRD_PARTY", [{ id: "GLASS", included: true }])), [
      "/perils/GLASS"
    ])
  })
})

const facts: GateFacts = {
  product: {
    ...motor,
    complianceGates: [
      { kind: "DEMANDS_AND_NEEDS", requiredFor: "CONFIRM" },
      { kind: "ADVICE", requiredFor: "CONFIRM" }
    ]
  },
  branchType: "NEW_BUSINESS",
  now: fromEpochMillis(0),
  holders: [],
  holdersOver: [new Set()],
  salesChannel: undefined,
  startedAt: fromEpochMillis(0),
  accepted: [],
  documents: [],
  hashOf: (text) => text
}
const judged = (statement: GateFacts["statement"]) =>
  unmetOf({ ...facts, statement }, "ACCEPT").map(({ fields, kind, why }) => [kind, why, fields])

describe("the gates on needs and advice", () => {
  const statement = {
    advice: { kind: "ADVICE", reasons: [{ because: "It fits." }] },
    createdAt: fromEpochMillis(0),
    deviations: [],
    questionnaireVersion: needs.questionnaire.version
  } as const
  const rule = { ruleId: "THEFT_WANTED", text: "", otherwise: "CONFIRM" } as const

  it("are met by a statement of the data as they are", () => {
    assert.deepStrictEqual(judged({ statement, changed: [] }), [])
    assert.deepStrictEqual(judged(undefined), [
      ["DEMANDS_AND_NEEDS", "MISSING", undefined],
      ["ADVICE", "MISSING", undefined]
    ])
  })

  it("name what has changed, in the policy or in the questions", () => {
    assert.deepStrictEqual(judged({ statement, changed: ["/tierId"] }), [
      ["DEMANDS_AND_NEEDS", "OUTDATED", ["/tierId"]],
      ["ADVICE", "OUTDATED", ["/tierId"]]
    ])
    const older = { ...statement, questionnaireVersion: "2025" }
    assert.deepStrictEqual(judged({ statement: older, changed: [] })[0], [
      "DEMANDS_AND_NEEDS",
      "OUTDATED",
      ["/needs/questionnaire/version"]
    ])
  })

  it("wait for each deviation to be confirmed, and for advice where there is none", () => {
    const confirmed = { ...rule, confirmedBy: "x", confirmedAt: fromEpochMillis(0) }
    const open = { ...statement, deviations: [rule, { ...confirmed, ruleId: "OTHER" }] }
    assert.deepStrictEqual(judged({ statement: open, changed: [] }), [
      ["DEMANDS_AND_NEEDS", "DEVIATION", ["THEFT_WANTED"]]
    ])
    const settled = { ...statement, deviations: [confirmed] }
    assert.deepStrictEqual(judged({ statement: settled, changed: [] }), [])
    const silent = { ...statement, advice: { kind: "NONE", reasons: [] } } as const
    assert.deepStrictEqual(judged({ statement: silent, changed: [] }), [
      ["ADVICE", "MISSING", undefined]
    ])
  })
})

describe("a product's needs are refused for", () => {
  const [question] = needs.questionnaire.questions
  const [rule] = needs.rules
  const faults = (more: object) =>
    examine({ ...motor, needs: { ...needs, ...more } }).faults.map(({ pointer }) => pointer)
  const asking = (more: object) => ({
    questionnaire: {
      ...needs.questionnaire,
      questions: [{ ...question, ...more }, needs.questionnaire.questions[1]]
    }
  })
  const at = "/needs/questionnaire/questions/0"
  const mistakes: ReadonlyArray<readonly [string, object, string]> = [
    ["a question that prices", asking({ priced: true }), `${at}/priced`],
    ["an example that the question refuses", asking({ example: "yes" }), `${at}/example`],
    [
      "a rule on no question",
      { rules: [{ ...rule, when: { key: "colour", in: [true] } }] },
      "/needs/rules/0/when/key"
    ],
    [
      "an answer that can't be given",
      { rules: [{ ...rule, when: { key: "wantsTheft", in: ["yes"] } }] },
      "/needs/rules/0/when/in/0"
    ],
    [
      "a peril that is not there",
      { rules: [{ ...rule, expect: { perils: ["NO_SUCH"] } }] },
      "/needs/rules/0/expect/perils/0"
    ],
    ["a rule that expects nothing", { rules: [{ ...rule, expect: {} }] }, "/needs/rules/0/expect"],
    ["two rules of one name", { rules: [rule, rule] }, "/needs/rules/1/id"],
    [
      "a tier that is not there",
      { recommend: [{ ...needs.recommend![0], tier: "NO_SUCH" }] },
      "/needs/recommend/0/tier"
    ]
  ]
  for (const [name, more, pointer] of mistakes) {
    it(`${name}`, () => {
      assert.include(faults(more), pointer)
    })
  }
})
