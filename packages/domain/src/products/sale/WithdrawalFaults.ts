/** What is wrong with a product's right of withdrawal. */
import { unknownName } from "../../values/ClosestName.ts"
import type { Product, ProductFault } from "../Product.ts"

/** The kinds of documents that are the terms of a contract. */
export const termsKinds: ReadonlySet<string> = new Set(["GENERAL_CONDITIONS", "CONTRACT"])

export function* withdrawalFaults({
  documents = [],
  stopReasons,
  withdrawal
}: Pick<Product, "documents" | "stopReasons" | "withdrawal">): Generator<ProductFault, void> {
  if (withdrawal === undefined) return
  const { from, onRequestedStart, stopReason } = withdrawal
  const reason = stopReasons.find(({ id }) => id === stopReason)
  if (reason === undefined) {
    const known = stopReasons.map(({ id }) => id)
    const message = unknownName(stopReason, known, "/stopReasons")
    yield { pointer: "/withdrawal/stopReason", message }
  } else if (reason.refund !== onRequestedStart) {
    const message = `Choose ${reason.refund}, or a stop reason with another refund; the two have to agree.`
    yield { pointer: "/withdrawal/onRequestedStart", message }
  }
  const hasTerms = documents.some(
    ({ kind, visibility, when }) =>
      termsKinds.has(kind) && visibility === "CUSTOMER" && when === undefined
  )
  if (from === "LATER_OF_CONCLUSION_AND_TERMS" && !hasTerms) {
    const message =
      "Add a document of kind GENERAL_CONDITIONS or CONTRACT for customers, made in every sale; without it the period never begins."
    yield { pointer: "/withdrawal/from", message }
  }
}
