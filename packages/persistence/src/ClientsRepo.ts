import type { ClientId } from "@quittance/domain/Caller"
import { Client } from "@quittance/domain/Client"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "./Columns.ts"
import { TenantSql } from "./TenantSql.ts"

const Registration = Schema.Struct({
  client: Schema.Struct({ ...Client.fields, createdAt: InstantColumn }),
  secretHashes: Schema.Array(Schema.Uint8Array)
})
/** A client, and the SHA-256 hashes of the secrets that are valid now: none, one or two. */
export type Registration = typeof Registration.Type
const decode = Schema.decodeUnknownEffect(Registration)

export class ClientsRepo extends Context.Service<
  ClientsRepo,
  {
    /** A client that is not disabled. */
    find(id: ClientId): Effect.Effect<Registration | undefined, never, CurrentTenant>
    insert(client: Omit<Client, "createdAt">): Effect.Effect<void, never, CurrentTenant>
    /** Makes a secret valid beside the one in the other slot. */
    putSecret(
      clientId: ClientId,
      slot: 1 | 2,
      secretHash: Uint8Array
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/ClientsRepo") {
  static readonly layer = Layer.effect(
    ClientsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("ClientsRepo.find")(function* (id: ClientId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ secretHashes: unknown }>`
          SELECT c.id, c.name, c.kind, c.internal, c.scopes, c.grant_types, c.redirect_uris,
            c.created_at, (
              SELECT coalesce(array_agg(s.secret_hash ORDER BY s.slot), '{}') FROM client_secret s
              WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id
            ) AS secret_hashes
          FROM client c
          WHERE c.tenant_id = ${tenantId} AND c.id = ${id} AND c.disabled_at IS NULL
        `)
        if (row === undefined) return undefined
        return yield* decode({ client: row, secretHashes: row.secretHashes })
      }, Effect.orDie)

      const insert = Effect.fn("ClientsRepo.insert")(function* (client: Omit<Client, "createdAt">) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO client (tenant_id, id, name, kind, internal, scopes, grant_types, redirect_uris)
          VALUES (${tenantId}, ${client.id}, ${client.name}, ${client.kind}, ${client.internal},
            ${client.scopes}, ${client.grantTypes}, ${client.redirectUris})
        `)
      }, Effect.orDie)

      const putSecret = Effect.fn("ClientsRepo.putSecret")(function* (
        clientId: ClientId,
        slot: 1 | 2,
        secretHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM client_secret
          WHERE tenant_id = ${tenantId} AND client_id = ${clientId} AND slot = ${slot}
        `)
        yield* tenantSql.write(sql`
          INSERT INTO client_secret (tenant_id, client_id, slot, secret_hash)
          VALUES (${tenantId}, ${clientId}, ${slot}, ${secretHash})
        `)
      }, Effect.orDie)

      return ClientsRepo.of({ find, insert, putSecret })
    })
  )
}
