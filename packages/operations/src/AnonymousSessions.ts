import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  sessionLimit,
  type StartAnonymousSession,
  type StartedAnonymousSession
} from "@quittance/domain/AnonymousSession"
import type { UnknownProduct } from "@quittance/domain/Product"
import type { RateLimited } from "@quittance/domain/RateLimit"
import { CurrentTenant, TenantNotFound } from "@quittance/domain/Tenant"
import { lifetimes } from "@quittance/domain/Token"
import { AnonymousSessionsRepo } from "@quittance/persistence/AnonymousSessionsRepo"
import { Ids } from "@quittance/persistence/Ids"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { Context, Effect, Layer } from "effect"
import { RateLimits } from "./RateLimits.ts"
import { TenantDirectory } from "./TenantDirectory.ts"
import { TokenIssuer } from "./TokenIssuer.ts"

export class AnonymousSessions extends Context.Service<
  AnonymousSessions,
  {
    /**
     * Starts a visitor's session: at most 100 an hour for each address in a tenant, exactly, however
     * many come at once and on however many instances.
     */
    start(
      request: StartAnonymousSession & { readonly address: string }
    ): Effect.Effect<
      StartedAnonymousSession,
      RateLimited | TenantNotFound | UnknownProduct,
      CurrentTenant
    >
  }
>()("@quittance/operations/AnonymousSessions") {
  static readonly layer = Layer.effect(
    AnonymousSessions,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const tenants = yield* TenantDirectory
      const sessions = yield* AnonymousSessionsRepo
      const limits = yield* RateLimits
      const issuer = yield* TokenIssuer
      const products = yield* ProductsRepo
      const ids = yield* Ids

      const start = Effect.fn("AnonymousSessions.start")(function* ({
        address,
        productId
      }: StartAnonymousSession & { readonly address: string }) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return yield* new TenantNotFound({})
        if (productId !== undefined) yield* products.current(productId)
        const session = yield* tenantSql.transaction(
          Effect.gen(function* () {
            yield* limits.take(`anonymous-session:${SourceAddress.key(address)}`, sessionLimit)
            return yield* sessions.insert({
              id: ids.next("anonymous_session"),
              productId,
              lifetimeSeconds: lifetimes.anonymous
            })
          })
        )
        const started: StartedAnonymousSession = {
          sessionId: session.id,
          accessToken: yield* issuer.anonymous(session),
          tokenType: "Bearer",
          expiresIn: lifetimes.anonymous,
          expiresAt: session.expiresAt
        }
        return started
      })

      return AnonymousSessions.of({ start })
    })
  ).pipe(
    Layer.provide([
      AnonymousSessionsRepo.layer,
      RateLimits.layer,
      TenantDirectory.layer,
      TokenIssuer.layer
    ])
  )
}
