/** What is wrong with the texts that customers agree to, and with the duties before a step of the sale. */
import type { Product, ProductFault } from "../Product.ts"
import { duplicates } from "../ProductFieldFaults.ts"
import type { ComplianceGate } from "../ProductTerms.ts"

type Faults = Generator<ProductFault, void>

/** The kinds of gates that the steps of a sale are held against. */
const checked: ReadonlySet<ComplianceGate["kind"]> = new Set(["BROKER_REGISTRATION"])

export function* saleFaults({
  complianceGates = [],
  consents
}: Pick<Product, "complianceGates" | "consents">): Faults {
  yield* duplicates(
    "/consents",
    "textId",
    consents.map(({ textId }) => textId)
  )
  if (!consents.some(({ requiredFor }) => requiredFor === "SIGN")) {
    yield { pointer: "/consents", message: "Add a text that the customer agrees to when signing." }
  }
  for (const [index, { kind, maxAgeDays }] of complianceGates.entries()) {
    const pointer = `/complianceGates/${index}`
    // A gate that nothing checks would promise what does not happen.
    if (!checked.has(kind)) {
      yield { pointer: `${pointer}/kind`, message: `Leave it out; ${kind} is not checked yet.` }
    }
    if (maxAgeDays !== undefined && kind !== "BROKER_REGISTRATION") {
      yield { pointer: `${pointer}/maxAgeDays`, message: "It belongs to BROKER_REGISTRATION." }
    }
  }
}
