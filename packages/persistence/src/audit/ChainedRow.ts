/** A row of the audit trail, as it is chained: each value as the text that says what is stored. */
import { Schema, SchemaGetter } from "effect"
import { IntColumn } from "../sql/Columns.ts"
import { AuditDetail } from "@quittance/domain/requests/Actor"

/** Any member of a tampered row may be missing. */
export const StoredHash = Schema.NullOr(Schema.String)

/** A detail that is not made of texts can't have been written by us, and reads as `null`. */
const Detail = Schema.Unknown.pipe(
  Schema.decodeTo(Schema.NullOr(AuditDetail), {
    decode: SchemaGetter.transform((detail) => (isDetail(detail) ? detail : null)),
    encode: SchemaGetter.transform((detail) => detail)
  })
)
const isDetail = Schema.is(AuditDetail)

const ChainedRow = Schema.Struct({
  id: Schema.String,
  recordedAt: StoredHash,
  businessAt: StoredHash,
  actorKind: StoredHash,
  actorId: StoredHash,
  action: StoredHash,
  recordId: StoredHash,
  requestId: StoredHash,
  outcome: StoredHash,
  detail: Detail
})

export const UnsealedRow = Schema.Struct({ ...ChainedRow.fields, storedAt: Schema.String })

export const SealedRow = Schema.Struct({
  ...ChainedRow.fields,
  position: IntColumn,
  hash: StoredHash,
  sealedAt: StoredHash
})
