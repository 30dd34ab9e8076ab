/** Signatures whose documents wait to be sealed, and the seals that were made: one for each. */
import { PgTypes } from "@effect/sql-pg"
import type { Document, DocumentId } from "@quittance/domain/documents/Document"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Seal, type SignatureSeal } from "@quittance/domain/signatures/SignatureSeal"
import { BranchId, PolicyId, SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { documentColumns, type StoredDocument, toStored } from "../documents/DocumentRow.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const SealingRow = Schema.Struct({
  signatureId: SignatureId,
  policyId: PolicyId,
  branchId: BranchId,
  signedAt: InstantColumn
})
/** A signature whose documents are to be sealed. */
export type Sealing = typeof SealingRow.Type

const decodeSealings = Schema.decodeUnknownEffect(Schema.Array(SealingRow))
const decodeSeal = Schema.decodeUnknownEffect(
  Schema.Struct({ ...Seal.fields, sealedAt: InstantColumn })
)

/** A sealed file, as a document of its own. */
export interface NewSealedDocument {
  readonly id: DocumentId
  /** What it begins with. */
  readonly source: Document
  readonly contentAddress: string
  readonly sha256: string
  readonly size: number
}

export class SealingsRepo extends Context.Service<
  SealingsRepo,
  {
    /** Has the documents of a signature sealed. */
    schedule(sealing: Sealing): Effect.Effect<void, never, CurrentTenant>
    /** Tenants with signatures whose time has come. */
    readonly tenants: Effect.Effect<ReadonlyArray<TenantId>>
    /**
     * Takes signatures whose time has come, the longest waiting first. No other takes them for half a minute,
     * and longer each time: those of a program that was killed are taken again then.
     */
    take(limit: number): Effect.Effect<ReadonlyArray<Sealing>, never, CurrentTenant>
    /** Has a signature taken again in a second. */
    putBack(id: SignatureId): Effect.Effect<void, never, CurrentTenant>
    /** Whether it is written down which documents follow from all confirmations of a policy. */
    arePlanned(policyId: PolicyId): Effect.Effect<boolean, never, CurrentTenant>
    /** The documents that a branch offered when it was confirmed and that stood when it was signed. */
    offered(sealing: Sealing): Effect.Effect<ReadonlyArray<StoredDocument>, never, CurrentTenant>
    /** Locks a signature that still waits until the transaction ends; `false` where it was sealed meanwhile. */
    hold(id: SignatureId): Effect.Effect<boolean, never, CurrentTenant>
    /** Keeps a seal with its files; the signature waits no longer. */
    keep(
      sealing: Sealing,
      seal: Seal,
      files: ReadonlyArray<NewSealedDocument>,
      now: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    find(id: SignatureId): Effect.Effect<SignatureSeal, never, CurrentTenant>
  }
>()("@quittance/persistence/SealingsRepo") {
  static readonly layer = Layer.effect(
    SealingsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const schedule = Effect.fn("SealingsRepo.schedule")(function* (sealing: Sealing) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...sealing,
          signedAt: toDate(sealing.signedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO signature_sealing ${sql.insert(row)}`)
      }, Effect.orDie)

      const tenants = tenantSql
        .unscoped(
          "signature_sealing",
          sql<{ readonly tenantId: TenantId }>`
            SELECT DISTINCT tenant_id FROM signature_sealing WHERE try_at <= clock_timestamp()
          `
        )
        .pipe(
          Effect.map((rows) => rows.map(({ tenantId }) => tenantId)),
          Effect.orDie,
          Effect.withSpan("SealingsRepo.tenants")
        )

      const take = Effect.fn("SealingsRepo.take")(
        function* (limit: number) {
          const tenantId = yield* CurrentTenant
          const rows = yield* tenantSql.write(sql`
            UPDATE signature_sealing s SET tries = tries + 1, try_at = clock_timestamp()
              + least(600, 30 * power(2, least(tries, 5))) * interval '1 second'
            WHERE s.tenant_id = ${tenantId} AND s.signature_id IN (
              SELECT w.signature_id FROM signature_sealing w
              WHERE w.tenant_id = ${tenantId} AND w.try_at <= clock_timestamp()
              ORDER BY w.try_at, w.signature_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING s.signature_id, s.policy_id, s.branch_id, s.signed_at
          `)
          return yield* decodeSealings(rows)
        },
        Effect.orDie,
        tenantSql.transaction
      )

      const putBack = Effect.fn("SealingsRepo.putBack")(
        function* (id: SignatureId) {
          yield* tenantSql.write(sql`
            UPDATE signature_sealing SET tries = 0, try_at = clock_timestamp() + interval '1 second'
            WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id}
          `)
        },
        Effect.orDie,
        tenantSql.transaction
      )

      const arePlanned = Effect.fn("SealingsRepo.arePlanned")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly planned: boolean }>`
          SELECT NOT EXISTS (
            SELECT FROM event e
            LEFT JOIN event_feed f ON f.tenant_id = ${tenantId} AND f.subject = e.subject AND f.seq = e.seq
            LEFT JOIN event_consumer c ON c.tenant_id = ${tenantId} AND c.name = 'documents'
            WHERE e.tenant_id = ${tenantId} AND e.subject = ${policyId} AND e.kind = 'policy.confirm'
              AND (f.position IS NULL OR f.position > coalesce(c.position, 0))
          ) AS planned
        `)
        return row!.planned
      }, Effect.orDie)

      const offered = Effect.fn("SealingsRepo.offered")(function* (sealing: Sealing) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${sql.literal(documentColumns)} FROM document d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.policy_id = ${sealing.policyId}
            AND d.branch_id = ${sealing.branchId} AND d.trigger = 'CONFIRMED'
            AND d.status <> 'ERASED' AND (d.voided_at IS NULL
              OR (d.voided_at > ${toDate(sealing.signedAt)} AND d.content_address IS NOT NULL))
          ORDER BY d.created_at, d.id
        `)
        return rows.map(toStored)
      }, Effect.orDie)

      const hold = Effect.fn("SealingsRepo.hold")(function* (id: SignatureId) {
        const rows = yield* tenantSql.write(sql`
          SELECT signature_id FROM signature_sealing
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id} FOR UPDATE
        `)
        return rows.length === 1
      }, Effect.orDie)

      const insertFile = Effect.fnUntraced(function* (
        { source, ...file }: NewSealedDocument,
        now: Instant
      ) {
        const { branchId, customerId, assetId, kind, mediaType, pages, policyId } = source
        const row = {
          tenantId: yield* CurrentTenant,
          ...file,
          sourceDocumentId: source.id,
          policyId,
          branchId: branchId ?? null,
          customerId: customerId ?? null,
          assetId: assetId ?? null,
          kind,
          title: source.title,
          origin: "SEALED",
          status: "READY",
          version: 1,
          visibility: source.visibility,
          mediaType,
          pages: pages ?? null,
          createdAt: toDate(now),
          readyAt: toDate(now)
        }
        yield* tenantSql.write(sql`INSERT INTO document ${sql.insert(row)}`)
      })

      const keep = Effect.fn("SealingsRepo.keep")(function* (
        { policyId, signatureId }: Sealing,
        seal: Seal,
        files: ReadonlyArray<NewSealedDocument>,
        now: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const row = {
          tenantId,
          signatureId,
          policyId,
          ...seal,
          sealedAt: toDate(seal.sealedAt),
          documents: PgTypes.jsonb(seal.documents)
        }
        yield* tenantSql.write(sql`INSERT INTO signature_seal ${sql.insert(row)}`)
        yield* Effect.forEach(files, (file) => insertFile(file, now), { discard: true })
        yield* tenantSql.write(sql`
          DELETE FROM signature_sealing WHERE tenant_id = ${tenantId} AND signature_id = ${signatureId}
        `)
      }, Effect.orDie)

      const find = Effect.fn("SealingsRepo.find")(function* (id: SignatureId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT level, certificate, sealed_at, documents FROM signature_seal
          WHERE tenant_id = ${tenantId} AND signature_id = ${id}
        `)
        if (row !== undefined) {
          return { signatureId: id, status: "SEALED" as const, seal: yield* decodeSeal(row) }
        }
        const waiting = yield* tenantSql.read(sql`
          SELECT FROM signature_sealing WHERE tenant_id = ${tenantId} AND signature_id = ${id}
        `)
        const status = waiting.length === 0 ? ("NOT_SEALED" as const) : ("WAITING" as const)
        return { signatureId: id, status }
      }, Effect.orDie)

      return SealingsRepo.of({
        schedule,
        tenants,
        take,
        putBack,
        arePlanned,
        offered,
        hold,
        keep,
        find
      })
    })
  )
}
