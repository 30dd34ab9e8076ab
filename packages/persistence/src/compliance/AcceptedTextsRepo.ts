/** Texts of products that were accepted on branches of policies. */
import { AcceptedText } from "@quittance/domain/compliance/AcceptedText"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({ ...AcceptedText.fields, acceptedAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** An acceptance, and from where it came. */
export interface Acceptance extends AcceptedText {
  readonly address: string
  readonly userAgent: string
}

export class AcceptedTextsRepo extends Context.Service<
  AcceptedTextsRepo,
  {
    /** Those of a branch, the earliest first. */
    ofBranch(
      policyId: PolicyId,
      branchId: BranchId
    ): Effect.Effect<ReadonlyArray<AcceptedText>, never, CurrentTenant>
    /** Adds an acceptance; of a wording that was accepted on the branch before nothing. */
    insert(acceptance: Acceptance): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/AcceptedTextsRepo") {
  static readonly layer = Layer.effect(
    AcceptedTextsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const ofBranch = Effect.fn("AcceptedTextsRepo.ofBranch")(function* (
        policyId: PolicyId,
        branchId: BranchId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT policy_id, branch_id, text_id, text_hash, accepted_at, author FROM accepted_text
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND branch_id = ${branchId}
          ORDER BY accepted_at, text_id, text_hash
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const insert = Effect.fn("AcceptedTextsRepo.insert")(function* (acceptance: Acceptance) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...acceptance,
          acceptedAt: toDate(acceptance.acceptedAt)
        }
        yield* tenantSql.write(
          sql`INSERT INTO accepted_text ${sql.insert(row)} ON CONFLICT DO NOTHING`
        )
      }, Effect.orDie)

      return AcceptedTextsRepo.of({ ofBranch, insert })
    })
  )
}
