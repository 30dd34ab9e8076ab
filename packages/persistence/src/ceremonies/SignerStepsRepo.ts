/** How far signers have come, the codes that they were sent, and whether the caller acts for one. */
import { PgTypes } from "@effect/sql-pg"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SignedConsent } from "@quittance/domain/signatures/Signature"
import type { CorrectSigner } from "@quittance/domain/signatures/SignatureRequests"
import type { SignatureStatus, SignerStatus } from "@quittance/domain/signatures/SignatureLifecycle"
import type { CustomerId, PolicyId, SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** Where a signer is after a step; what is absent stays. */
export interface SignerStep {
  readonly id: SignerId
  readonly status: SignerStatus
  readonly at: Instant
  readonly consents?: ReadonlyArray<SignedConsent>
  readonly reason?: string
}

/** The codes of a signer: how many there were, and how often the last one was tried. */
export interface SignerCodes {
  readonly number: number
  readonly tries: number
  readonly sent: ReadonlyArray<Instant>
}

const decodeCodes = Schema.decodeUnknownEffect(
  Schema.Struct({ number: Schema.Int, tries: Schema.Int, sent: Schema.Array(Instant) })
)

/** The column that says when a signer came to a status. */
const timeOf: Readonly<Record<SignerStatus, string | undefined>> = {
  WAITING: undefined,
  NOTIFIED: "notified_at",
  OPENED: "opened_at",
  PROVEN: "proven_at",
  SIGNED: "signed_at",
  DECLINED: "declined_at"
}

export class SignerStepsRepo extends Context.Service<
  SignerStepsRepo,
  {
    /** Whether the caller is a customer's person: they were given the policy, and do not work on it. */
    isCustomer(
      policyId: PolicyId,
      customerId: CustomerId
    ): Effect.Effect<boolean, never, CurrentTenant | CurrentCaller>
    step(step: SignerStep): Effect.Effect<void, never, CurrentTenant>
    /** How often a signer was corrected, by the steps of the signature. */
    corrections(path: {
      readonly signatureId: SignatureId
      readonly signerId: SignerId
    }): Effect.Effect<number, never, CurrentTenant>
    /** How a signer is reached, where it was wrong; what is left out stays. */
    correct(id: SignerId, input: CorrectSigner): Effect.Effect<void, never, CurrentTenant>
    /** Each signer has signed. */
    conclude(
      id: SignatureId,
      status: Extract<SignatureStatus, "COMPLETED" | "SEALING">,
      at: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    codes(id: SignerId): Effect.Effect<SignerCodes, never, CurrentTenant>
    /** A further code is sent: its letter leaves once the transaction is committed. */
    sendCode(id: SignerId, sent: ReadonlyArray<Instant>): Effect.Effect<void, never, CurrentTenant>
    /** The last code was tried once more, in vain. */
    countTry(id: SignerId): Effect.Effect<void, never, CurrentTenant>
    /** Which of these documents a customer has read to their last byte. */
    shown(
      customerId: CustomerId,
      documentIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlySet<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/SignerStepsRepo") {
  static readonly layer = Layer.effect(
    SignerStepsRepo,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }

      const isCustomer = Effect.fn("SignerStepsRepo.isCustomer")(function* (
        policyId: PolicyId,
        customerId: CustomerId
      ) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return false
        const works = yield* grants.onPolicy("internalDocument.read", policy)
        const session = caller._tag === "Anonymous" ? caller.sessionId : null
        const [row] = yield* tenantSql.read(sql<{ readonly isCustomer: boolean }>`
          SELECT NOT ${works} AND EXISTS (
              SELECT FROM permission_grant g
              WHERE g.tenant_id = ${tenantId} AND g.subject_id = ${subject(caller)}
                AND g.kind = 'RECORD' AND g.record_id IN (p.id, ${customerId})
            ) AND coalesce((
              SELECT s.customer_id FROM anonymous_session s
              WHERE s.tenant_id = ${tenantId} AND s.id = ${session}
            ), ${customerId}) = ${customerId} AS is_customer
          FROM policy p WHERE p.tenant_id = ${tenantId} AND p.id = ${policyId}
        `)
        return row?.isCustomer === true
      }, Effect.orDie)

      const step = Effect.fn("SignerStepsRepo.step")(function* ({
        at,
        consents,
        id,
        reason,
        status
      }: SignerStep) {
        const column = timeOf[status]
        const time = column === undefined ? sql`` : sql`, ${sql(column)} = ${toDate(at)}`
        const texts = consents === undefined ? sql`` : sql`, consents = ${PgTypes.jsonb(consents)}`
        const why = reason === undefined ? sql`` : sql`, decline_reason = ${reason}`
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET status = ${status} ${time} ${texts} ${why}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const corrections = Effect.fn("SignerStepsRepo.corrections")(function* ({
        signatureId,
        signerId
      }: {
        readonly signatureId: SignatureId
        readonly signerId: SignerId
      }) {
        const [row] = yield* tenantSql.read(sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM signature_step
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${signatureId}
            AND content::json ->> 'kind' = 'CORRECTED'
            AND content::json ->> 'signerId' = ${signerId}
        `)
        return row!.count
      }, Effect.orDie)

      const correct = Effect.fn("SignerStepsRepo.correct")(function* (
        id: SignerId,
        input: CorrectSigner
      ) {
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET ${sql.update(input)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const conclude = Effect.fn("SignerStepsRepo.conclude")(function* (
        id: SignatureId,
        status: "COMPLETED" | "SEALING",
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE signature_request SET status = ${status}, signed_at = ${toDate(at)},
            completed_at = ${status === "COMPLETED" ? toDate(at) : null}
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id} AND status = 'OPEN'
        `)
      }, Effect.orDie)

      const codes = Effect.fn("SignerStepsRepo.codes")(function* (id: SignerId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT code_number AS number, code_tries AS tries, codes_sent AS sent
          FROM signature_signer WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return yield* decodeCodes(row)
      }, Effect.orDie)

      const sendCode = Effect.fn("SignerStepsRepo.sendCode")(function* (
        id: SignerId,
        sent: ReadonlyArray<Instant>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET code_number = code_number + 1, code_tries = 0,
            codes_sent = ${PgTypes.jsonb(sent)}
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        // The letter has the last code, so one that still waits is as good.
        yield* tenantSql.write(sql`
          INSERT INTO signer_letter (tenant_id, signer_id) VALUES (${tenantId}, ${id})
          ON CONFLICT (tenant_id, signer_id)
          DO UPDATE SET due_at = clock_timestamp(), attempts = 0
        `)
      }, Effect.orDie)

      const countTry = Effect.fn("SignerStepsRepo.countTry")(function* (id: SignerId) {
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET code_tries = code_tries + 1
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const shown = Effect.fn("SignerStepsRepo.shown")(function* (
        customerId: CustomerId,
        documentIds: ReadonlyArray<string>
      ) {
        if (documentIds.length === 0) return new Set<string>()
        const rows = yield* tenantSql.read(sql<{ readonly documentId: string }>`
          SELECT DISTINCT x.document_id FROM document_delivery x
          JOIN document d ON d.tenant_id = x.tenant_id AND d.id = x.document_id
          WHERE x.tenant_id = ${yield* CurrentTenant} AND x.customer_id = ${customerId}
            AND x.document_id = ANY (${[...documentIds]}) AND x.level IN ('OPENED', 'ACKNOWLEDGED')
            AND x.sha256 = d.sha256
        `)
        return new Set(rows.map(({ documentId }) => documentId))
      }, Effect.orDie)

      return SignerStepsRepo.of({
        isCustomer,
        step,
        corrections,
        correct,
        conclude,
        codes,
        sendCode,
        countTry,
        shown
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
