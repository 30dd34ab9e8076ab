/** What is wrong with the questions of a product about demands and needs, and with what it makes of answers. */
import type { Product, ProductFault } from "../Product.ts"
import { duplicates, questionFaults, strangers } from "../ProductFieldFaults.ts"
import { fieldFaults, valueFault } from "../ProductFields.ts"
import type { Needs } from "./Needs.ts"

type Faults = Generator<ProductFault, void>

export function* needsFaults({
  needs,
  perils,
  tiers
}: Pick<Product, "needs" | "perils" | "tiers">): Faults {
  if (needs === undefined) return
  const { questionnaire, recommend = [], rules } = needs
  const { questions } = questionnaire
  const at = "/needs/questionnaire/questions"
  yield* questionFaults(questions, at)
  for (const [index, { priced }] of questions.entries()) {
    if (priced) {
      yield { pointer: `${at}/${index}/priced`, message: "Write false; no price reads an answer." }
    }
  }
  yield* contradictions(needs)
  const tierIds = tiers.map(({ id }) => id)
  const perilIds = perils.map(({ id }) => id)
  yield* duplicates(
    "/needs/rules",
    "id",
    rules.map(({ id }) => id)
  )
  for (const [index, { expect, when }] of rules.entries()) {
    const rule = `/needs/rules/${index}`
    yield* answerFaults(needs, when, `${rule}/when`)
    if (expect.tiers === undefined && expect.perils === undefined) {
      yield { pointer: `${rule}/expect`, message: "Name tiers or perils; it expects nothing." }
    }
    yield* strangers(`${rule}/expect/tiers`, expect.tiers ?? [], tierIds, "/tiers")
    yield* strangers(`${rule}/expect/perils`, expect.perils ?? [], perilIds, "/perils")
  }
  yield* duplicates(
    "/needs/recommend",
    "id",
    recommend.map(({ id }) => id)
  )
  for (const [index, { tier, when }] of recommend.entries()) {
    yield* answerFaults(needs, when, `/needs/recommend/${index}/when`)
    if (!tierIds.includes(tier)) {
      yield {
        pointer: `/needs/recommend/${index}/tier`,
        message: `Choose one of: ${tierIds.join(", ")}.`
      }
    }
  }
}

/** An answer that a rule looks for can be given. */
function* answerFaults(
  { questionnaire: { questions } }: Needs,
  when: Needs["rules"][number]["when"],
  at: string
): Faults {
  const question = questions.find(({ key }) => key === when.key)
  if (question === undefined) {
    const keys = questions.map(({ key }) => key).join(", ")
    yield { pointer: `${at}/key`, message: `Choose one of the questions: ${keys}.` }
    return
  }
  for (const [index, value] of when.in.entries()) {
    const fault = valueFault(question, value)
    if (fault !== undefined) yield { pointer: `${at}/in/${index}`, message: fault }
  }
}

/** The examples of all questions together are answers that a customer could give. */
function* contradictions({ questionnaire: { questions } }: Needs): Faults {
  const values = Object.fromEntries(questions.map(({ example, key }) => [key, example]))
  const [issue] = fieldFaults(questions, { values, stage: "SIGN" })
  if (issue !== undefined) {
    yield { pointer: "/needs/questionnaire/questions", message: issue.message }
  }
}
