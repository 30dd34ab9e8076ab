/** A worker as production runs it, whose consumers leave what they were told where it can be compared. */
import * as jobs from "@quittance/billing-worker/jobs"
import * as Worker from "@quittance/billing-worker/Worker"
import * as Main from "@quittance/http/Main"
import { Effect } from "effect"
import * as Told from "./Told.ts"

Main.run(Worker.layer, Effect.flatMap(Effect.forEach(Told.names, Told.consumer), jobs.run))
