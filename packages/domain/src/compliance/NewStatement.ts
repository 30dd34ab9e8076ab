/** What is made of a customer's answers: needs in words, advice with its reasons, and deviations. */
import { Result } from "effect"
import type { CustomField, CustomFieldValue } from "../values/CustomField.ts"
import { fieldFaults, isShown, valueOf, type FieldValues } from "../products/ProductFields.ts"
import type { Needs, NeedsRule } from "../products/sale/Needs.ts"
import type { Product } from "../products/Product.ts"
import type { PolicyState } from "../policies/PolicyState.ts"
import { type Advice, type Deviation, StatementIncomplete } from "./Statement.ts"
import type { GivenAdvice } from "./StatementRequests.ts"

/** The cover that is sold: a tier, and the perils that it has by the customer's choice. */
export interface Cover {
  readonly tierId: string
  readonly perils: ReadonlySet<string>
}

/** The cover that a policy is sold with; that of the default tier where nothing was chosen. */
export const coverOf = (
  { defaultTier, tiers }: Pick<Product, "defaultTier" | "tiers">,
  { selection }: Pick<PolicyState, "selection">
): Cover => {
  const tierId = selection?.tierId ?? defaultTier
  const perils = new Set(tiers.find(({ id }) => id === tierId)?.perils)
  for (const { id, included } of selection?.perils ?? []) {
    if (included === true) perils.add(id)
    if (included === false) perils.delete(id)
  }
  return { tierId, perils }
}

const holds = ({ in: values, key }: NeedsRule["when"], answers: FieldValues): boolean => {
  const answer = valueOf(answers, key)
  return answer !== undefined && values.includes(answer)
}

const fits = ({ perils = [], tiers }: NeedsRule["expect"], cover: Cover): boolean =>
  (tiers === undefined || tiers.includes(cover.tierId)) &&
  perils.every((peril) => cover.perils.has(peril))

/** The rules that the answers call for and the cover does not keep. */
export const deviationsOf = (
  { rules }: Needs,
  answers: FieldValues,
  cover: Cover
): ReadonlyArray<Deviation> =>
  rules
    .filter(({ expect, when }) => holds(when, answers) && !fits(expect, cover))
    .map(({ id, otherwise, text }) => ({ ruleId: id, text, otherwise }))

/** What the rules of the product advise by themselves. */
const ruledAdvice = ({ recommend = [] }: Needs, answers: FieldValues): Advice => {
  const found = recommend.filter(({ when }) => holds(when, answers))
  const tierId = found[0]?.tier
  if (tierId === undefined) return { kind: "NONE", reasons: [] }
  const reasons = found
    .filter(({ tier }) => tier === tierId)
    .map(({ because, id }) => ({ because, ruleId: id }))
  return { kind: "ADVICE", tierId, reasons }
}

/** Advice of a person, which adds to that of the rules and takes nothing of it away. */
const adviceOf = (ruled: Advice, given: GivenAdvice | undefined): Advice => {
  if (given === undefined) return ruled
  const { compared, kind, reasons = [], tierId = ruled.tierId } = given
  return {
    kind,
    ...(tierId === undefined ? {} : { tierId }),
    reasons: [...ruled.reasons, ...reasons.map((because) => ({ because }))],
    ...(compared === undefined ? {} : { compared })
  }
}

const adviceIssues = (
  { compared = [], kind, reasons, tierId }: Advice,
  tiers: Product["tiers"]
) => [
  ...(kind !== "NONE" && reasons.length === 0
    ? [{ path: "/advice/reasons", message: "Give a reason; advice without one is none." }]
    : []),
  ...(kind === "RECOMMENDATION" && compared.length < 2
    ? [{ path: "/advice/compared", message: "Name at least two offers that were compared." }]
    : []),
  ...(tierId !== undefined && tiers.every(({ id }) => id !== tierId)
    ? [{ path: "/advice/tierId", message: "Choose a tier of the product." }]
    : [])
]

const shown = (value: CustomFieldValue): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value)

/** What a statement says, made of the answers for the cover as it is; or what is wrong with them. */
export const statementOf = (
  { needs, ...product }: Pick<Product, "defaultTier" | "tiers"> & { readonly needs: Needs },
  state: Pick<PolicyState, "selection">,
  input: { readonly answers: ReadonlyArray<CustomField>; readonly advice?: GivenAdvice | undefined }
) => {
  const { questions, version } = needs.questionnaire
  const values: FieldValues = Object.fromEntries(
    input.answers.map(({ key, value }) => [key, value])
  )
  const advice = adviceOf(ruledAdvice(needs, values), input.advice)
  const issues = [
    ...fieldFaults(questions, { values, stage: "SIGN" }).map(({ message, path }) => ({
      path: path.replace("/customFields/", "/answers/"),
      message
    })),
    ...adviceIssues(advice, product.tiers)
  ]
  if (issues.length > 0) return Result.fail(new StatementIncomplete({ issues }))
  const answered = questions.flatMap((question) => {
    const value = valueOf(values, question.key)
    return value === undefined || !isShown(question, values) ? [] : [{ question, value }]
  })
  return Result.succeed({
    questionnaireVersion: version,
    answers: answered.map(({ question: { key }, value }) => ({ key, value })),
    needs: answered.map(({ question: { label, values: offered = [] }, value }) => {
      const named = offered.find(({ id }) => id === value)?.label
      return `${label}: ${named ?? shown(value)}`
    }),
    advice,
    deviations: deviationsOf(needs, values, coverOf(product, state))
  })
}
