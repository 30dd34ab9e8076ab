/** What the files that prove signatures are made of, and their parts once they are made. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EvidenceEntry } from "@quittance/domain/signatures/EvidenceFile"
import type { PolicyId, SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** The parts of a file; `entries` is `null` where they were erased. */
export interface KeptEvidence {
  readonly entries: ReadonlyArray<EvidenceEntry> | null
}

export interface NewEvidence {
  readonly signatureId: SignatureId
  readonly policyId: PolicyId
  /** In real time. */
  readonly madeAt: Instant
  readonly entries: ReadonlyArray<EvidenceEntry>
}

/** A text of some version of a product. */
export interface ProductText {
  readonly textId: string
  readonly text: string
}

const Entries = Schema.fromJsonString(Schema.Array(EvidenceEntry))
const decode = Schema.decodeUnknownEffect(Schema.NullOr(Entries))
const decodeAnchor = Schema.decodeUnknownEffect(
  Schema.Struct({ position: IntColumn, hash: Schema.String })
)

export class EvidenceRepo extends Context.Service<
  EvidenceRepo,
  {
    find(id: SignatureId): Effect.Effect<KeptEvidence | undefined, never, CurrentTenant>
    /** Keeps the parts of a file; of two at once one does. */
    keep(evidence: NewEvidence): Effect.Effect<boolean, never, CurrentTenant>
    /** The texts that the product of a policy has had in any version. */
    texts(policyId: PolicyId): Effect.Effect<ReadonlyArray<ProductText>, never, CurrentTenant>
    /** Where the audit trail has this last step of a signature; `undefined` while it is not chained. */
    anchor(
      id: SignatureId,
      head: string
    ): Effect.Effect<
      { readonly position: number; readonly hash: string } | undefined,
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/EvidenceRepo") {
  static readonly layer = Layer.effect(
    EvidenceRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("EvidenceRepo.find")(function* (id: SignatureId) {
        const [row] = yield* tenantSql.read(sql<{ readonly entries: unknown }>`
          SELECT entries FROM signature_evidence
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id}
        `)
        return row === undefined ? undefined : { entries: yield* decode(row.entries) }
      }, Effect.orDie)

      const keep = Effect.fn("EvidenceRepo.keep")(function* (evidence: NewEvidence) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...evidence,
          madeAt: toDate(evidence.madeAt),
          entries: JSON.stringify(evidence.entries)
        }
        const kept = yield* tenantSql.write(sql`
          INSERT INTO signature_evidence ${sql.insert(row)}
          ON CONFLICT DO NOTHING RETURNING signature_id
        `)
        return kept.length === 1
      }, Effect.orDie)

      const texts = Effect.fn("EvidenceRepo.texts")(function* (policyId: PolicyId) {
        return yield* tenantSql.read(sql<ProductText>`
          SELECT DISTINCT c ->> 'textId' AS text_id, c ->> 'text' AS text
          FROM policy p
          JOIN product_version v ON v.tenant_id = p.tenant_id AND v.product_id = p.product_id,
            jsonb_array_elements(v.definition -> 'consents') c
          WHERE p.tenant_id = ${yield* CurrentTenant} AND p.id = ${policyId}
        `)
      }, Effect.orDie)

      const anchor = Effect.fn("EvidenceRepo.anchor")(function* (id: SignatureId, head: string) {
        const [row] = yield* tenantSql.read(sql`
          SELECT position, encode(hash, 'hex') AS hash FROM audit
          WHERE tenant_id = ${yield* CurrentTenant} AND record_id = ${id}
            AND detail ->> 'after' = ${head} AND position IS NOT NULL
          ORDER BY position LIMIT 1
        `)
        return row === undefined ? undefined : yield* decodeAnchor(row)
      }, Effect.orDie)

      return EvidenceRepo.of({ find, keep, texts, anchor })
    })
  )
}
