import { Tenancy } from "@quittance/contract/requests/Tenancy"
import { Effect, Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { AccessFacts } from "./AccessFacts.ts"
import { headerValues } from "./RequestHead.ts"
import {
  CurrentTenant,
  InvalidTenant,
  MissingTenant,
  TenantId
} from "@quittance/domain/requests/Tenancy"

const isTenantId = Schema.is(TenantId)

/** The tenant that the header names; whether there is such a tenant is found out by who asks for it. */
export const tenantOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<TenantId, InvalidTenant | MissingTenant> => {
  const values = headerValues(request, "tenant")
  const [tenant] = values
  if (tenant === undefined) return Effect.fail(new MissingTenant({}))
  if (values.length > 1 || !isTenantId(tenant)) return Effect.fail(new InvalidTenant({}))
  return Effect.succeed(tenant)
}

export const TenancyLayer = Layer.succeed(
  Tenancy,
  Effect.fnUntraced(function* (handler) {
    const tenant = yield* tenantOf(yield* HttpServerRequest.HttpServerRequest)
    const facts = yield* AccessFacts
    facts.tenant = tenant
    return yield* Effect.provideService(handler, CurrentTenant, tenant)
  })
)
