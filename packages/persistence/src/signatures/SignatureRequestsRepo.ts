/** Signatures that are requested, and their signers. The lock of their policy is theirs. */
import { PgTypes } from "@effect/sql-pg"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type ChainEnd,
  chainStart,
  type SignedDocument,
  SignedQuote,
  type StoredStep
} from "@quittance/domain/signatures/EvidenceStep"
import { type Signature, SignatureNotFound } from "@quittance/domain/signatures/Signature"
import type { RequestedSigner } from "@quittance/domain/signatures/Signer"
import type { SignatureStatus } from "@quittance/domain/signatures/SignatureLifecycle"
import { BranchId, PolicyId, type SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import {
  signatureColumns,
  signatureFrom,
  signerColumns,
  toSignature,
  toSigner
} from "./SignatureRow.ts"

/** A signature as it is requested. */
export interface NewSignatureRequest {
  readonly signature: Signature &
    Required<Pick<Signature, "author" | "createdAt" | "documents" | "expiresAt">>
  readonly branchSeq: number
  readonly quotes: ReadonlyArray<typeof SignedQuote.Type>
  readonly signers: ReadonlyArray<RequestedSigner>
}

/** What a signature is bound to, from its request on. */
export interface RequestPlace {
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly branchSeq: number
  readonly quotes: ReadonlyArray<typeof SignedQuote.Type>
}

/** What happens to the signature as a whole. */
export interface SignatureEnd {
  readonly id: SignatureId
  readonly status: Exclude<SignatureStatus, "COMPLETED" | "OPEN" | "SEALING">
  readonly at: Instant
  readonly reason?: string
}

const decodePlace = Schema.decodeUnknownEffect(
  Schema.Struct({
    policyId: PolicyId,
    branchId: BranchId,
    branchSeq: Schema.Int,
    quotes: Schema.Array(SignedQuote)
  })
)

export class SignatureRequestsRepo extends Context.Service<
  SignatureRequestsRepo,
  {
    insert(request: NewSignatureRequest): Effect.Effect<void, never, CurrentTenant>
    /** What a requested signature is of; nothing of it ever changes, so it is read without a lock. */
    place(id: SignatureId): Effect.Effect<RequestPlace, SignatureNotFound, CurrentTenant>
    /** A requested signature, whose policy is locked. */
    find(id: SignatureId): Effect.Effect<Signature, never, CurrentTenant>
    /** The open ones of a policy. */
    open(policyId: PolicyId): Effect.Effect<ReadonlyArray<Signature>, never, CurrentTenant>
    end(end: SignatureEnd): Effect.Effect<void, never, CurrentTenant>
    /** Its files are sealed; whether it has waited for that. */
    complete(id: SignatureId, at: Instant): Effect.Effect<boolean, never, CurrentTenant>
    /** Where further steps of a signature follow. */
    chainEnd(id: SignatureId): Effect.Effect<ChainEnd, never, CurrentTenant>
    addSteps(
      signature: Pick<Signature, "id" | "policyId">,
      after: number,
      steps: ReadonlyArray<StoredStep>
    ): Effect.Effect<void, never, CurrentTenant>
    /** The documents of a branch that have one of these definitions, the latest of each first. */
    documents(
      policyId: PolicyId,
      branchId: BranchId,
      definitionIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<BranchDocument>, never, CurrentTenant>
  }
>()("@quittance/persistence/SignatureRequestsRepo") {
  static readonly layer = Layer.effect(
    SignatureRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("SignatureRequestsRepo.insert")(function* ({
        branchSeq,
        quotes,
        signature,
        signers
      }: NewSignatureRequest) {
        const tenantId = yield* CurrentTenant
        const { author, branchId, createdAt, documents, expiresAt, id, level, policyId } = signature
        const { message = null, quoteId, status } = signature
        yield* tenantSql.write(
          sql`INSERT INTO signature ${sql.insert({ tenantId, id, policyId, branchId, quoteId })}`
        )
        const row = {
          tenantId,
          signatureId: id,
          policyId,
          branchId,
          branchSeq,
          status,
          level,
          quotes: PgTypes.jsonb(quotes),
          documents: PgTypes.jsonb(documents),
          message,
          createdAt: toDate(createdAt),
          expiresAt: toDate(expiresAt),
          author
        }
        yield* tenantSql.write(sql`INSERT INTO signature_request ${sql.insert(row)}`)
        const [first, ...further] = signers.map(
          (
            { customerId = null, notifiedAt, order, phone = null, userId = null, ...signer },
            index
          ) => ({
            tenantId,
            signatureId: id,
            policyId,
            position: index + 1,
            customerId,
            userId,
            phone,
            signOrder: order,
            id: signer.id,
            role: signer.role,
            firstName: signer.firstName,
            lastName: signer.lastName,
            email: signer.email,
            delivery: signer.delivery,
            otp: signer.otp,
            status: signer.status,
            notifiedAt: notifiedAt === undefined ? null : toDate(notifiedAt)
          })
        )
        yield* tenantSql.write(
          sql`INSERT INTO signature_signer ${sql.insert([first!, ...further])}`
        )
      }, Effect.orDie)

      const place = Effect.fn("SignatureRequestsRepo.place")(function* (signatureId: SignatureId) {
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT policy_id, branch_id, branch_seq, quotes FROM signature_request
            WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${signatureId}
          `)
        )
        if (row === undefined) return yield* new SignatureNotFound({ signatureId })
        return yield* Effect.orDie(decodePlace(row))
      })

      const where = Effect.fnUntraced(function* (condition: Statement.Fragment) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly id: SignatureId }>`
          SELECT ${signatureColumns(sql)} FROM ${signatureFrom(sql)}
          WHERE s.tenant_id = ${tenantId} AND ${condition} ORDER BY s.id
        `)
        if (rows.length === 0) return []
        const signers = yield* tenantSql.read(sql`
          SELECT ${signerColumns(sql)} FROM signature_signer
          WHERE tenant_id = ${tenantId} AND signature_id = ANY (${rows.map(({ id }) => id)})
          ORDER BY signature_id, position
        `)
        const stored = signers.map(toSigner)
        return rows.map((row) => toSignature(row, stored))
      })

      const find = Effect.fn("SignatureRequestsRepo.find")(function* (id: SignatureId) {
        const [signature] = yield* where(sql`s.id = ${id}`)
        return signature!
      }, Effect.orDie)

      const open = Effect.fn("SignatureRequestsRepo.open")(function* (policyId: PolicyId) {
        return yield* where(sql`s.policy_id = ${policyId} AND r.status = 'OPEN'`)
      }, Effect.orDie)

      const end = Effect.fn("SignatureRequestsRepo.end")(function* (ended: SignatureEnd) {
        const { at, id, reason = null, status } = ended
        yield* tenantSql.write(sql`
          UPDATE signature_request SET status = ${status}, closed_at = ${toDate(at)},
            closed_reason = ${reason}
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id} AND status = 'OPEN'
        `)
      }, Effect.orDie)

      const complete = Effect.fn("SignatureRequestsRepo.complete")(function* (
        id: SignatureId,
        at: Instant
      ) {
        const completed = yield* tenantSql.write(sql`
          UPDATE signature_request SET status = 'COMPLETED', completed_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id} AND status = 'SEALING'
          RETURNING signature_id
        `)
        return completed.length > 0
      }, Effect.orDie)

      const chainEnd = Effect.fn("SignatureRequestsRepo.chainEnd")(function* (id: SignatureId) {
        const [last] = yield* tenantSql.read(sql<ChainEnd>`
          SELECT n, hash FROM signature_step
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ${id}
          ORDER BY n DESC LIMIT 1
        `)
        return last ?? chainStart
      }, Effect.orDie)

      const addSteps = Effect.fn("SignatureRequestsRepo.addSteps")(function* (
        { id: signatureId, policyId }: Pick<Signature, "id" | "policyId">,
        after: number,
        steps: ReadonlyArray<StoredStep>
      ) {
        const tenantId = yield* CurrentTenant
        const [first, ...further] = steps.map((step, index) => ({
          tenantId,
          signatureId,
          policyId,
          n: after + index + 1,
          ...step
        }))
        yield* tenantSql.write(sql`INSERT INTO signature_step ${sql.insert([first!, ...further])}`)
      }, Effect.orDie)

      const documents = Effect.fn("SignatureRequestsRepo.documents")(function* (
        policyId: PolicyId,
        branchId: BranchId,
        definitionIds: ReadonlyArray<string>
      ) {
        if (definitionIds.length === 0) return []
        return yield* tenantSql.read(sql<BranchDocument>`
          SELECT id AS document_id, definition_id, sha256, size::float8 AS size, pages FROM document
          WHERE tenant_id = ${yield* CurrentTenant} AND policy_id = ${policyId}
            AND branch_id = ${branchId} AND definition_id = ANY (${[...definitionIds]})
            AND trigger IN ('QUOTED', 'CONFIRMED') AND status IN ('PENDING', 'READY', 'FAILED')
          ORDER BY definition_id, created_at, id
        `)
      }, Effect.orDie)

      return SignatureRequestsRepo.of({
        insert,
        place,
        find,
        open,
        end,
        complete,
        chainEnd,
        addSteps,
        documents
      })
    })
  )
}

/** A document of a branch; without a hash where it is not made yet. */
export interface BranchDocument extends Omit<SignedDocument, "pages" | "sha256" | "size"> {
  readonly definitionId: string
  readonly sha256: string | null
  readonly size: number | null
  readonly pages: number | null
}
