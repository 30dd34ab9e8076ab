/** Signatures with their steps: both are added, and never changed. */
import { PgTypes } from "@effect/sql-pg"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller, type Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SignerName, StoredStep } from "@quittance/domain/signatures/EvidenceStep"
import {
  type Signature,
  SignatureNotFound,
  type SignedConsent
} from "@quittance/domain/signatures/Signature"
import type { BranchId, PolicyId, QuoteId, SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import {
  signatureColumns,
  signatureFrom,
  signerColumns,
  type StoredSigner,
  toSignature,
  toSigner
} from "./SignatureRow.ts"

/** A signature by one call, as it is recorded. */
export interface RecordedSignature {
  readonly id: SignatureId
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly quoteId: QuoteId
  readonly signer: SignerName
  /** At least one. */
  readonly consents: ReadonlyArray<SignedConsent>
  readonly signedAt: Instant
  readonly address: string
  readonly userAgent: string
  /** At least one. */
  readonly steps: ReadonlyArray<StoredStep>
}

/** The audit trail's action of a signature; its row has the hash of the last step. */
export const signedAction = "signature.complete"

export class SignaturesRepo extends Context.Service<
  SignaturesRepo,
  {
    insert(signature: RecordedSignature): Effect.Effect<void, never, CurrentTenant>
    /** Fetches a signature with the permission on its policy; a client sees all of its tenant. */
    authorize(
      action: Action,
      id: SignatureId
    ): Effect.Effect<Signature, Forbidden | SignatureNotFound, CurrentTenant | CurrentCaller>
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Signature>; readonly total: number },
      never,
      CurrentTenant
    >
    /** The steps in their order, and the hash of the last one as the audit trail has it. */
    steps(id: SignatureId): Effect.Effect<
      {
        readonly steps: ReadonlyArray<StoredStep>
        readonly head: string | undefined
      },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/SignaturesRepo") {
  static readonly layer = Layer.effect(
    SignaturesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }

      const insert = Effect.fn("SignaturesRepo.insert")(function* ({
        consents,
        steps,
        ...signature
      }: RecordedSignature) {
        const tenantId = yield* CurrentTenant
        const { textHash, textId } = consents[0]!
        const row = {
          tenantId,
          ...signature,
          // Programs of the version before read the first text here.
          textId,
          textHash,
          consents: PgTypes.jsonb(consents),
          signer: PgTypes.jsonb(signature.signer),
          signedAt: toDate(signature.signedAt)
        }
        const { id: signatureId, policyId } = signature
        const [first, ...further] = steps.map((step, index) => ({
          tenantId,
          signatureId,
          policyId,
          n: index + 1,
          ...step
        }))
        yield* tenantSql.write(sql`INSERT INTO signature ${sql.insert(row)}`)
        yield* tenantSql.write(sql`INSERT INTO signature_step ${sql.insert([first!, ...further])}`)
      }, Effect.orDie)

      const columns = signatureColumns(sql)
      const from = signatureFrom(sql)

      /** The signers of requested signatures, in their order. */
      const signersOf = Effect.fnUntraced(function* (ids: ReadonlyArray<SignatureId>) {
        if (ids.length === 0) return []
        const rows = yield* tenantSql.read(sql`
          SELECT ${signerColumns(sql)} FROM signature_signer
          WHERE tenant_id = ${yield* CurrentTenant} AND signature_id = ANY (${[...ids]})
          ORDER BY signature_id, position
        `)
        return rows.map(toSigner)
      })

      /** Rows with their signers; those by one call have theirs in their row. */
      const whole = Effect.fnUntraced(function* (
        rows: ReadonlyArray<{ readonly id: SignatureId; readonly status: string | null }>
      ) {
        const requested = rows.filter(({ status }) => status !== null).map(({ id }) => id)
        const signers: ReadonlyArray<StoredSigner> = yield* signersOf(requested)
        return rows.map((row) => toSignature(row, signers))
      })

      const authorize = Effect.fn("SignaturesRepo.authorize")(function* (
        action: Action,
        id: SignatureId
      ) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        const granted =
          caller._tag === "Client"
            ? sql`true`
            : yield* Effect.orDie(grants.onPolicy(action, policy))
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{
            readonly granted: boolean
            readonly id: SignatureId
            readonly status: string | null
          }>`
            SELECT ${columns}, ${granted} AS granted
            FROM ${from}
            JOIN policy p ON p.tenant_id = s.tenant_id AND p.id = s.policy_id
            WHERE s.tenant_id = ${tenantId} AND s.id = ${id}
          `)
        )
        if (row === undefined) return yield* new SignatureNotFound({ signatureId: id })
        const { granted: isGranted, ...signature } = row
        if (!isGranted) return yield* grants.refuse(action)
        const [found] = yield* Effect.orDie(whole([signature]))
        return found!
      })

      const list = Effect.fn("SignaturesRepo.list")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{
          readonly id: SignatureId
          readonly status: string | null
        }>`
          SELECT ${columns} FROM ${from}
          WHERE s.tenant_id = ${tenantId} AND s.policy_id = ${policyId}
          ORDER BY coalesce(s.signed_at, r.created_at) DESC, s.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM signature
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* whole(rows), total: counted!.total }
      }, Effect.orDie)

      const steps = Effect.fn("SignaturesRepo.steps")(function* (id: SignatureId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<StoredStep>`
          SELECT content, hash FROM signature_step
          WHERE tenant_id = ${tenantId} AND signature_id = ${id} ORDER BY n
        `)
        const [anchor] = yield* tenantSql.read(sql<{ readonly head: string }>`
          SELECT detail ->> 'after' AS head FROM audit
          WHERE tenant_id = ${tenantId} AND record_id = ${id} AND action LIKE 'signature.%'
            AND outcome = 'DONE'
          ORDER BY coalesce((detail ->> 'steps')::int, 0) DESC, recorded_at, id LIMIT 1
        `)
        return { steps: rows, head: anchor?.head }
      }, Effect.orDie)

      return SignaturesRepo.of({ insert, authorize, list, steps })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
