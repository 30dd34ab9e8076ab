/** Tenants with keys, clients and revoked tokens on a database, and what serves them, in this process. */
import * as Secret from "@quittance/auth/Secret"
import { ClientId } from "@quittance/domain/requests/Caller"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { AuthorizationServer } from "@quittance/operations/authorization-server/TokenGrants"
import { AuthorizationServerClients } from "@quittance/operations/authorization-server/ClientAuthentication"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { TenantDirectory } from "@quittance/operations/tenants/TenantDirectory"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

export const secret = "secret"
export const keyEncryptionKey = createHash("sha256").update("bench").digest()
export const tenantOf = (turn: number) => TenantId.make(`tenant-${turn}`)
export const clientOf = (turn: number) => ClientId.make(`client-${turn}`)

/** A database with so many tenants, each with so many clients and some revoked tokens. */
export const database = Effect.fn("AuthWorld.database")(function* (
  tenants: number,
  clients: number
) {
  const made = yield* TestServer.database(yield* TestServer.start)
  const sql = yield* Sql.pool(made.superuserUrl, "postgres")
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    SELECT 'tenant-' || t, 'Tenant ' || t, 'production', 'fr-FR', 'EUR', 'Europe/Paris'
    FROM generate_series(1, ${tenants}::int) t
  `
  yield* sql`
    INSERT INTO client (tenant_id, id, name, kind, internal, scopes, grant_types, redirect_uris)
    SELECT 'tenant-' || t, 'client-' || c, 'Client ' || c, 'CONFIDENTIAL', false,
      '{platform/policies,platform/quotes}', '{client_credentials}', '{}'
    FROM generate_series(1, ${tenants}::int) t, generate_series(1, ${clients}::int) c
  `
  yield* sql`
    INSERT INTO client_secret (tenant_id, client_id, slot, secret_hash)
    SELECT tenant_id, id, 1, ${Secret.hash(secret)} FROM client
  `
  yield* sql`
    INSERT INTO revoked_token (tenant_id, jti, expires_at)
    SELECT 'tenant-' || t, 'revoked-' || t || '-' || r, clock_timestamp() + interval '1 hour'
    FROM generate_series(1, ${tenants}::int) t, generate_series(1, 3) r
  `
  const turns = Array.from({ length: tenants }, (_, index) => index + 1)
  const services = layer(yield* Sql.pool(made.url, runtimeRole))
  yield* Effect.forEach(
    turns,
    (turn) =>
      AuthorizationServerKeys.use((keys) =>
        Effect.provideService(keys.ensure, CurrentTenant, tenantOf(turn))
      ),
    { concurrency: 8, discard: true }
  ).pipe(Effect.provide(services))
  return made
}, Effect.provide(Reactivity.layer))

/** What the authorization servers and the bearer routes do with tokens. */
export const layer = (runtime: SqlClient.SqlClient) =>
  Layer.mergeAll(
    AccessTokens.layer,
    AuthorizationServer.layer,
    AuthorizationServerClients.layer,
    AuthorizationServerKeys.layer,
    TenantDirectory.layer
  ).pipe(
    Layer.provide(KeyEncryption.layerOf(keyEncryptionKey)),
    Layer.provide(Issuers.layerOf("https://{tenant}.auth.example.com", "https://api.example.com")),
    Layer.provide([Ids.layer, RateLimitStore.layerPostgres]),
    Layer.provide(TenantSql.layer),
    Layer.provide(Sql.succeed(runtime))
  )
