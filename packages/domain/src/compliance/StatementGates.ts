/** Gates on what the customer said that they need, and on what was advised. */
import type { GateKind } from "../policies/Compliance.ts"
import type { Needs } from "../products/sale/Needs.ts"
import type { Gate } from "./Gate.ts"
import type { Statement } from "./Statement.ts"

/** The latest statement of a branch, and the paths of data that have changed since. */
export interface StatementFacts {
  readonly statement: Pick<
    Statement,
    "advice" | "createdAt" | "deviations" | "questionnaireVersion"
  >
  readonly changed: ReadonlyArray<string>
}

interface Facts {
  readonly product: { readonly needs?: Needs | undefined }
  readonly statement?: StatementFacts | undefined
}

const remedy = "Have the customer's needs stated: `POST /policies/{policyId}/statements`."

/** A statement of the data as they are, to the questions as they are; else why there is none. */
const current = (
  { product, statement: found }: Facts,
  kind: GateKind
): Gate | StatementFacts["statement"] => {
  if (found === undefined) return { kind, met: false, why: "MISSING", do: remedy }
  const { changed, statement } = found
  const isOtherForm = statement.questionnaireVersion !== product.needs?.questionnaire.version
  const fields = isOtherForm ? [...changed, "/needs/questionnaire/version"] : changed
  if (fields.length === 0) return statement
  return { kind, met: false, why: "OUTDATED", fields, do: remedy }
}

/** It is stated what the customer needs, and the cover fits or the customer has confirmed where not. */
export const needsGate = (facts: Facts): Gate => {
  const kind = "DEMANDS_AND_NEEDS"
  const found = current(facts, kind)
  if ("met" in found) return found
  const open = found.deviations.filter(({ confirmedAt }) => confirmedAt === undefined)
  if (open.length === 0) return { kind, met: true, metAt: found.createdAt }
  return {
    kind,
    met: false,
    why: "DEVIATION",
    fields: open.map(({ ruleId }) => ruleId),
    do: open.some(({ otherwise }) => otherwise === "REFUSE")
      ? "Choose a cover that fits, quote it, and have the needs stated for it."
      : "Have the customer confirm each: `POST /policies/{policyId}/statements/{statementId}/deviations`."
  }
}

/** The statement holds advice with its reasons: it is made with none that lacks them. */
export const adviceGate = (facts: Facts): Gate => {
  const kind = "ADVICE"
  const found = current(facts, kind)
  if ("met" in found) return found
  if (found.advice.kind !== "NONE") return { kind, met: true, metAt: found.createdAt }
  return {
    kind,
    met: false,
    why: "MISSING",
    do: "State the needs again, with advice and its reasons: `POST /policies/{policyId}/statements`."
  }
}
