import * as Grants from "@quittance/auth/Grants"
import {
  type AnonymousSessionId,
  CurrentCaller,
  Forbidden,
  subject,
  type UserId,
  UserNotFound
} from "@quittance/domain/Caller"
import { type Action, Grant, type Role, roles } from "@quittance/domain/Grant"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { present } from "./Rows.ts"
import { TenantSql } from "./TenantSql.ts"

const Row = Schema.Struct({ role: Grant.fields.role, on: Grant.fields.on })
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Columns, or values, of the policy that a statement is about. */
export interface PolicyColumns {
  readonly policyId: Statement.Fragment
  readonly brokerageFirmId: Statement.Fragment
}

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
    ): Effect.Effect<Statement.Fragment, UserNotFound, CurrentTenant | CurrentCaller>

    /** Fails unless the caller may do the action on the target, such as opening a policy of a firm. */
    require(
      action: Action,
      target: Grants.Target
    ): Effect.Effect<void, Forbidden | UserNotFound, CurrentTenant | CurrentCaller>

    /**
     * What a list may show the caller, with the firms below the granted ones named one by one. A
     * client whose scope was checked sees the whole tenant; who may see nothing at all is refused.
     */
    coverage(
      action: Action
    ): Effect.Effect<Grants.Coverage, Forbidden, CurrentTenant | CurrentCaller>

    /** The refusal of an action. */
    refuse(action: Action): Effect.Effect<never, Forbidden>

    /** The grants of a user or session, as they were given. */
    of(
      subjectId: UserId | AnonymousSessionId
    ): Effect.Effect<ReadonlyArray<Grant>, never, CurrentTenant>

    /** Gives a user or session a grant; one that it has already stays. */
    give(
      subjectId: UserId | AnonymousSessionId,
      grant: Grant
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/GrantsRepo") {
  static readonly layer = Layer.effect(
    GrantsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const onPolicy = Effect.fnUntraced(function* (action: Action, columns: PolicyColumns) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        return sql`EXISTS (
          SELECT FROM permission_grant g
          WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subject(caller)}
            AND g.role = ANY (${rolesWith(action)})
            AND (g.kind = 'TENANT' OR g.record_id = ${columns.policyId} OR g.brokerage_firm_id = ANY (
              SELECT unnest(f.path) FROM brokerage_firm f
              WHERE f.tenant_id = ${tenantId} AND f.id = ${columns.brokerageFirmId}
            ))
        )`
      })

      const of = Effect.fn("GrantsRepo.of")(function* (subjectId: string) {
        const tenantId = yield* CurrentTenant
        return yield* decode(
          (yield* tenantSql.read(sql<GrantRow>`
            SELECT role, kind, brokerage_firm_id, record_id FROM permission_grant
            WHERE tenant_id = ${tenantId} AND subject_id = ${subjectId}
          `)).map(toGrant)
        )
      }, Effect.orDie)

      /** Each grant on a firm is repeated for every firm below it. */
      const expanded = Effect.fn("GrantsRepo.expanded")(function* (subjectId: string) {
        const tenantId = yield* CurrentTenant
        return yield* decode(
          (yield* tenantSql.read(sql<GrantRow>`
            SELECT g.role, g.kind, f.id AS brokerage_firm_id, g.record_id FROM permission_grant g
            LEFT JOIN brokerage_firm f
              ON f.tenant_id = g.tenant_id AND g.brokerage_firm_id = ANY (f.path)
            WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subjectId}
          `)).map(toGrant)
        )
      }, Effect.orDie)

      const require = Effect.fnUntraced(function* (action: Action, target: Grants.Target) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const grants = Grants.effective(caller, yield* of(subject(caller)))
        if (!Grants.allows(grants, action, target)) return yield* refuse(action)
      })

      const coverage = Effect.fnUntraced(function* (action: Action) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return { _tag: "Tenant" } as const
        const grants = Grants.effective(caller, yield* expanded(subject(caller)))
        const coverage = Grants.coverage(grants, action)
        return Grants.isNowhere(coverage) ? yield* refuse(action) : coverage
      })

      const give = Effect.fn("GrantsRepo.give")(function* (subjectId: string, grant: Grant) {
        const tenantId = yield* CurrentTenant
        const { kind } = grant.on
        const firmId = grant.on.kind === "FIRM" ? grant.on.brokerageFirmId : null
        const recordId = grant.on.kind === "RECORD" ? grant.on.recordId : null
        yield* tenantSql.write(sql`
          INSERT INTO permission_grant (tenant_id, subject_id, role, kind, brokerage_firm_id, record_id)
          VALUES (${tenantId}, ${subjectId}, ${grant.role}, ${kind}, ${firmId}, ${recordId})
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      return GrantsRepo.of({ onPolicy, require, coverage, refuse, of, give })
    })
  )
}

interface GrantRow {
  readonly role: string
  readonly kind: string
  readonly brokerageFirmId: string | null
  readonly recordId: string | null
}

const toGrant = ({ role, ...on }: GrantRow) => ({ role, on: present(on) })

const refuse = (action: Action) => Effect.fail(new Forbidden({ action }))

// Object.keys forgets the literal types of a constant record.
const roleNames = Object.keys(roles) as ReadonlyArray<Role>

const rolesWith = (action: Action): ReadonlyArray<Role> =>
  roleNames.filter((role) => roles[role].has(action))
