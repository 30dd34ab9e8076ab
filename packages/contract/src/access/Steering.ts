/** The parameters by which callers say how a command is to be run: once, on what they have read, or dry. */
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { parameterNames } from "../requests/Parameters.ts"
import { Idempotent } from "./Access.ts"

/** What a route takes of the parameters that steer a command. */
export interface Steering {
  readonly idempotencyKey: boolean
  readonly ifMatch: boolean
  readonly dryRun: boolean
}

/** Reads off the contract of a route which parameters steer its command. */
export const steeringOf = (endpoint: HttpApiEndpoint.Top): Steering => ({
  idempotencyKey: Context.getOrUndefined(endpoint.annotations, Idempotent) === true,
  ifMatch: parameterNames(endpoint.headers).includes("if-match"),
  dryRun: parameterNames(endpoint.query).includes("dryRun")
})
