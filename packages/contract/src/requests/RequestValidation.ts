import { HttpApiMiddleware } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"

export const validationErrors = [
  requestErrors.InvalidRequest,
  requestErrors.PayloadTooLarge,
  requestErrors.UnsupportedMediaType
] as const

/** Lets a request through that fits its route in every part, else answers all of its faults. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "@quittance/contract/RequestValidation",
  { error: validationErrors }
) {}
