/** The products that the repository ships, read and checked as publishing would. */
import { read } from "../src/Publishable.ts"
import type { Product } from "@quittance/domain/products/Product"
import { Result } from "effect"
import { readFileSync } from "node:fs"

export const definition = (productId: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../products/${productId}.json`, import.meta.url), "utf8"))

const shipped = (productId: string): Product => Result.getOrThrow(read(definition(productId)))

/** As they are. */
export const whole = {
  motor: shipped("motor-fr"),
  home: shipped("home-fr"),
  liability: shipped("liability-fr")
}

/** No price depends on claims, and products that tests make of these lack perils that claims name. */
const withoutClaims = ({ claims: _claims, ...product }: Product): Product => product

export const motor = withoutClaims(whole.motor)
export const home = withoutClaims(whole.home)
export const liability = withoutClaims(whole.liability)
export const fleet = withoutClaims(shipped("fleet-fr"))
export const products = [motor, home, liability, fleet]
