/** `quittance evidence`: what proves a signature, checked without the service. */
import { Command } from "effect/cli"
import { verify } from "./evidence/Verify.ts"

export const evidenceCommand = Command.make("evidence").pipe(
  Command.withDescription("Check what proves signatures, without the service"),
  Command.withSubcommands([verify])
)
