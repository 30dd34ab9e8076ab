/** The published schema of product documents, for editors and generators. */
import { Schema } from "effect"
import { Product } from "./Product.ts"

/** The document itself: what is wrong with it is told as INVALID_PRODUCT, all of it. */
export const ProductDocument = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "ProductDocument",
  description: "A document of the schema that `/schemas/product.json` publishes."
})
export type ProductDocument = typeof ProductDocument.Type

/** Grows by one when a document that was valid would no longer be. */
export const productSchemaVersion = 2

/** JSON Schema, draft 2020-12; what parts of a document say of each other it can't say. */
export const productSchema = (): Readonly<Record<string, unknown>> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(Product, {
    onExcessProperty: "error",
    generateDescriptions: true
  })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:quittance:product:${productSchemaVersion}`,
    title: "Insurance product",
    ...schema,
    $defs: definitions
  }
}
