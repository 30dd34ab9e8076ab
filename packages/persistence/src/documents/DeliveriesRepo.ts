/** Proofs that customers have documents: added, and never changed. */
import { Delivery } from "@quittance/domain/documents/Delivery"
import { DocumentAuthor, type DocumentId } from "@quittance/domain/documents/Document"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { policyReadersSql } from "./PolicyReadersSql.ts"

const Row = Schema.Struct({
  ...Struct.omit(Delivery.fields, ["actor"]),
  at: InstantColumn,
  recordedAt: InstantColumn,
  actorKind: DocumentAuthor.fields.kind,
  actorId: Schema.String
})
const decode = Schema.decodeUnknownSync(Row)

export class DeliveriesRepo extends Context.Service<
  DeliveriesRepo,
  {
    /**
     * For which customer the caller reads a document: the one whose session it is, else the one that the
     * document is for, else the policyholder. `undefined` for those who work on the policy, and for clients.
     */
    readerOf(
      id: DocumentId
    ): Effect.Effect<CustomerId | undefined, never, CurrentTenant | CurrentCaller>
    /** Whether the caller has opened a document for a customer before. */
    hasOpened(
      id: DocumentId,
      customerId: CustomerId
    ): Effect.Effect<boolean, never, CurrentTenant | CurrentCaller>
    /** Whether a customer is or was on a policy. */
    isOn(customerId: CustomerId, policyId: PolicyId): Effect.Effect<boolean, never, CurrentTenant>
    /** Adds a proof, or that a link was sent; `false`, and nothing added, where a customer does again what they have done. */
    insert(delivery: Delivery): Effect.Effect<boolean, never, CurrentTenant>
    /** Those of a document, the latest first. */
    list(
      id: DocumentId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Delivery>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/DeliveriesRepo") {
  static readonly layer = Layer.effect(
    DeliveriesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const { isGiven, policyholder, visitor } = policyReadersSql(sql)
      const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }

      const readerOf = Effect.fn("DeliveriesRepo.readerOf")(function* (id: DocumentId) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return undefined
        const works = yield* grants.onPolicy("internalDocument.read", policy)
        const [row] = yield* tenantSql.read(sql<{ readonly customerId: CustomerId | null }>`
          SELECT CASE WHEN ${works} OR NOT ${isGiven(tenantId, caller)} THEN NULL ELSE coalesce(
            ${visitor(tenantId, caller)}, d.customer_id, ${policyholder(tenantId)}) END AS customer_id
          FROM document d JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
          WHERE d.tenant_id = ${tenantId} AND d.id = ${id}
        `)
        return row?.customerId ?? undefined
      }, Effect.orDie)

      const hasOpened = Effect.fn("DeliveriesRepo.hasOpened")(function* (
        id: DocumentId,
        customerId: CustomerId
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM document_delivery WHERE tenant_id = ${yield* CurrentTenant}
            AND document_id = ${id} AND customer_id = ${customerId} AND level = 'OPENED'
            AND channel = 'SCREEN' AND actor_id = ${subject(yield* CurrentCaller)}
        `)
        return rows.length > 0
      }, Effect.orDie)

      const isOn = Effect.fn("DeliveriesRepo.isOn")(function* (
        customerId: CustomerId,
        policyId: PolicyId
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM customer_policy WHERE tenant_id = ${yield* CurrentTenant}
            AND customer_id = ${customerId} AND policy_id = ${policyId}
        `)
        return rows.length > 0
      }, Effect.orDie)

      const insert = Effect.fn("DeliveriesRepo.insert")(function* (delivery: Delivery) {
        const { actor, at, level, recordedAt, ...rest } = delivery
        const row = {
          tenantId: yield* CurrentTenant,
          ...rest,
          at: toDate(at),
          recordedAt: toDate(recordedAt),
          actorKind: actor.kind,
          actorId: actor.id
        }
        const into =
          level === "SENT"
            ? sql`document_sending ${sql.insert(row)}`
            : sql`document_delivery ${sql.insert({ ...row, level })}`
        const added = yield* tenantSql.write(
          sql`INSERT INTO ${into} ON CONFLICT DO NOTHING RETURNING id`
        )
        return added.length > 0
      }, Effect.orDie)

      const list = Effect.fn("DeliveriesRepo.list")(function* (
        id: DocumentId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const of = sql`WHERE tenant_id = ${tenantId} AND document_id = ${id}`
        const columns = sql.literal(
          "id, document_id, sha256, customer_id, channel, at, recorded_at, actor_kind, actor_id, address, user_agent"
        )
        const found = sql`FROM (
          SELECT level, ${columns} FROM document_delivery ${of}
          UNION ALL SELECT 'SENT', ${columns} FROM document_sending ${of}) handed`
        const rows = yield* tenantSql.read(sql`
          SELECT level, ${columns} ${found}
          ORDER BY recorded_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
        )
        return { rows: rows.map(toDelivery), total: counted!.total }
      }, Effect.orDie)

      return DeliveriesRepo.of({ readerOf, hasOpened, isOn, insert, list })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}

const toDelivery = (row: object): Delivery => {
  const { actorId, actorKind, ...rest } = decode(withoutNulls(row))
  return { ...rest, actor: { kind: actorKind, id: actorId } }
}
