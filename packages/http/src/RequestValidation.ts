import { RequestValidation } from "@quittance/contract/requests/RequestValidation"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { RequestChecks } from "./RequestChecks.ts"

/**
 * Lets a request pass that fits: its parts are decoded once, by the handler's own schemas. One that
 * does not is told all of its faults in all of its parts.
 */
export const RequestValidationLayer = Layer.effect(
  RequestValidation,
  Effect.map(RequestChecks, (checks) =>
    RequestValidation.of((handler, { endpoint }) =>
      Effect.flatMap(checks.read(endpoint), (read) => {
        const refuse = Effect.flatMap(checks.refusal(endpoint, read), Effect.fail)
        if (read.issues.length > 0) return refuse
        return handler.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, read.request),
          // An answer that does not encode is a fault of ours, and stays one.
          Effect.catchIf(isOfRequest, () => refuse)
        )
      })
    )
  )
)

const isOfRequest = (error: unknown): boolean =>
  HttpApiError.HttpApiSchemaError.is(error) &&
  error.kind !== "Body" &&
  error.kind !== "ResponseHeaders"
