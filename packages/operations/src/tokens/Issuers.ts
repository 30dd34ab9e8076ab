/** Where the tenants' authorization servers are, and for whom their tokens are meant. */
import { Environment, TenantId } from "@quittance/domain/tenants/Tenant"
import { Config, Context, Effect, Layer, Schema } from "effect"

const placeholder = "{tenant}"

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
   * `AUTH_URL` with `{tenant}` as the first label of its host, and `BASE_URL`. Outside production
   * they default to `http://{tenant}.auth.localhost:PORT` and `http://localhost:PORT`.
   */
  static readonly layer = Layer.effect(
    Issuers,
    Effect.gen(function* () {
      const environment = yield* Config.schema(Environment, "ENVIRONMENT").pipe(
        Config.withDefault("sandbox" as const)
      )
      const port = yield* Config.Port("PORT").pipe(Config.withDefault(8080))
      const authUrl = Config.schema(AuthUrl, "AUTH_URL")
      const baseUrl = Config.String("BASE_URL")
      return environment === "production"
        ? make(yield* authUrl, yield* baseUrl)
        : make(
            yield* Config.withDefault(authUrl, `http://${placeholder}.auth.localhost:${port}`),
            yield* Config.withDefault(baseUrl, `http://localhost:${port}`)
          )
    })
  )

  /** The addresses, given. */
  static readonly layerOf = (authUrl: string, baseUrl: string) =>
    Layer.succeed(Issuers, make(authUrl, baseUrl))
}

const AuthUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/\{tenant\}\.[a-z0-9.-]+(:\d+)?$/u, {
    message: "Expected an address such as https://{tenant}.auth.example.com"
  })
)

const isTenantId = Schema.is(TenantId)

const make = (authUrl: string, baseUrl: string): Issuers["Service"] => {
  const suffix = /^https?:\/\/\{tenant\}(\.[^:]+)/u.exec(authUrl)?.[1] ?? ""
  const labelOf = (host: string) => {
    const name = host.toLowerCase().replace(/:\d{1,5}$/u, "")
    return suffix !== "" && name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined
  }
  return {
    audience: baseUrl.replace(/\/$/u, ""),
    of: (tenant) => authUrl.replace(placeholder, tenant),
    tenantOf: (host) => {
      const label = labelOf(host)
      return label !== undefined && isTenantId(label) ? label : undefined
    },
    isBelow: (host) => labelOf(host) !== undefined
  }
}
