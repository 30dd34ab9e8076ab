/** The command `quittance` with all its subcommands. */
import type { Effect } from "effect"
import { Command } from "effect/cli"
import { adminCommand } from "./AdminCommand.ts"
import { billingCommand } from "./BillingCommand.ts"
import { demoCommand } from "./DemoCommand.ts"
import { documentsCommand } from "./DocumentsCommand.ts"
import { evidenceCommand } from "./EvidenceCommand.ts"
import { listenCommand } from "./ListenCommand.ts"
import { policiesCommand } from "./PoliciesCommand.ts"
import { productCommand } from "./ProductCommand.ts"
import { tokenCommand } from "./TokenCommand.ts"
import { vectorsCommand } from "./VectorsCommand.ts"

const quittanceCommand = Command.make("quittance").pipe(
  Command.withDescription("Quittance: quote, sell and bill insurance"),
  Command.withSubcommands([
    tokenCommand,
    adminCommand,
    policiesCommand,
    billingCommand,
    productCommand,
    documentsCommand,
    evidenceCommand,
    vectorsCommand,
    listenCommand,
    demoCommand
  ])
)

/** Runs a line of the command, such as `["admin", "tenants", "list"]`; without one, that of the process. */
export const runQuittance = (
  version: string,
  line?: ReadonlyArray<string>
): Effect.Effect<void, unknown, Command.Environment> =>
  line === undefined
    ? Command.run(quittanceCommand, { version })
    : Command.runWith(quittanceCommand, { version })(line)
