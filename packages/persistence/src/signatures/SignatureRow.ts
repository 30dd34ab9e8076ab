/** How signatures are read, whichever way they are made. */
import { SignedDocument, SignerName } from "@quittance/domain/signatures/EvidenceStep"
import { type Signature, SignedConsent } from "@quittance/domain/signatures/Signature"
import { SignatureStatus } from "@quittance/domain/signatures/SignatureLifecycle"
import { type RequestedSigner, Signer } from "@quittance/domain/signatures/Signer"
import { SignatureLevel } from "@quittance/domain/products/sale/SignatureTerms"
import { BranchId, PolicyId, QuoteId, SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"

const Row = Schema.Struct({
  id: SignatureId,
  policyId: PolicyId,
  branchId: BranchId,
  quoteId: QuoteId,
  stateDigest: Schema.String,
  // Of a signature by one call.
  signer: Schema.optionalKey(SignerName),
  consents: Schema.optionalKey(Schema.Array(SignedConsent)),
  signedAt: Schema.optionalKey(InstantColumn),
  // Of one that was requested.
  status: Schema.optionalKey(SignatureStatus),
  level: Schema.optionalKey(SignatureLevel),
  documents: Schema.optionalKey(Schema.Array(SignedDocument)),
  message: Schema.optionalKey(Schema.String),
  createdAt: Schema.optionalKey(InstantColumn),
  expiresAt: Schema.optionalKey(InstantColumn),
  author: Schema.optionalKey(Schema.String),
  completedAt: Schema.optionalKey(InstantColumn),
  closedAt: Schema.optionalKey(InstantColumn),
  closedReason: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownSync(Row)

/** The columns of a signature `s` with its quote `q` and its request `r`. */
export const signatureColumns = (sql: SqlClient.SqlClient) => sql`
  s.id, s.policy_id, s.branch_id, s.quote_id, q.priced_hash AS state_digest, s.signer,
  CASE WHEN s.signer IS NULL THEN NULL ELSE coalesce(s.consents, jsonb_build_array(
    jsonb_build_object('textId', s.text_id, 'textHash', s.text_hash))) END AS consents,
  coalesce(s.signed_at, r.signed_at) AS signed_at, r.status, r.level, r.documents, r.message,
  r.created_at, r.expires_at, r.author, r.completed_at, r.closed_at, r.closed_reason`

export const signatureFrom = (sql: SqlClient.SqlClient) => sql`
  signature s JOIN quote q ON q.tenant_id = s.tenant_id AND q.id = s.quote_id
  LEFT JOIN signature_request r ON r.tenant_id = s.tenant_id AND r.signature_id = s.id`

const SignerRow = Schema.Struct({
  signatureId: SignatureId,
  ...Signer.fields,
  id: SignerId,
  consents: Schema.Array(SignedConsent),
  role: Schema.String,
  order: Schema.Int,
  delivery: Signer.fields.delivery.schema,
  otp: Signer.fields.otp.schema,
  status: Signer.fields.status.schema,
  notifiedAt: Schema.optionalKey(InstantColumn),
  openedAt: Schema.optionalKey(InstantColumn),
  provenAt: Schema.optionalKey(InstantColumn),
  signedAt: Schema.optionalKey(InstantColumn),
  declinedAt: Schema.optionalKey(InstantColumn)
})
const decodeSigner = Schema.decodeUnknownSync(SignerRow)

export const signerColumns = (sql: SqlClient.SqlClient) => sql`
  signature_id, id, first_name, last_name, email, phone, customer_id, user_id, role,
  sign_order AS "order", delivery, otp, status, consents, notified_at, opened_at, proven_at, signed_at,
  declined_at, decline_reason, nullif(reminded_at, '[]'::jsonb) AS reminded_at`

/** A signer as they are stored, with the texts that they have accepted. */
export interface StoredSigner extends RequestedSigner {
  readonly signatureId: SignatureId
  readonly consents: ReadonlyArray<SignedConsent>
}

export const toSigner = (row: object): StoredSigner => decodeSigner(withoutNulls(row))

/** A signature as it is shown, of its row and its signers in their order. */
export const toSignature = (row: object, stored: ReadonlyArray<StoredSigner>): Signature => {
  const { consents, id, level, signer, status, ...rest } = decode(withoutNulls(row))
  const { branchId, policyId, quoteId, stateDigest, ...further } = rest
  if (signer !== undefined || status === undefined || level === undefined) {
    return {
      id,
      policyId,
      branchId,
      quoteId,
      stateDigest,
      consents: consents ?? [],
      ...further,
      status: "COMPLETED",
      method: "CLICK",
      level: "SIMPLE",
      signers: signer === undefined ? [] : [signer]
    }
  }
  const own = stored.filter(({ signatureId }) => signatureId === id)
  return {
    ...rest,
    id,
    status,
    method: "REQUEST",
    level,
    signers: own.map(({ consents: _consents, signatureId: _signatureId, ...one }) => one),
    consents: [
      ...new Map(own.flatMap((one) => one.consents.map((text) => [text.textId, text]))).values()
    ]
  }
}
