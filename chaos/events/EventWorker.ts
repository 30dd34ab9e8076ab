/** A dispatcher as production runs it, whose consumers leave what they were told where it can be compared. */
import * as jobs from "@quittance/dispatcher/jobs"
import * as Dispatcher from "@quittance/dispatcher/Dispatcher"
import * as Main from "@quittance/http/Main"
import { Effect } from "effect"
import * as Told from "./Told.ts"

Main.run("event-worker")(
  Dispatcher.layer,
  Effect.flatMap(Effect.forEach(Told.names, Told.consumer), jobs.run)
)
