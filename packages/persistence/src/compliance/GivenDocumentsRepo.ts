/** The documents of a branch for its customers, with who was given each of them. */
import type { GivenDocument } from "@quittance/domain/compliance/DocumentGates"
import { DeliveryLevel } from "@quittance/domain/documents/Delivery"
import { DocumentKind } from "@quittance/domain/products/documents/DocumentDefinition"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type BranchId, CustomerId, type PolicyId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  documentId: Schema.String,
  definitionId: Schema.String,
  kind: DocumentKind,
  productVersion: Schema.String,
  isVoid: Schema.Boolean,
  recipientId: Schema.NullOr(CustomerId),
  customerId: Schema.NullOr(CustomerId),
  level: Schema.NullOr(DeliveryLevel),
  recordedAt: Schema.NullOr(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

export class GivenDocumentsRepo extends Context.Service<
  GivenDocumentsRepo,
  {
    /** Those of a branch, the earliest first. */
    ofBranch(
      policyId: PolicyId,
      branchId: BranchId
    ): Effect.Effect<ReadonlyArray<GivenDocument>, never, CurrentTenant>
  }
>()("@quittance/persistence/GivenDocumentsRepo") {
  static readonly layer = Layer.effect(
    GivenDocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const ofBranch = Effect.fn("GivenDocumentsRepo.ofBranch")(function* (
        policyId: PolicyId,
        branchId: BranchId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT d.id AS document_id, d.definition_id, d.kind, d.product_version,
            d.status = 'VOID' AS is_void, d.customer_id AS recipient_id, x.customer_id, x.level,
            x.recorded_at
          FROM document d LEFT JOIN document_delivery x
            ON x.tenant_id = d.tenant_id AND x.document_id = d.id
          WHERE d.tenant_id = ${tenantId} AND d.policy_id = ${policyId}
            AND d.branch_id = ${branchId} AND d.visibility = 'CUSTOMER'
            AND d.definition_id IS NOT NULL AND d.product_version IS NOT NULL
          ORDER BY d.created_at, d.id, x.recorded_at, x.id
        `)
        const found = new Map<string, GivenDocument>()
        for (const { customerId, level, recipientId, recordedAt, ...document } of yield* decode(
          rows
        )) {
          const before = found.get(document.documentId)?.deliveries ?? []
          const deliveries =
            customerId === null || level === null || recordedAt === null
              ? before
              : [...before, { customerId, level, recordedAt }]
          const recipient = recipientId === null ? {} : { recipientId }
          found.set(document.documentId, { ...document, ...recipient, deliveries })
        }
        return [...found.values()]
      }, Effect.orDie)

      return GivenDocumentsRepo.of({ ofBranch })
    })
  )
}
