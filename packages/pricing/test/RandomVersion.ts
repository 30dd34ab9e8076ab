/** Another version of a product: the same parts, some of its figures tuned. */
import type { Product } from "@quittance/domain/products/Product"
import { Result } from "effect"
import { read } from "../src/Publishable.ts"
import type { Draw } from "@quittance/testing/Draw"

const tunable = new Set(["amount", "rate", "multiply", "add"])

const tuned = (draw: Draw, value: unknown): unknown => {
  const percent = draw.int(50, 150)
  if (typeof value === "number") return Math.round((value * percent) / 100)
  if (typeof value !== "string") return value
  const [numerator, denominator] = value.split("/").map(Number)
  return `${Math.round((numerator! * percent) / 100)}/${denominator!}`
}

/** The product itself where it could not be published like that; each figure moves so `likely`. */
export const randomVersion = (draw: Draw, product: Product, likely = 0.3): Product => {
  const definition: unknown = JSON.parse(JSON.stringify(product), (key, value: unknown) =>
    tunable.has(key) && draw.chance(likely) ? tuned(draw, value) : value
  )
  return Result.getOrElse(read(definition), () => product)
}
