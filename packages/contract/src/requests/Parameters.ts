/** Parameters that many routes share. */
import { InstantFromString } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Schema, SchemaAST } from "effect"
import { BranchId } from "@quittance/domain/values/Ids"

/** Chosen by the caller for one request and its repetitions; 1 to 200 visible ASCII characters. */
export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\u0021-\u007e]{1,200}$/u, {
    message: "Expected 1 to 200 visible ASCII characters"
  })
)

/** A strong etag, as an earlier read has answered it. */
export const StrongEtag = Schema.String.check(
  Schema.isPattern(/^"[\u0021\u0023-\u007e]{1,100}"$/u, {
    message: 'Expected the strong etag of a read, such as "7"'
  })
)

/** Headers of a write that has a caller. */
export const writeHeaders = { "idempotency-key": Schema.optionalKey(IdempotencyKey) }

/** Headers of a write of a policy. */
export const policyHeaders = { ...writeHeaders, "if-match": Schema.optionalKey(StrongEtag) }

/** Query of a write that has a caller: browsers can't send the header. */
export const writeQuery = { idempotencyKey: Schema.optionalKey(IdempotencyKey) }

/** The same where a write may be tried: a dry run answers what it would answer and writes nothing. */
export const triedQuery = { dryRun: Schema.optionalKey(Schema.Boolean), ...writeQuery }

/** On which branch, and as of when. */
export const viewQuery = {
  branchId: Schema.optionalKey(BranchId),
  whenAt: Schema.optionalKey(InstantFromString)
}

const knownAt = Schema.optionalKey(InstantFromString)

/** Query of a read of what is recorded of a policy: as it is known now, or was by an instant. */
export const recordQuery = { knownAt }

/** The same of one branch. */
export const branchQuery = { branchId: viewQuery.branchId, knownAt }

/** The same as of when: all that a read of a policy's versions takes. */
export const readQuery = { ...viewQuery, knownAt }

/** Query of a command on a policy; a dry run answers what it would answer and writes nothing. */
export const commandQuery = {
  ...viewQuery,
  dryRun: Schema.optionalKey(Schema.Boolean),
  ...writeQuery
}

/** Beyond it the number of the first item would no longer be an exact integer. */
const lastPage = Math.floor(Number.MAX_SAFE_INTEGER / 100)

/** Which page of a list. */
export const pageQuery = {
  count: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: lastPage })))
}

export const defaultCount = 10

/** The page that a query asks for: ten items of the first, unless it says otherwise. */
export const pageRequest = ({
  count = defaultCount,
  page = 1
}: {
  readonly count?: number
  readonly page?: number
}): PageRequest => ({ count, page })

/** The body of a command that says all with its path: an object without a member. */
export const NoMembers = Schema.Record(Schema.String, Schema.Never).annotate({
  identifier: "NoMembers"
})

/** The names of the parameters in a part of a request. */
export const parameterNames = (schema: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = schema === undefined ? undefined : SchemaAST.toEncoded(schema.ast)
  return ast !== undefined && SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name }) => String(name))
    : []
}
