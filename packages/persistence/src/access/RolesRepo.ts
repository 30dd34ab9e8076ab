import { PgTypes } from "@effect/sql-pg"
import { Authority } from "@quittance/domain/access/Authority"
import type { CustomRoleId } from "@quittance/domain/access/Grant"
import { CustomRole, RoleInUse } from "@quittance/domain/access/Role"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Action } from "@quittance/domain/requests/Action"

const isAction = Schema.is(Action)
const decode = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ ...CustomRole.fields, createdAt: InstantColumn, lastModifiedAt: InstantColumn })
  )
)

const decodeAuthority = Schema.decodeUnknownSync(Authority)

/** A stored role; actions that this release no longer knows are none. */
const known = <Row extends { readonly actions: ReadonlyArray<string> }>(row: Row) => ({
  ...row,
  actions: row.actions.filter(isAction)
})

type Row = Record<string, unknown> & { readonly actions: ReadonlyArray<string> }

/** What a role lets people do, and how far alone. */
export interface RoleContents {
  readonly actions: ReadonlySet<Action>
  readonly authority: Authority
}

/** The roles that a tenant has defined. */
export class RolesRepo extends Context.Service<
  RolesRepo,
  {
    /** All of them, by name of the role. */
    readonly list: Effect.Effect<ReadonlyArray<CustomRole>, never, CurrentTenant>
    find(id: CustomRoleId): Effect.Effect<CustomRole | undefined, never, CurrentTenant>
    /**
     * What those of the roles contain that the tenant has. In a transaction they stay until its end: no role
     * is deleted while a grant of it is being written.
     */
    contentsOf(
      ids: ReadonlyArray<CustomRoleId>
    ): Effect.Effect<ReadonlyMap<CustomRoleId, RoleContents>, never, CurrentTenant>
    /** Defines a role, or gives it another name and other actions: at once, for all its grants. */
    put(role: {
      readonly id: CustomRoleId
      readonly name: string
      readonly actions: ReadonlyArray<Action>
      readonly authority?: Authority
    }): Effect.Effect<CustomRole, never, CurrentTenant>
    /** Deletes a role that no grant names. */
    remove(id: CustomRoleId): Effect.Effect<void, RoleInUse, CurrentTenant>
  }
>()("@quittance/persistence/RolesRepo") {
  static readonly layer = Layer.effect(
    RolesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, name, actions, authority, created_at, last_modified_at`

      const list = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<Row>`
          SELECT ${columns} FROM role WHERE tenant_id = ${tenantId} ORDER BY id
        `)
        return yield* decode(rows.map(known))
      }).pipe(Effect.orDie, Effect.withSpan("RolesRepo.list"))

      const find = Effect.fn("RolesRepo.find")(function* (id: CustomRoleId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<Row>`
          SELECT ${columns} FROM role WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return (yield* decode(rows.map(known)))[0]
      }, Effect.orDie)

      const contentsOf = Effect.fn("RolesRepo.contentsOf")(function* (
        ids: ReadonlyArray<CustomRoleId>
      ) {
        if (ids.length === 0) return new Map<CustomRoleId, RoleContents>()
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql<{
          readonly id: CustomRoleId
          readonly actions: ReadonlyArray<string>
          readonly authority: unknown
        }>`
          SELECT id, actions, authority FROM role WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]})
          ORDER BY id FOR KEY SHARE
        `)
        return new Map(
          rows.map((row): readonly [CustomRoleId, RoleContents] => [
            row.id,
            { actions: new Set(known(row).actions), authority: decodeAuthority(row.authority) }
          ])
        )
      }, Effect.orDie)

      const put = Effect.fn("RolesRepo.put")(function* (
        role: Pick<CustomRole, "id" | "name" | "actions"> & Partial<Pick<CustomRole, "authority">>
      ) {
        const { authority = {} } = role
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql<Row>`
          INSERT INTO role (tenant_id, id, name, actions, authority)
          VALUES (${tenantId}, ${role.id}, ${role.name}, ${[...role.actions]},
            ${PgTypes.jsonb(authority)})
          ON CONFLICT (tenant_id, id) DO UPDATE
          SET name = excluded.name, actions = excluded.actions, authority = excluded.authority,
            last_modified_at = now()
          RETURNING ${columns}
        `)
        return (yield* decode(rows.map(known)))[0]!
      }, Effect.orDie)

      const inUse = Effect.fnUntraced(function* (id: CustomRoleId) {
        const tenantId = yield* CurrentTenant
        const counted = tenantSql.read(sql<{ readonly grants: number }>`
          SELECT count(*)::int AS grants FROM permission_grant
          WHERE tenant_id = ${tenantId} AND custom_role = ${id}
        `)
        const [row] = yield* Effect.orDie(counted)
        return yield* new RoleInUse({ roleId: id, grants: row!.grants })
      })

      const remove = Effect.fn("RolesRepo.remove")(function* (id: CustomRoleId) {
        const tenantId = yield* CurrentTenant
        const deletion = tenantSql.write(sql`
          DELETE FROM role WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        // A grant that is given meanwhile is seen by the foreign key alone.
        yield* Effect.catchReason(
          tenantSql.savepoint(deletion),
          "SqlError",
          "ConstraintError",
          // Nothing but grants refers to a role.
          () => inUse(id),
          Effect.die
        )
      })

      return RolesRepo.of({ list, find, contentsOf, put, remove })
    })
  )
}
