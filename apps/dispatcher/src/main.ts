/** The dispatcher alone. */
import * as Main from "@quittance/http/Main"
import * as Dispatcher from "./Dispatcher.ts"
import { Effect } from "effect"
import * as jobs from "./jobs.ts"

Main.run("dispatcher")(Dispatcher.layer, Effect.flatMap(jobs.consumers, jobs.run))
