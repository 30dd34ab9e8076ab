import type { ClientId, CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import {
  Client,
  ClientNotFound,
  ClientSecret,
  type ClientSecretId,
  ClientView,
  maximumSecrets
} from "@quittance/domain/access/Client"
import { ClientKey } from "@quittance/domain/access/ClientKey"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const Registration = Schema.Struct({
  client: Schema.Struct({ ...Client.fields, createdAt: InstantColumn }),
  secretHashes: Schema.Array(Schema.Uint8Array),
  publicKeys: Schema.Array(ClientKey)
})
/** A client, the SHA-256 hashes of the secrets that are valid now (none, one or two), and its keys. */
export type Registration = typeof Registration.Type
const decode = Schema.decodeUnknownEffect(Registration)

const Secret = Schema.Struct({ ...ClientSecret.fields, createdAt: InstantColumn })
const decodeSecret = Schema.decodeUnknownEffect(Secret)
const Seen = Schema.Struct({
  ...ClientView.fields,
  createdAt: InstantColumn,
  // Made by the statement, in their form on the wire.
  secrets: Schema.Array(ClientSecret)
})
const decodeSeen = Schema.decodeUnknownEffect(Seen)

/** A client on which the caller may do `action`; only `authorize` makes one. */
export interface AuthorizedClient<A extends Action = Action> {
  readonly action: A
  readonly client: ClientView
}

/** The clients of the tenant's authorization server; a disabled one is as good as none. */
export class ClientsRepo extends Context.Service<
  ClientsRepo,
  {
    /** Any client, those of the service itself included. */
    find(id: ClientId): Effect.Effect<Registration | undefined, never, CurrentTenant>
    /**
     * Fetches a client of the tenant's own together with the permission on it. With `lock` the row stays
     * locked until the transaction ends: every change of its secrets locks it first.
     */
    authorize<A extends Action>(
      action: A,
      id: ClientId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<AuthorizedClient<A>, ClientNotFound | Forbidden, CurrentTenant | CurrentCaller>
    /** One page of the tenant's own clients in the order of their identifiers, and how many there are. */
    list(
      page: PageRequest
    ): Effect.Effect<
      { readonly clients: ReadonlyArray<ClientView>; readonly total: number },
      never,
      CurrentTenant
    >
    insert(client: Omit<Client, "createdAt">): Effect.Effect<void, never, CurrentTenant>
    /** The same, unless there is or was a client of this identifier. */
    register(client: Omit<Client, "createdAt">): Effect.Effect<boolean, never, CurrentTenant>
    /** Makes a secret valid beside the one in the other slot. */
    putSecret(
      clientId: ClientId,
      slot: 1 | 2,
      secretHash: Uint8Array
    ): Effect.Effect<void, never, CurrentTenant>
    /** Makes a secret valid in a free slot; `undefined` when there is none. */
    addSecret(
      clientId: ClientId,
      secretHash: Uint8Array
    ): Effect.Effect<ClientSecret | undefined, never, CurrentTenant>
    removeSecret(
      clientId: ClientId,
      secretId: ClientSecretId
    ): Effect.Effect<void, never, CurrentTenant>
    /** Puts these public keys in the place of those that the client has. */
    putKeys(id: ClientId, keys: ReadonlyArray<ClientKey>): Effect.Effect<void, never, CurrentTenant>
    /** Ends a client with its tokens, for good: its identifier stays taken. */
    disable(id: ClientId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/ClientsRepo") {
  static readonly layer = Layer.effect(
    ClientsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      const fingerprint = sql`left(encode(sha256(s.secret_hash), 'hex'), 16)`
      // Neither what is disabled nor the applications of the service are the tenant's to look after.
      const own = sql`c.disabled_at IS NULL AND NOT c.internal`
      const view = sql`c.id AS client_id, c.name, c.kind, c.scopes, c.grant_types, c.redirect_uris,
        c.created_at, c.public_keys, (
          SELECT coalesce(jsonb_agg(jsonb_build_object('secretId', ${fingerprint}, 'createdAt',
            to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) ORDER BY s.created_at, s.slot), '[]') FROM client_secret s
          WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id
        ) AS secrets`

      const find = Effect.fn("ClientsRepo.find")(function* (id: ClientId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ secretHashes: unknown; publicKeys: unknown }>`
          SELECT c.id, c.name, c.kind, c.internal, c.scopes, c.grant_types, c.redirect_uris,
            c.created_at, c.public_keys, (
              SELECT coalesce(array_agg(s.secret_hash ORDER BY s.slot), '{}') FROM client_secret s
              WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id
            ) AS secret_hashes
          FROM client c
          WHERE c.tenant_id = ${tenantId} AND c.id = ${id} AND c.disabled_at IS NULL
        `)
        if (row === undefined) return undefined
        const { publicKeys, secretHashes } = row
        return yield* decode({ client: row, secretHashes, publicKeys })
      }, Effect.orDie)

      const authorize = Effect.fn("ClientsRepo.authorize")(function* <A extends Action>(
        action: A,
        id: ClientId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        if (lock) {
          // Alone, so that the secrets are read as the previous holder of the lock has left them.
          yield* Effect.orDie(
            tenantSql.write(sql`
              SELECT FROM client WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE
            `)
          )
        }
        const granted = yield* grants.onTenant(action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ granted: boolean }>`
            SELECT ${view}, ${granted} AS granted FROM client c
            WHERE c.tenant_id = ${tenantId} AND c.id = ${id} AND ${own}
          `)
        )
        if (row === undefined) return yield* new ClientNotFound({ clientId: id })
        if (!row.granted) return yield* grants.refuse(action)
        return { action, client: yield* Effect.orDie(decodeSeen(row)) }
      })

      const list = Effect.fn("ClientsRepo.list")(function* ({ count, page }: PageRequest) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${view} FROM client c WHERE c.tenant_id = ${tenantId} AND ${own}
          ORDER BY c.id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM client c WHERE c.tenant_id = ${tenantId} AND ${own}
        `)
        return {
          clients: yield* Effect.forEach(rows, (row) => decodeSeen(row)),
          total: counted!.total
        }
      }, Effect.orDie)

      const register = Effect.fn("ClientsRepo.register")(function* (
        client: Omit<Client, "createdAt">
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          INSERT INTO client (tenant_id, id, name, kind, internal, scopes, grant_types, redirect_uris)
          VALUES (${tenantId}, ${client.id}, ${client.name}, ${client.kind}, ${client.internal},
            ${client.scopes}, ${client.grantTypes}, ${client.redirectUris})
          ON CONFLICT (tenant_id, id) DO NOTHING
          RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const insert = Effect.fn("ClientsRepo.insert")(function* (client: Omit<Client, "createdAt">) {
        const isNew = yield* register(client)
        if (!isNew)
          return yield* Effect.die(new Error(`ClientsRepo: there is a client ${client.id}`))
      })

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

      const addSecret = Effect.fn("ClientsRepo.addSecret")(function* (
        clientId: ClientId,
        secretHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          INSERT INTO client_secret AS s (tenant_id, client_id, slot, secret_hash)
          SELECT ${tenantId}, ${clientId}, free.slot, ${secretHash}
          FROM generate_series(1, ${maximumSecrets}::int) AS free(slot)
          WHERE NOT EXISTS (SELECT FROM client_secret taken WHERE taken.tenant_id = ${tenantId}
            AND taken.client_id = ${clientId} AND taken.slot = free.slot)
          ORDER BY free.slot LIMIT 1
          RETURNING ${fingerprint} AS secret_id, s.created_at
        `)
        return row === undefined ? undefined : yield* decodeSecret(row)
      }, Effect.orDie)

      const removeSecret = Effect.fn("ClientsRepo.removeSecret")(function* (
        clientId: ClientId,
        secretId: ClientSecretId
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM client_secret s WHERE s.tenant_id = ${tenantId} AND s.client_id = ${clientId}
            AND ${fingerprint} = ${secretId}
        `)
      }, Effect.orDie)

      const putKeys = Effect.fn("ClientsRepo.putKeys")(function* (
        id: ClientId,
        keys: ReadonlyArray<ClientKey>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE client SET public_keys = ${PgTypes.jsonb(keys)}
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const disable = Effect.fn("ClientsRepo.disable")(function* (id: ClientId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE client SET disabled_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND id = ${id} AND disabled_at IS NULL
        `)
      }, Effect.orDie)

      return ClientsRepo.of({
        find,
        authorize,
        list,
        insert,
        register,
        putSecret,
        addSecret,
        removeSecret,
        putKeys,
        disable
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
