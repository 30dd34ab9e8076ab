/** The service as the process. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Main from "@quittance/http/Main"
import { Layer } from "effect"
import * as Standalone from "./Standalone.ts"

Main.run("standalone")(Layer.provide(Standalone.layer, NodeServices.layer), Standalone.work)
