import * as Grants from "@quittance/auth/Grants"
import {
  type AnonymousSessionId,
  CurrentCaller,
  Forbidden,
  subject,
  type UserId,
  UserNotFound
} from "@quittance/domain/requests/Caller"
import { Grant } from "@quittance/domain/access/Grant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { decodeHeld, grantsSql, type GrantRow, toGrant } from "./GrantRow.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const decode = Schema.decodeUnknownEffect(Schema.Array(Grant))

/** Columns, or values, of the policy that a statement is about; under any alias. */
export type PolicyColumns = Readonly<Record<"policyId" | "brokerageFirmId", Statement.Fragment>>

/** Columns, or values, of the user that a statement is about; under any alias. */
export interface UserColumns {
  readonly userId: Statement.Fragment
  readonly brokerageFirmId: Statement.Fragment
}

/** The subjects that can have grants. */
export type SubjectId = UserId | AnonymousSessionId

type Scoped = CurrentTenant | CurrentCaller

/** What callers may do, and the SQL that asks for it in the statement that fetches a record. */
export class GrantsRepo extends Context.Service<
  GrantsRepo,
  {
    /**
     * A boolean expression: whether the caller may do the action on the policy of the row. Fails for
     * a client, which is no user, before anything is looked up.
     */
    onPolicy(
      action: Action,
      columns: PolicyColumns
    ): Effect.Effect<Statement.Fragment, UserNotFound, Scoped>

    /**
     * The same for a brokerage firm, by the column with its id: a grant on it or on a firm above it
     * counts. A client, whose scope was checked, may do it on every firm.
     */
    onFirm(
      action: Action,
      brokerageFirmId: Statement.Fragment
    ): Effect.Effect<Statement.Fragment, never, Scoped>

    /**
     * The same for a user: a grant on the user, on its firm or on a firm above that one counts. A
     * client, whose scope was checked, may do it on every user.
     */
    onUser(action: Action, columns: UserColumns): Effect.Effect<Statement.Fragment, never, Scoped>

    /** The same for what belongs to the tenant as a whole, such as its clients. */
    onTenant(action: Action): Effect.Effect<Statement.Fragment, never, Scoped>

    /** Fails unless the caller may do the action on the whole tenant. A client may. */
    requireOnTenant(action: Action): Effect.Effect<void, Forbidden, Scoped>

    /** Fails unless the caller may do the action on the target, such as opening a policy of a firm. */
    require(
      action: Action,
      target: Grants.Target
    ): Effect.Effect<void, Forbidden | UserNotFound, Scoped>

    /**
     * What a list may show the caller, with the firms below the granted ones named one by one. A
     * client whose scope was checked sees the whole tenant; who may see nothing at all is refused.
     */
    coverage(action: Action): Effect.Effect<Grants.Coverage, Forbidden, Scoped>

    /** The refusal of an action. */
    refuse(action: Action): Effect.Effect<never, Forbidden>

    /** The grants of a user or session, as they were given, in a fixed order. */
    of(subjectId: SubjectId): Effect.Effect<ReadonlyArray<Grant>, never, CurrentTenant>

    /** The same, each with what its role contains at the moment. */
    heldBy(
      subjectId: SubjectId
    ): Effect.Effect<ReadonlyArray<Grants.HeldGrant>, never, CurrentTenant>

    /** Gives a user or session a grant; one that it has already stays. */
    give(subjectId: SubjectId, grant: Grant): Effect.Effect<void, never, CurrentTenant>

    /**
     * Gives several at once. A grant of a role that the tenant has deleted meanwhile is left out;
     * firms have to be there.
     */
    giveAll(
      subjectId: SubjectId,
      grants: ReadonlyArray<Grant>
    ): Effect.Effect<void, never, CurrentTenant>

    /**
     * Makes these the grants of a user or session: takes away all others, gives those that are
     * missing. Lock its row before, or two of these mix.
     */
    set(
      subjectId: SubjectId,
      grants: ReadonlyArray<Grant>
    ): Effect.Effect<void, never, CurrentTenant>

    /** Moves every grant of a session, which has none afterwards, to another session or a user. */
    transfer(from: AnonymousSessionId, to: SubjectId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/GrantsRepo") {
  static readonly layer = Layer.effect(
    GrantsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { firmsAbove, columns, roleOf, roleHas, values } = grantsSql(sql)

      /** Whether a grant of the caller has the action and holds on what `covered` says. */
      const holds = Effect.fnUntraced(function* (action: Action, covered: Statement.Fragment) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        // What every session may do needs no row.
        if (Grants.allows(Grants.effective(caller, []), action, Grants.tenantWide)) {
          return sql`true`
        }
        return sql`EXISTS (
          SELECT FROM permission_grant checked_grant
          WHERE checked_grant.tenant_id = ${tenantId} AND checked_grant.subject_id = ${subject(caller)}
            AND ${roleHas(action, "checked_grant")} AND (checked_grant.kind = 'TENANT' OR ${covered})
        )`
      })

      const onPolicy = Effect.fnUntraced(function* (action: Action, columns: PolicyColumns) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const firms = firmsAbove(tenantId, columns.brokerageFirmId)
        return yield* holds(
          action,
          sql`checked_grant.record_id = ${columns.policyId} OR checked_grant.brokerage_firm_id = ANY (${firms})`
        )
      })

      const onFirm = Effect.fnUntraced(function* (
        action: Action,
        brokerageFirmId: Statement.Fragment
      ) {
        if ((yield* CurrentCaller)._tag === "Client") return sql`true`
        const firms = firmsAbove(yield* CurrentTenant, brokerageFirmId)
        return yield* holds(action, sql`checked_grant.brokerage_firm_id = ANY (${firms})`)
      })

      const onUser = Effect.fnUntraced(function* (action: Action, columns: UserColumns) {
        if ((yield* CurrentCaller)._tag === "Client") return sql`true`
        const firms = firmsAbove(yield* CurrentTenant, columns.brokerageFirmId)
        return yield* holds(
          action,
          sql`checked_grant.record_id = ${columns.userId} OR checked_grant.brokerage_firm_id = ANY (${firms})`
        )
      })

      const onTenant = Effect.fnUntraced(function* (action: Action) {
        if ((yield* CurrentCaller)._tag === "Client") return sql`true`
        return yield* holds(action, sql`false`)
      })

      const heldBy = Effect.fn("GrantsRepo.heldBy")(function* (subjectId: string) {
        const tenantId = yield* CurrentTenant
        return yield* decodeHeld(
          yield* tenantSql.read(sql<GrantRow>`
            SELECT ${columns}, r.actions, r.authority FROM permission_grant g ${roleOf}
            WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subjectId}
            ORDER BY g.role, g.target
          `)
        )
      }, Effect.orDie)

      const of = Effect.fn("GrantsRepo.of")(function* (subjectId: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<GrantRow>`
          SELECT ${columns} FROM permission_grant g
          WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subjectId}
          ORDER BY g.role, g.target
        `)
        return yield* decode(rows.map(toGrant))
      }, Effect.orDie)

      /** The grants with the action; each on a firm is repeated for every firm below it. */
      const expanded = Effect.fn("GrantsRepo.expanded")(function* (
        subjectId: string,
        action: Action
      ) {
        const tenantId = yield* CurrentTenant
        return yield* decodeHeld(
          yield* tenantSql.read(sql<GrantRow>`
            SELECT g.role, g.kind, f.id AS brokerage_firm_id, g.record_id, r.actions, r.authority
            FROM permission_grant g ${roleOf}
            LEFT JOIN brokerage_firm f
              ON f.tenant_id = g.tenant_id AND g.brokerage_firm_id = ANY (f.path)
            WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subjectId} AND ${roleHas(action)}
          `)
        )
      }, Effect.orDie)

      const require = Effect.fnUntraced(function* (action: Action, target: Grants.Target) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const grants = Grants.effective(caller, yield* heldBy(subject(caller)))
        if (!Grants.allows(grants, action, target)) return yield* refuse(action)
      })

      const requireOnTenant = (action: Action) =>
        Effect.catchTag(require(action, Grants.tenantWide), "UserNotFound", () => Effect.void)

      const coverage = Effect.fnUntraced(function* (action: Action) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return { _tag: "Tenant" } as const
        const grants = Grants.effective(caller, yield* expanded(subject(caller), action))
        const coverage = Grants.coverage(grants, action)
        return Grants.isNowhere(coverage) ? yield* refuse(action) : coverage
      })

      const giveAll = Effect.fn("GrantsRepo.giveAll")(function* (
        subjectId: string,
        grants: ReadonlyArray<Grant>
      ) {
        if (grants.length === 0) return
        const tenantId = yield* CurrentTenant
        // The lock keeps a role until the grant of it is there, or sees that it is gone.
        yield* tenantSql.write(sql`
          WITH given AS (${values(PgTypes.jsonb(grants))}), own AS (
            SELECT id FROM role
            WHERE tenant_id = ${tenantId} AND id IN (SELECT role FROM given)
            ORDER BY id FOR KEY SHARE
          )
          INSERT INTO permission_grant (tenant_id, subject_id, role, kind, brokerage_firm_id, record_id)
          SELECT ${tenantId}, ${subjectId}, role, kind, brokerage_firm_id, record_id FROM given
          WHERE is_built_in OR role IN (SELECT id FROM own)
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const set = Effect.fn("GrantsRepo.set")(function* (
        subjectId: string,
        grants: ReadonlyArray<Grant>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM permission_grant g
          WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subjectId} AND NOT EXISTS (
            SELECT FROM (${values(PgTypes.jsonb(grants))}) v
            WHERE v.role = g.role AND v.kind = g.kind
              AND coalesce(v.brokerage_firm_id, v.record_id, '*') = g.target
          )
        `)
        yield* giveAll(subjectId, grants)
      }, Effect.orDie)

      const transfer = Effect.fn("GrantsRepo.transfer")(function* (from: string, to: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          WITH moved AS (
            DELETE FROM permission_grant WHERE tenant_id = ${tenantId} AND subject_id = ${from}
            RETURNING role, kind, brokerage_firm_id, record_id
          )
          INSERT INTO permission_grant (tenant_id, subject_id, role, kind, brokerage_firm_id, record_id)
          SELECT ${tenantId}, ${to}, role, kind, brokerage_firm_id, record_id FROM moved
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      return GrantsRepo.of({
        onPolicy,
        onFirm,
        onUser,
        onTenant,
        requireOnTenant,
        require,
        coverage,
        refuse,
        of,
        heldBy,
        give: (subjectId, grant) => giveAll(subjectId, [grant]),
        giveAll,
        set,
        transfer
      })
    })
  )
}

const refuse = (action: Action) => Effect.fail(new Forbidden({ action }))
