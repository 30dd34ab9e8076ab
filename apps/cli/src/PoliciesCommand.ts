/** `quittance policies`: what is done to a whole portfolio. */
import { Command } from "effect/cli"
import { reprice } from "./policies/Reprice.ts"

export const policiesCommand = Command.make("policies").pipe(
  Command.withDescription("Look after a portfolio of policies"),
  Command.withSubcommands([reprice])
)
