/** The service as the process. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Main from "@quittance/http/Main"
import { Layer } from "effect"
import * as Standalone from "./Standalone.ts"

Standalone.layer.pipe(Layer.provide(NodeServices.layer), Main.run)
