/** What areas ask of those above them, put together for the programs: each provides it once. */
import * as Targets from "@quittance/persistence/targets"
import { Layer } from "effect"
import * as FollowUps from "./worker/FollowUps.ts"

export const layer = Layer.merge(FollowUps.layer, Targets.layer)
