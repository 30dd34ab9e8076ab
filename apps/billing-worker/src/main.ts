/** The worker alone. */
import * as Main from "@quittance/http/Main"
import * as jobs from "./jobs.ts"
import * as Worker from "./Worker.ts"

Main.run("billing-worker")(Worker.layer, jobs.run)
