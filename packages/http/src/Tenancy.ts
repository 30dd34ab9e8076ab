import { Tenancy } from "@quittance/contract/requests/Tenancy"
import { Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { headerValues } from "./RequestHead.ts"
import {
  CurrentTenant,
  InvalidTenant,
  MissingTenant,
  TenantId
} from "@quittance/domain/requests/Tenancy"

const isTenantId = Schema.is(TenantId)

/** Takes the tenant from the header; whether there is such a tenant is found out by who asks for it. */
export const TenancyLayer = Layer.succeed(
  Tenancy,
  Effect.fnUntraced(function* (handler) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const values = headerValues(request, "tenant")
    const [tenant] = values
    if (tenant === undefined) return yield* new MissingTenant({})
    if (values.length > 1 || !isTenantId(tenant)) return yield* new InvalidTenant({})
    return yield* Effect.provideService(handler, CurrentTenant, tenant)
  })
)
