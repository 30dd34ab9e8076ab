/** The products that the repository ships, read and checked as publishing would. */
import { read } from "../src/Publishable.ts"
import type { Product } from "@quittance/domain/products/Product"
import { Result } from "effect"
import { readFileSync } from "node:fs"

export const definition = (productId: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../products/${productId}.json`, import.meta.url), "utf8"))

const shipped = (productId: string): Product => Result.getOrThrow(read(definition(productId)))

export const motor = shipped("motor-fr")
export const home = shipped("home-fr")
export const liability = shipped("liability-fr")
export const fleet = shipped("fleet-fr")
export const products = [motor, home, liability, fleet]
