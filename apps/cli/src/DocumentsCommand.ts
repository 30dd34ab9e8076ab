/** `quittance documents`: files that were made, and what they would look like. */
import { Command } from "effect/cli"
import { gc } from "./documents/Collect.ts"
import { preview } from "./documents/Preview.ts"
import { verify } from "./documents/Verify.ts"

export const documentsCommand = Command.make("documents").pipe(
  Command.withDescription("Look at documents, and whether they are what they say"),
  Command.withSubcommands([verify, preview, gc])
)
