/** Where the tenants' authorization servers are, and for whom their tokens are meant. */
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import {
  authUrlFault,
  baseUrlFault,
  tenantPlaceholder
} from "@quittance/domain/tenants/ServiceAddress"
import * as Settings from "@quittance/domain/values/Settings"
import { Config, Context, Effect, Layer, Schema } from "effect"
import { type Environment, TenantId } from "@quittance/domain/requests/Tenancy"

export class Issuers extends Context.Service<
  Issuers,
  {
    /** `{base_url}`: the audience of every access token. */
    readonly audience: string
    /** `{auth_url}` of the tenant: the issuer of its tokens, without a slash at the end. */
    of(tenant: TenantId): string
    /** The tenant whose authorization server a `Host` header names. */
    tenantOf(host: string): TenantId | undefined
    /** Whether a `Host` header is below the authorization servers', whatever it names there. */
    isBelow(host: string): boolean
  }
>()("@quittance/operations/Issuers") {
  /**
   * `AUTH_URL` with `{tenant}` as the first label of its host, and `BASE_URL`, with https in
   * production and with http elsewhere. Outside production they default to `http://{tenant}.auth.localhost:PORT` and `http://localhost:PORT`.
   */
  static readonly layer = Layer.effect(
    Issuers,
    Effect.gen(function* () {
      const environment = yield* runningEnvironment
      const port = yield* Settings.count("PORT", { minimum: 0, maximum: 65_535 }).pipe(
        Config.withDefault(8080)
      )
      const authUrl = Config.schema(addressWithout(authUrlFault, environment), "AUTH_URL")
      const baseUrl = Config.schema(addressWithout(baseUrlFault, environment), "BASE_URL")
      return environment === "production"
        ? make(yield* authUrl, yield* baseUrl)
        : make(
            yield* Config.withDefault(
              authUrl,
              `http://${tenantPlaceholder}.auth.localhost:${port}`
            ),
            yield* Config.withDefault(baseUrl, `http://localhost:${port}`)
          )
    })
  )

  /** The addresses, given. */
  static readonly layerOf = (authUrl: string, baseUrl: string) =>
    Layer.succeed(Issuers, make(authUrl, baseUrl))
}

const addressWithout = (
  faultOf: (text: string, environment: Environment) => string | undefined,
  environment: Environment
) => Schema.String.check(Schema.makeFilter((text) => faultOf(text, environment) ?? true))

const isTenantId = Schema.is(TenantId)

const make = (authUrl: string, baseUrl: string): Issuers["Service"] => {
  const suffix = /^https?:\/\/\{tenant\}(\.[^:]+)/u.exec(authUrl)?.[1] ?? ""
  const labelOf = (host: string) => {
    const name = host.toLowerCase().replace(/:\d{1,5}$/u, "")
    return suffix !== "" && name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined
  }
  return {
    audience: baseUrl.replace(/\/$/u, ""),
    of: (tenant) => authUrl.replace(tenantPlaceholder, tenant),
    tenantOf: (host) => {
      const label = labelOf(host)
      return label !== undefined && isTenantId(label) ? label : undefined
    },
    isBelow: (host) => labelOf(host) !== undefined
  }
}
