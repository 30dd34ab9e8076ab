/** Conditions of a product's documents that name what the document model can't have. */
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import { noNames, typeAt } from "./ModelPaths.ts"

type Parts = Pick<Product, "documents" | "requestedDocuments">

export function* conditionFaults({
  documents = [],
  requestedDocuments = []
}: Parts): Generator<ProductFault, void> {
  const lists = { documents, requestedDocuments }
  for (const [member, list] of Object.entries(lists)) {
    for (const [index, { when }] of list.entries()) {
      if (when === undefined || typeAt(when.path, noNames) !== undefined) continue
      const message = `Name another; the document model has nothing at ${when.path}.`
      yield { pointer: `/${member}/${index}/when/path`, message }
    }
  }
}
