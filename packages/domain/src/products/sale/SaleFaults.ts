/** What is wrong with the texts that customers agree to, and with the duties before a step of the sale. */
import type { DocumentDefinition } from "../documents/DocumentDefinition.ts"
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
  "IPID"
])

export function* saleFaults({
  complianceGates = [],
  consents,
  documents = [],
  needs
}: Pick<Product, "complianceGates" | "consents" | "documents" | "needs">): Faults {
  yield* duplicates(
    "/consents",
    "textId",
    consents.map(({ textId }) => textId)
  )
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
      const before = gate.requiredFor === "CONFIRM" ? ["QUOTED"] : ["QUOTED", "CONFIRMED"]
      const isMade = documents.some(
        (document) =>
          document.kind === kind &&
          document.visibility === "CUSTOMER" &&
          isInEverySale(document, gate) &&
          document.on.some((trigger) => before.includes(trigger))
      )
      if (!isMade) {
        const message = `Add a document of kind ${kind} for customers, made on ${before.join(" or ")} in every sale that the gate is for.`
        yield { pointer: `${pointer}/kind`, message }
      }
    }
  }
}

/** Whether every sale that waits at a gate has a document; one that lacks it could never be concluded. */
const isInEverySale = (
  { branches, when }: DocumentDefinition,
  gate: Pick<ComplianceGate, "branches">
): boolean =>
  when === undefined &&
  (branches === undefined || gate.branches?.every((branch) => branches.includes(branch)) === true)
