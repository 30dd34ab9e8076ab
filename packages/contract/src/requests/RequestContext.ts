import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Context, type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { Idempotent } from "../access/Access.ts"

/**
 * Gives the use case what the request says of how to serve it: the idempotency key, `if-match` and
 * `dryRun`, of those that the route takes. Answers say with headers what was done with them.
 */
export class RequestContext extends HttpApiMiddleware.Service<
  RequestContext,
  { provides: CurrentRequest }
>()("@quittance/contract/RequestContext") {}

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

/** The names of the parameters in a part of a request. */
export const parameterNames = (schema: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = schema === undefined ? undefined : SchemaAST.toEncoded(schema.ast)
  return ast !== undefined && SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name }) => String(name))
    : []
}
