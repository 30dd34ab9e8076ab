/** The products that the repository ships, as tests and benchmarks sell them. */
import { Product } from "@quittance/domain/products/Product"
import type { Field } from "@quittance/domain/products/ProductFields"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Where the product's JSON is: `productFile("motor-fr")`. */
export const productFile = (name: string): string =>
  fileURLToPath(new URL(`../../../products/${name}.json`, import.meta.url))

/** The product as its file has it, for tests that break it in one place. */
export const productDefinition = (name: string): unknown =>
  JSON.parse(readFileSync(productFile(name), "utf8"))

/** The product, read as publishing reads it. Throws where the file is none. */
export const shippedProduct = (name: string): Product =>
  Schema.decodeUnknownSync(Product)(productDefinition(name))

/** The examples that a product gives for its fields, as a form would send them. */
export const fieldExamples = (fields: ReadonlyArray<Field>, role?: string) =>
  fields
    .filter(({ roles }) => role === undefined || roles === undefined || roles.includes(role))
    .map(({ example, key }) => ({ key, value: example }))
