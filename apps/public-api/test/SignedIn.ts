/** People of a test tenant with a sign-in that is kept, as the authorization server leaves it. */
import type { UserId } from "@quittance/domain/requests/Caller"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { type Family, RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Clock, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

/** The identifier of one of the tenant's people. */
export const idOf = Effect.fnUntraced(function* (tenant: TenantId, name: string) {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly id: UserId }>`
    SELECT id FROM app_user WHERE tenant_id = ${tenant} AND email = ${`${name}@${tenant}.test`}
  `
  return row!.id
})

/** A sign-in of a user with its refresh token, and an access token of it. */
export const signInOf = Effect.fnUntraced(
  function* (
    _tenant: TenantId,
    userId: UserId,
    { secondsAgo = 0, ...as }: Partial<Family> & { readonly secondsAgo?: number } = {}
  ) {
    const repo = yield* RefreshTokensRepo
    const issuer = yield* TokenIssuer
    const sql = yield* TenantSql
    const now = yield* Clock.currentTimeMillis
    const at = Math.floor(now / 1000) - secondsAgo
    const family: Family = {
      id: randomBytes(32).toString("base64url"),
      clientId: firstPartyClientId,
      userId,
      authenticatedAt: fromEpochMillis(at * 1000),
      methods: ["pwd"],
      ...as
    }
    const refreshTokenHash = randomBytes(32)
    const first = { codeHash: randomBytes(32), tokenHash: refreshTokenHash }
    const opened = { ...first, lifetimeSeconds: lifetimes.refreshFamily }
    yield* sql.transaction(repo.open(family, opened))
    const { id, methods } = family
    const token = yield* issuer.user(userId, firstPartyClientId, id, { at, methods })
    return { id, token, refreshTokenHash }
  },
  (effect, tenant) => Effect.provideService(effect, CurrentTenant, tenant)
)
