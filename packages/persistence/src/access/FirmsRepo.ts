import type { Coverage } from "@quittance/auth/Grants"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { BrokerageFirmNotFound, Firm, type FirmType } from "@quittance/domain/access/Firm"
import { Role } from "@quittance/domain/access/Grant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { matchesWords } from "./SearchWords.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const Row = Schema.Struct({ ...Firm.fields, createdAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Row)
const decodeRoles = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ role: Role })))

/** A firm on which the caller may do `action`; only `authorize` makes one. */
export interface AuthorizedFirm<A extends Action = Action> {
  readonly action: A
  readonly firm: Firm
  /** The firm and every firm above it, nearest first. */
  readonly path: ReadonlyArray<BrokerageFirmId>
}

/** Which firms are asked for; what is absent does not restrict. */
export interface FirmFilter {
  readonly parentBrokerageFirmId?: BrokerageFirmId | undefined
  readonly firmType?: FirmType | undefined
  /** Words that all have to begin a word of the name, whatever their accents and case. */
  readonly words?: string | undefined
}

export interface FirmQuery {
  readonly filter: FirmFilter
  readonly coverage: Coverage
  readonly page: PageRequest
}

export class FirmsRepo extends Context.Service<
  FirmsRepo,
  {
    /**
     * Fetches a firm together with the permission on it. With `lock` the row stays locked until the
     * transaction ends.
     */
    authorize<A extends Action>(
      action: A,
      id: BrokerageFirmId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      AuthorizedFirm<A>,
      BrokerageFirmNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    find(id: BrokerageFirmId): Effect.Effect<Firm | undefined, never, CurrentTenant>
    /** The firm and every firm above it, nearest first; `undefined` when the tenant has no such firm. */
    path(
      id: BrokerageFirmId
    ): Effect.Effect<ReadonlyArray<BrokerageFirmId> | undefined, never, CurrentTenant>
    /** Those of the firms that the tenant has. */
    existing(
      ids: ReadonlyArray<BrokerageFirmId>
    ): Effect.Effect<ReadonlySet<BrokerageFirmId>, never, CurrentTenant>
    /** One page, the oldest firm first, and how many there are. */
    list(
      query: FirmQuery
    ): Effect.Effect<
      { readonly firms: ReadonlyArray<Firm>; readonly total: number },
      never,
      CurrentTenant
    >
    /**
     * Makes other changes of the tenant's tree of firms wait until the transaction ends: paths that are read
     * after it stay as they are. Taken before any firm is locked.
     */
    readonly lockTree: Effect.Effect<void, never, CurrentTenant>
    /** Stores a firm below its parent, whose place does not change meanwhile. */
    insert(firm: Omit<Firm, "createdAt">): Effect.Effect<Firm, BrokerageFirmNotFound, CurrentTenant>
    /** Stores name, type and custom fields. */
    update(firm: Firm): Effect.Effect<void, never, CurrentTenant>
    /** How many firms stand one below the other from this one on, itself included. */
    height(id: BrokerageFirmId): Effect.Effect<number, never, CurrentTenant>
    /**
     * Puts a firm with all that is below it under another parent, or under none. Under `lockTree`; the
     * parent is not below the firm.
     */
    move(
      id: BrokerageFirmId,
      parentPath: ReadonlyArray<BrokerageFirmId>
    ): Effect.Effect<void, never, CurrentTenant>
    /** The roles that users have on these firms themselves. */
    rolesOn(
      ids: ReadonlyArray<BrokerageFirmId>
    ): Effect.Effect<ReadonlyArray<Role>, never, CurrentTenant>
  }
>()("@quittance/persistence/FirmsRepo") {
  static readonly layer = Layer.effect(
    FirmsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      const columns = sql`f.id, f.name, f.firm_type, f.parent_brokerage_firm_id, f.custom_fields,
        f.created_at`

      const authorize = Effect.fn("FirmsRepo.authorize")(function* <A extends Action>(
        action: A,
        id: BrokerageFirmId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onFirm(action, sql`f.id`)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ path: ReadonlyArray<BrokerageFirmId>; granted: boolean }>`
            SELECT ${columns}, f.path, ${granted} AS granted FROM brokerage_firm f
            WHERE f.tenant_id = ${tenantId} AND f.id = ${id} ${lock ? sql`FOR UPDATE` : sql``}
          `)
        )
        if (row === undefined) return yield* new BrokerageFirmNotFound({ brokerageFirmId: id })
        if (!row.granted) return yield* grants.refuse(action)
        const firm = yield* Effect.orDie(decode(withoutNulls(row)))
        return { action, firm, path: row.path }
      })

      const find = Effect.fn("FirmsRepo.find")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM brokerage_firm f WHERE f.tenant_id = ${tenantId} AND f.id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const path = Effect.fn("FirmsRepo.path")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ path: ReadonlyArray<BrokerageFirmId> }>`
          SELECT path FROM brokerage_firm WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return row?.path
      }, Effect.orDie)

      const existing = Effect.fn("FirmsRepo.existing")(function* (
        ids: ReadonlyArray<BrokerageFirmId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ id: BrokerageFirmId }>`
          SELECT id FROM brokerage_firm WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Set(rows.map(({ id }) => id))
      }, Effect.orDie)

      const conditions = (
        tenantId: string,
        { coverage, filter }: FirmQuery
      ): ReadonlyArray<Statement.Fragment> => {
        const only: Array<Statement.Fragment> = [sql`f.tenant_id = ${tenantId}`]
        // The coverage names every firm below a granted one.
        if (coverage._tag === "Records") only.push(sql`f.id = ANY (${[...coverage.firmIds]})`)
        if (filter.parentBrokerageFirmId !== undefined) {
          only.push(sql`f.parent_brokerage_firm_id = ${filter.parentBrokerageFirmId}`)
        }
        if (filter.firmType !== undefined) only.push(sql`f.firm_type = ${filter.firmType}`)
        if (filter.words !== undefined) {
          only.push(matchesWords(sql, sql`search_text(f.name)`, filter.words))
        }
        return only
      }

      const list = Effect.fn("FirmsRepo.list")(function* (query: FirmQuery) {
        const tenantId = yield* CurrentTenant
        const where = sql.and(conditions(tenantId, query))
        const { count, page } = query.page
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM brokerage_firm f WHERE ${where}
          ORDER BY f.created_at, f.id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM brokerage_firm f WHERE ${where}
        `)
        const firms = yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
        return { firms, total: counted!.total }
      }, Effect.orDie)

      const lockTree = Effect.gen(function* () {
        const name = `firms ${yield* CurrentTenant}`
        yield* tenantSql.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      }).pipe(Effect.orDie, Effect.withSpan("FirmsRepo.lockTree"))

      const insert = Effect.fn("FirmsRepo.insert")(function* (firm: Omit<Firm, "createdAt">) {
        const tenantId = yield* CurrentTenant
        const parent = firm.parentBrokerageFirmId
        if (parent !== undefined) yield* lockTree
        const above = parent === undefined ? [] : yield* path(parent)
        if (above === undefined) return yield* missing(parent)
        const [row] = yield* Effect.orDie(
          tenantSql.write(sql`
            INSERT INTO brokerage_firm AS f (tenant_id, id, name, firm_type,
              parent_brokerage_firm_id, path, custom_fields)
            VALUES (${tenantId}, ${firm.id}, ${firm.name}, ${firm.firmType}, ${parent ?? null},
              ${[firm.id, ...above]}, ${PgTypes.jsonb(firm.customFields ?? [])})
            RETURNING ${columns}
          `)
        )
        return yield* Effect.orDie(decode(withoutNulls(row!)))
      })

      const update = Effect.fn("FirmsRepo.update")(function* (firm: Firm) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE brokerage_firm SET name = ${firm.name}, firm_type = ${firm.firmType},
            custom_fields = ${PgTypes.jsonb(firm.customFields ?? [])}
          WHERE tenant_id = ${tenantId} AND id = ${firm.id}
        `)
      }, Effect.orDie)

      /** The firm and every firm below it, found by the index on parents. */
      const below = (tenantId: string, id: BrokerageFirmId) => sql`
        WITH RECURSIVE below AS (
          SELECT f.id, 1 AS level FROM brokerage_firm f
          WHERE f.tenant_id = ${tenantId} AND f.id = ${id}
          UNION ALL
          SELECT f.id, below.level + 1 FROM brokerage_firm f
          JOIN below ON f.parent_brokerage_firm_id = below.id
          WHERE f.tenant_id = ${tenantId}
        )`

      const height = Effect.fn("FirmsRepo.height")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ height: number }>`
          ${below(tenantId, id)} SELECT coalesce(max(level), 0)::int AS height FROM below
        `)
        return row!.height
      }, Effect.orDie)

      const move = Effect.fn("FirmsRepo.move")(function* (
        id: BrokerageFirmId,
        parentPath: ReadonlyArray<BrokerageFirmId>
      ) {
        const tenantId = yield* CurrentTenant
        // A path begins with what is below the firm and the firm itself, which stays.
        yield* tenantSql.write(sql`
          ${below(tenantId, id)}
          UPDATE brokerage_firm f SET
            path = f.path[:array_position(f.path, ${id})] || ${[...parentPath]}::text[],
            parent_brokerage_firm_id = CASE WHEN f.id = ${id} THEN ${parentPath[0] ?? null}
              ELSE f.parent_brokerage_firm_id END
          FROM below WHERE f.tenant_id = ${tenantId} AND f.id = below.id
        `)
      }, Effect.orDie)

      const rolesOn = Effect.fn("FirmsRepo.rolesOn")(function* (
        ids: ReadonlyArray<BrokerageFirmId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT DISTINCT role FROM permission_grant
          WHERE tenant_id = ${tenantId} AND target = ANY (${[...ids]}) AND kind = 'FIRM'
          ORDER BY role
        `)
        return (yield* decodeRoles(rows)).map(({ role }) => role)
      }, Effect.orDie)

      return FirmsRepo.of({
        authorize,
        find,
        path,
        existing,
        list,
        lockTree,
        insert,
        update,
        height,
        move,
        rolesOn
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}

const missing = (parent: BrokerageFirmId | undefined) =>
  parent === undefined
    ? Effect.die(new Error("FirmsRepo: a firm without a parent has no path to miss"))
    : new BrokerageFirmNotFound({ brokerageFirmId: parent })
