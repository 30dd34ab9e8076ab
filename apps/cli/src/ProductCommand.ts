/** `quittance product`: what an actuary does with product documents. */
import { Command } from "effect/cli"
import { check } from "./product/ProductCheck.ts"
import { diff } from "./product/ProductDiff.ts"
import { simulate } from "./product/ProductSimulate.ts"

export const productCommand = Command.make("product").pipe(
  Command.withDescription("Look after product documents"),
  Command.withSubcommands([check, diff, simulate])
)
