/** What areas ask of those above them, put together for the programs: each provides it once. */
import * as Targets from "@quittance/persistence/targets"
import { Layer } from "effect"
import { DueItemHandlers } from "./tenants/DueItemHandlers.ts"
import { OwnPayments } from "./treasury/OwnPayments.ts"
import * as FollowUps from "./worker/FollowUps.ts"

/** A new kind of record that falls due is a line here. */
const dueItems = Layer.succeed(DueItemHandlers, [])

export const layer = Layer.mergeAll(dueItems, FollowUps.layer, OwnPayments.layerNone, Targets.layer)
