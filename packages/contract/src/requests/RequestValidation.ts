import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "../api/ApiError.ts"

export const validationErrors = [
  ApiError.InvalidRequest,
  ApiError.PayloadTooLarge,
  ApiError.UnsupportedMediaType
] as const

/** Lets a request through that fits its route in every part, else answers all of its faults. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "@quittance/contract/RequestValidation",
  { error: validationErrors }
) {}
