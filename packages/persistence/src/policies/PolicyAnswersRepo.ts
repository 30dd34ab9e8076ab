/** What reads of policies answer, kept as the texts that are sent. */
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchType } from "@quittance/domain/products/ProductTerms"

/** A policy on its default branch as it is answered over `[from, to)`. */
export interface PolicyAnswer {
  readonly policyId: PolicyId
  readonly branchType: BranchType
  readonly from: Instant
  readonly to: Instant
  /** The strong etag of the branch. */
  readonly etag: string
  /** The body of the answer, in JSON. */
  readonly body: string
}

/** What is kept of the answer that is asked for, and the version of the policy that it would be of. */
export interface KeptAnswer {
  readonly revision: bigint
  /** Its body in UTF-8: it is never needed as a string. */
  readonly answer: { readonly etag: string; readonly body: Uint8Array<ArrayBuffer> } | undefined
}

interface Row {
  readonly revision: bigint
  readonly granted: boolean
  readonly etag: string | null
  readonly body: Uint8Array<ArrayBuffer> | null
}

export class PolicyAnswersRepo extends Context.Service<
  PolicyAnswersRepo,
  {
    /**
     * The answer for an instant, without one for now, fetched with the permission to read the policy:
     * one statement, one round trip. It is of the present version of the policy and of this format, or
     * `undefined`.
     */
    find(
      policyId: PolicyId,
      format: string,
      whenAt: Instant | undefined
    ): Effect.Effect<
      KeptAnswer,
      Forbidden | PolicyNotFound | UserNotFound,
      CurrentTenant | CurrentCaller
    >
    /**
     * Keeps an answer, and drops those of earlier versions. Without a revision it is of the version that the
     * transaction has just made; else of the one read before it was made, and it is dropped when that is no
     * longer the current one.
     */
    keep(
      answer: PolicyAnswer,
      format: string,
      revision?: bigint
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PolicyAnswersRepo") {
  static readonly layer = Layer.effect(
    PolicyAnswersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      const find = Effect.fn("PolicyAnswersRepo.find")(function* (
        policyId: PolicyId,
        format: string,
        whenAt: Instant | undefined
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onPolicy("policy.read", {
          policyId: sql`p.id`,
          brokerageFirmId: sql`p.brokerage_firm_id`
        })
        // A sale that is not signed is shown with all of it in effect only where no instant is named.
        const at =
          whenAt === undefined
            ? sql`coalesce(t.test_clock, clock_timestamp())`
            : sql`${toDate(whenAt)}::timestamptz`
        const rows = yield* Effect.orDie(
          tenantSql.lookup(sql<Row>`
            SELECT p.revision, ${granted} AS granted, a.etag, convert_to(a.body, 'UTF8') AS body
            FROM policy p JOIN tenant t ON t.tenant_id = p.tenant_id
            CROSS JOIN LATERAL (SELECT ${at} AS instant OFFSET 0) read
            LEFT JOIN policy_answer a ON a.tenant_id = p.tenant_id AND a.policy_id = p.id
              AND a.format = ${format} AND a.revision = p.revision
              AND a.valid_from <= read.instant AND a.valid_to > read.instant
              ${whenAt === undefined ? sql`` : sql`AND a.branch_type = 'BASE'`}
            WHERE p.tenant_id = ${tenantId} AND p.id = ${policyId}
            LIMIT 1
          `)
        )
        const [row] = rows
        if (row === undefined) return yield* new PolicyNotFound({ policyId })
        const { body, etag, granted: isGranted, revision } = row
        if (!isGranted) return yield* grants.refuse("policy.read")
        return { revision, answer: body === null || etag === null ? undefined : { body, etag } }
      })

      const keep = Effect.fn("PolicyAnswersRepo.keep")(function* (
        { body, branchType, etag, from, policyId, to }: PolicyAnswer,
        format: string,
        revision?: bigint
      ) {
        const tenantId = yield* CurrentTenant
        const known = revision === undefined ? sql`` : sql`AND revision = ${revision}`
        yield* tenantSql.write(sql`
          WITH present AS (
            SELECT revision FROM policy WHERE tenant_id = ${tenantId} AND id = ${policyId} ${known}
          ), dropped AS (
            DELETE FROM policy_answer a USING present
            WHERE a.tenant_id = ${tenantId} AND a.policy_id = ${policyId}
              AND a.revision < present.revision
              AND (a.format, a.valid_from) <> (${format}, ${toDate(from)}::timestamptz)
          )
          INSERT INTO policy_answer AS a (tenant_id, policy_id, format, valid_from, valid_to,
            revision, branch_type, etag, body)
          SELECT ${tenantId}, ${policyId}, ${format}, ${toDate(from)}, ${toDate(to)},
            present.revision, ${branchType}, ${etag}, ${body}
          FROM present
          ON CONFLICT (tenant_id, policy_id, format, valid_from) DO UPDATE
          SET valid_to = excluded.valid_to, revision = excluded.revision,
            branch_type = excluded.branch_type, etag = excluded.etag, body = excluded.body
          WHERE a.revision < excluded.revision
        `)
      }, Effect.orDie)

      return PolicyAnswersRepo.of({ find, keep })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
