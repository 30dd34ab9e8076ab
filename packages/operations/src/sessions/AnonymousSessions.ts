import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  sessionLimit,
  type StartedAnonymousSession
} from "@quittance/domain/access/AnonymousSession"
import {
  AccountRequired,
  type InvitationNotFound,
  isForSession
} from "@quittance/domain/access/Invitation"
import type { StartAnonymousSession } from "@quittance/domain/sessions/SessionRequests"
import type { UnknownProduct } from "@quittance/domain/products/Product"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { TenantNotFound } from "@quittance/domain/tenants/Tenant"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { OneTimeLinks } from "../access/OneTimeLinks.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { TokenIssuer } from "../tokens/TokenIssuer.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class AnonymousSessions extends Context.Service<
  AnonymousSessions,
  {
    /**
     * Starts a visitor's session: at most 100 an hour for each address in a tenant, exactly, however
     * many come at once and on however many instances.
     */
    start(
      input: StartAnonymousSession,
      address: string
    ): Effect.Effect<
      StartedAnonymousSession,
      AccountRequired | InvitationNotFound | RateLimited | TenantNotFound | UnknownProduct,
      CurrentTenant
    >
  }
>()("@quittance/operations/AnonymousSessions") {
  static readonly layer = Layer.effect(
    AnonymousSessions,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const tenantSql = yield* TenantSql
      const tenants = yield* TenantDirectory
      const sessions = yield* AnonymousSessionsRepo
      const grants = yield* GrantsRepo
      const limits = yield* RateLimits
      const links = yield* OneTimeLinks
      const issuer = yield* TokenIssuer
      const products = yield* ProductsRepo
      const ids = yield* Ids

      const insert = Effect.fnUntraced(function* (
        address: string,
        { invitationToken, productId }: StartAnonymousSession
      ) {
        yield* limits.take(`anonymous-session:${SourceAddress.key(address)}`, sessionLimit)
        const link =
          invitationToken === undefined
            ? undefined
            : yield* links.use(Redacted.make(invitationToken), ["INVITATION"])
        // The failure takes the transaction back, so the link still works.
        if (link !== undefined && !isForSession(link.permissions)) {
          return yield* new AccountRequired({})
        }
        const session = yield* sessions.insert({
          id: ids.next("anonymous_session"),
          productId,
          customerId: link?.customerId ?? undefined,
          lifetimeSeconds: lifetimes.anonymous
        })
        const visitor = { kind: "ANONYMOUS", id: session.id } as const
        yield* audit.recordBy(visitor, {
          action: "session.start",
          recordId: session.id,
          after: session
        })
        if (link !== undefined) {
          yield* grants.giveAll(session.id, link.permissions)
          const after = { sessionId: session.id }
          yield* audit.recordBy(visitor, { action: "invitation.accept", recordId: link.id, after })
        }
        return session
      })

      const start = Effect.fn("AnonymousSessions.start")(function* (
        input: StartAnonymousSession,
        address: string
      ) {
        const { invitationToken, productId } = input
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return yield* new TenantNotFound({})
        if (productId !== undefined) yield* products.current(productId)
        const transaction = tenantSql.transaction(insert(address, input))
        const session = yield* invitationToken === undefined
          ? transaction
          : links.guarded(address, transaction)
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
      AuditTrail.layer,
      GrantsRepo.layer,
      OneTimeLinks.layer,
      RateLimits.layer,
      TenantDirectory.layer,
      TokenIssuer.layer
    ])
  )
}
