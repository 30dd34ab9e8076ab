/** The dispatcher alone. */
import * as Main from "@quittance/http/Main"
import * as Dispatcher from "./Dispatcher.ts"
import * as jobs from "./jobs.ts"

Main.run("dispatcher")(Dispatcher.layer, jobs.run(jobs.consumers))
