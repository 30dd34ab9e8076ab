/** The parameters by which callers say how a command is to be run: once, on what they have read, or dry. */
import { ByteSize, Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { parameterNames } from "../requests/Parameters.ts"
import { Idempotent } from "./Access.ts"

/** What a route takes of the parameters that steer a command. */
export interface Steering {
  readonly idempotencyKey: boolean
  readonly ifMatch: boolean
  readonly dryRun: boolean
  /** Whether the body is a form that the use case receives itself, while it comes in. */
  readonly streams: boolean
}

/** The bytes that a form with a file may have which the route receives as a stream, if it does. */
export const streamedMaximum = (endpoint: HttpApiEndpoint.Top): number | undefined => {
  const [encoding] = [...endpoint.payload.values()].map((payload) => payload.encoding)
  if (encoding?._tag !== "Multipart" || encoding.mode !== "stream") return undefined
  const maximum = encoding.limits?.maxTotalSize
  return maximum === undefined
    ? Infinity
    : ByteSize.toNumberUnsafe(ByteSize.fromInputUnsafe(maximum))
}

/** Reads off the contract of a route which parameters steer its command. */
export const steeringOf = (endpoint: HttpApiEndpoint.Top): Steering => ({
  idempotencyKey: Context.getOrUndefined(endpoint.annotations, Idempotent) === true,
  ifMatch: parameterNames(endpoint.headers).includes("if-match"),
  dryRun: parameterNames(endpoint.query).includes("dryRun"),
  streams: streamedMaximum(endpoint) !== undefined
})
