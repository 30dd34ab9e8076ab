/** The command as the process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Schema } from "effect"
import { readFileSync } from "node:fs"
import { runQuittance } from "./QuittanceCommand.ts"
import * as MissingFlags from "./terminal/MissingFlags.ts"

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8")
const { version } = Schema.decodeSync(Manifest)(manifest)

runQuittance(version).pipe(
  Effect.provide(Layer.provideMerge(MissingFlags.layer, NodeServices.layer)),
  NodeRuntime.runMain
)
