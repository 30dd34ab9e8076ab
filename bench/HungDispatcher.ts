/** A dispatcher as production runs it, with as many consumers that never come to an end as `HUNG` says. */
import * as Dispatcher from "@quittance/dispatcher/Dispatcher"
import * as jobs from "@quittance/dispatcher/jobs"
import * as Main from "@quittance/http/Main"
import { Effect } from "effect"

const hung = Array.from({ length: Number(process.env.HUNG) }, (_, number) => ({
  name: `hung-${number}`,
  handle: () => Effect.never
}))

Main.run("hung-dispatcher")(Dispatcher.layer, jobs.run(hung))
