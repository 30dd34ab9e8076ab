/** What is wrong with the texts that customers agree to, and with the duties before a step of the sale. */
import type { DocumentDefinition, DocumentTrigger } from "../documents/DocumentDefinition.ts"
import type { Product, ProductFault } from "../Product.ts"
import { duplicates } from "../ProductFieldFaults.ts"
import type { ComplianceGate } from "../ProductTerms.ts"

type Faults = Generator<ProductFault, void>

/** The kinds of gates that the steps of a sale are held against. */
const checked: ReadonlySet<ComplianceGate["kind"]> = new Set([
  "ADVICE",
  "BROKER_REGISTRATION",
  "DEMANDS_AND_NEEDS",
  "INTERMEDIARY_INFORMATION",
  "IPID",
  "WITHDRAWAL_RIGHT"
])

export function* saleFaults({
  complianceGates = [],
  consents,
  documents = [],
  needs,
  withdrawal
}: Pick<Product, "complianceGates" | "consents" | "documents" | "needs" | "withdrawal">): Faults {
  const textIds = consents.map(({ textId }) => textId)
  yield* duplicates("/consents", "textId", textIds)
  if (withdrawal?.startRequest !== undefined && textIds.includes(withdrawal.startRequest.textId)) {
    const message = "Choose another one; a text in /consents has it."
    yield { pointer: "/withdrawal/startRequest/textId", message }
  }
  if (!consents.some(({ requiredFor }) => requiredFor === "SIGN")) {
    yield { pointer: "/consents", message: "Add a text that the customer agrees to when signing." }
  }
  for (const [index, gate] of complianceGates.entries()) {
    const pointer = `/complianceGates/${index}`
    const { kind, maxAgeDays } = gate
    // A gate that nothing checks would promise what does not happen.
    if (!checked.has(kind)) {
      yield { pointer: `${pointer}/kind`, message: `Leave it out; ${kind} is not checked yet.` }
    }
    if (maxAgeDays !== undefined && kind !== "BROKER_REGISTRATION") {
      yield { pointer: `${pointer}/maxAgeDays`, message: "It belongs to BROKER_REGISTRATION." }
    }
    if ((kind === "DEMANDS_AND_NEEDS" || kind === "ADVICE") && needs === undefined) {
      yield {
        pointer: `${pointer}/kind`,
        message: "Add /needs; without questions none can answer."
      }
    }
    if (kind === "IPID" || kind === "INTERMEDIARY_INFORMATION") {
      const isMade = documents.some(
        (document) => document.kind === kind && isGivenBefore(document, gate)
      )
      if (!isMade) {
        const message = `Add a document of kind ${kind} for customers, made on ${triggersBefore(gate).join(" or ")} in every sale that the gate is for.`
        yield { pointer: `${pointer}/kind`, message }
      }
    }
    if (kind === "WITHDRAWAL_RIGHT") {
      const isMade = documents.some(
        (document) => document.id === withdrawal?.information && isGivenBefore(document, gate)
      )
      if (!isMade) {
        const message = `Name in /withdrawal/information a document for customers, made on ${triggersBefore(gate).join(" or ")} in every sale that the gate is for.`
        yield { pointer: `${pointer}/kind`, message }
      }
      if (withdrawal !== undefined && withdrawal.startRequest === undefined) {
        const message =
          "Add /withdrawal/startRequest; the gate asks for it where cover begins early."
        yield { pointer: `${pointer}/kind`, message }
      }
    }
  }
}

const triggersBefore = ({ requiredFor }: ComplianceGate): ReadonlyArray<DocumentTrigger> =>
  requiredFor === "CONFIRM" ? ["QUOTED"] : ["QUOTED", "CONFIRMED"]

/** Whether customers have a document in every sale before a step that waits for it. */
const isGivenBefore = (document: DocumentDefinition, gate: ComplianceGate): boolean =>
  document.visibility === "CUSTOMER" &&
  isInEverySale(document, gate) &&
  document.on.some((trigger) => triggersBefore(gate).includes(trigger))

/** Whether every sale that waits at a gate has a document; one that lacks it could never be concluded. */
const isInEverySale = (
  { branches, when }: DocumentDefinition,
  gate: Pick<ComplianceGate, "branches">
): boolean =>
  when === undefined &&
  (branches === undefined || gate.branches?.every((branch) => branches.includes(branch)) === true)
