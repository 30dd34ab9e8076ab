/** The worker alone. */
import * as Main from "@quittance/http/Main"
import * as jobs from "./jobs.ts"
import * as Worker from "./Worker.ts"

Main.run(Worker.layer, jobs.run)
