/** The shipped products as documents, to be read as they are or broken in one place. */
import { InvalidProduct } from "../src/products/Product.ts"
import { examine } from "../src/products/ProductFaults.ts"
import type { Product } from "../src/products/Product.ts"
import { Result } from "effect"
import { readFileSync } from "node:fs"

export type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }

export const documentOf = (productId: string): { [key: string]: Json } =>
  JSON.parse(
    readFileSync(new URL(`../../../products/${productId}.json`, import.meta.url), "utf8")
  ) as { [key: string]: Json }

export const productIds = [
  "motor-fr",
  "home-fr",
  "liability-fr",
  "fleet-fr",
  "bicycle-it",
  "bicycle-es",
  "bicycle-de",
  "bicycle-be"
]

export const productOf = (productId: string): Product =>
  Result.getOrThrow(read(documentOf(productId)))

/** The document with another value at a JSON pointer; `undefined` removes what is there. */
export const withAt = (definition: Json, pointer: string, value: Json | undefined): Json => {
  const copy = structuredClone(definition)
  const path = pointer.split("/").slice(1)
  const last = path.pop()!
  let node = copy as { [key: string]: Json }
  for (const key of path) node = node[key] as { [key: string]: Json }
  if (value !== undefined) node[last] = value
  else if (Array.isArray(node)) node.splice(Number(last), 1)
  else delete node[last]
  return copy
}

/** The product of a document without faults, or all of them. */
export const read = (definition: unknown): Result.Result<Product, InvalidProduct> => {
  const { faults, parts } = examine(definition)
  // Without a fault all of its members are there.
  return faults.length === 0
    ? Result.succeed(parts as Product)
    : Result.fail(new InvalidProduct({ faults }))
}
