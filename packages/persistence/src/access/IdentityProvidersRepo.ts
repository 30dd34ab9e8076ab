import { IdentityProvider } from "@quittance/domain/access/IdentityProvider"
import { UserId } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Stored = Schema.Struct({
  ...IdentityProvider.fields,
  encryptedSecret: Schema.NonEmptyString
})
/** A provider with its secret, which only the service's key opens. */
export type StoredIdentityProvider = typeof Stored.Type
const decode = Schema.decodeUnknownEffect(Stored)
const decodeUser = Schema.decodeUnknownEffect(Schema.Struct({ userId: UserId }))

/** The provider of the current tenant, and which user is which of its people. */
export class IdentityProvidersRepo extends Context.Service<
  IdentityProvidersRepo,
  {
    readonly find: Effect.Effect<StoredIdentityProvider | undefined, never, CurrentTenant>
    /** Sets the provider up, or puts it in the place of the one before. */
    put(provider: StoredIdentityProvider): Effect.Effect<void, never, CurrentTenant>
    /** Who was linked with it stays so, should it come back. */
    readonly remove: Effect.Effect<void, never, CurrentTenant>
    /** The user who was linked with a subject, whatever their status. */
    userOf(issuer: string, subject: string): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** Links a subject with a user; whether neither had another. */
    link(
      issuer: string,
      subject: string,
      userId: UserId
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/IdentityProvidersRepo") {
  static readonly layer = Layer.effect(
    IdentityProvidersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT issuer, client_id, encrypted_secret, label, mode, links_by_email
          FROM identity_provider WHERE tenant_id = ${tenantId}
        `)
        return row === undefined ? undefined : yield* decode(row)
      }).pipe(Effect.orDie, Effect.withSpan("IdentityProvidersRepo.find"))

      const put = Effect.fn("IdentityProvidersRepo.put")(function* (
        provider: StoredIdentityProvider
      ) {
        const tenantId = yield* CurrentTenant
        const { clientId, encryptedSecret, issuer, label, linksByEmail, mode } = provider
        yield* tenantSql.write(sql`
          INSERT INTO identity_provider
            (tenant_id, issuer, client_id, encrypted_secret, label, mode, links_by_email)
          VALUES (${tenantId}, ${issuer}, ${clientId}, ${encryptedSecret}, ${label}, ${mode},
            ${linksByEmail})
          ON CONFLICT (tenant_id) DO UPDATE SET issuer = excluded.issuer,
            client_id = excluded.client_id, encrypted_secret = excluded.encrypted_secret,
            label = excluded.label, mode = excluded.mode,
            links_by_email = excluded.links_by_email, last_modified_at = now()
        `)
      }, Effect.orDie)

      const remove = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`DELETE FROM identity_provider WHERE tenant_id = ${tenantId}`)
      }).pipe(Effect.orDie, Effect.withSpan("IdentityProvidersRepo.remove"))

      const userOf = Effect.fn("IdentityProvidersRepo.userOf")(function* (
        issuer: string,
        subject: string
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT user_id FROM user_identity
          WHERE tenant_id = ${tenantId} AND issuer = ${issuer} AND subject = ${subject}
        `)
        return row === undefined ? undefined : (yield* decodeUser(row)).userId
      }, Effect.orDie)

      const link = Effect.fn("IdentityProvidersRepo.link")(function* (
        issuer: string,
        subject: string,
        userId: UserId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          INSERT INTO user_identity (tenant_id, issuer, subject, user_id)
          VALUES (${tenantId}, ${issuer}, ${subject}, ${userId})
          ON CONFLICT DO NOTHING RETURNING user_id
        `)
        return rows.length === 1
      }, Effect.orDie)

      return IdentityProvidersRepo.of({ find, put, remove, userOf, link })
    })
  )
}
