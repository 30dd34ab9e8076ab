/** `quittance product diff`: what another version says differently, and what that does to its price. */
import { type Difference, differences } from "@quittance/domain/products/ProductDiff"
import type { Product } from "@quittance/domain/products/Product"
import { Console, Effect, Result, type Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { format } from "../terminal/Money.ts"
import { change as changeOf } from "../terminal/Percent.ts"
import { lines, plain } from "../terminal/Table.ts"
import { problem } from "../Problem.ts"
import { examplePrices, load, type ProductFile } from "./ProductFile.ts"

export const diff = Command.make(
  "diff",
  {
    from: Argument.String("from").pipe(Argument.withDescription("The document as it was")),
    to: Argument.String("to").pipe(Argument.withDescription("The document as it shall be"))
  },
  Effect.fn(function* ({ from, to }) {
    const [before, after] = yield* Effect.all([load(from), load(to)])
    const found = differences(before.definition, after.definition)
    yield* Console.log(
      found.length === 0 ? "The documents say the same." : found.map(line).join("\n")
    )
    const [old, next] = [yield* sound(before), yield* sound(after)]
    if (found.length > 0 && old.currency === next.currency) {
      yield* Console.log(`\n${priceTable(old, next)}`)
    }
  })
).pipe(Command.withDescription("Tell what two versions of a product say differently"))

const sound = ({ name, product }: ProductFile) =>
  Result.isSuccess(product)
    ? Effect.succeed(product.success)
    : Effect.fail(
        problem(`${name} may not be published, so it has no price; see \`product check ${name}\`.`)
      )

const line = (difference: Difference): string => {
  const { from, path, to } = difference
  if (!("to" in difference)) return `- ${path}  ${text(from)}`
  if (!("from" in difference)) return `+ ${path}  ${text(to)}`
  return `~ ${path}  ${text(from)} → ${text(to)}${percentage(from, to)}`
}

const longest = 200

const text = (value: Schema.Json | undefined): string => {
  const whole = JSON.stringify(value) ?? ""
  return whole.length > longest ? `${whole.slice(0, longest - 1)}…` : whole
}

const percentage = (from: unknown, to: unknown): string =>
  typeof from === "number" && typeof to === "number" && from > 0 ? ` (${change(from, to)})` : ""

const change = (from: number, to: number): string =>
  changeOf(Math.round(((to - from) * 10_000) / from))

/** Tiers of either version side by side, both by the later one's examples and first day. */
const priceTable = (before: Product, after: Product): string => {
  const day = before.validFrom > after.validFrom ? before.validFrom : after.validFrom
  const [old, next] = [examplePrices(before, day), examplePrices(after, day)]
  const ids = [...new Set([...old, ...next].map(({ tier }) => tier.id))]
  const priceIn = (prices: typeof old, id: string) =>
    prices.find(({ tier }) => tier.id === id)?.total
  const rows = ids.map((id) => {
    const [was, is] = [priceIn(old, id), priceIn(next, id)]
    const money = (total: number | undefined) =>
      total === undefined ? "–" : format(total, after.currency)
    return [id, money(was), money(is), was === undefined || is === undefined ? "" : change(was, is)]
  })
  const right = "right" as const
  const columns = [
    { header: "First year, by the examples" },
    { header: before.version, align: right },
    { header: after.version, align: right },
    { header: "", align: right }
  ]
  return lines({ columns, rows }, 80, plain).join("\n")
}
