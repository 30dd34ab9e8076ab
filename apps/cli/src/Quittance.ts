/** The command `quittance` with all its subcommands. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { readFileSync } from "node:fs"
import { adminCommand } from "./AdminCommand.ts"
import { billingCommand } from "./BillingCommand.ts"
import { demoCommand } from "./DemoCommand.ts"
import { policiesCommand } from "./PoliciesCommand.ts"
import { productCommand } from "./ProductCommand.ts"
import { tokenCommand } from "./TokenCommand.ts"
import { vectorsCommand } from "./VectorsCommand.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8")

Command.make("quittance").pipe(
  Command.withDescription("Quittance: quote, sell and bill insurance"),
  Command.withSubcommands([
    tokenCommand,
    adminCommand,
    policiesCommand,
    billingCommand,
    productCommand,
    vectorsCommand,
    demoCommand
  ]),
  Command.run(Schema.decodeSync(Manifest)(manifest)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
