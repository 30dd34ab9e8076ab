import type { Instant } from "@quittance/domain/values/Instant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { BranchId, PolicyId, QuoteId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The evidence of a signature: who agreed to what, when, and from where. */
export interface Signature {
  readonly id: string
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly quoteId: QuoteId
  readonly signer: { readonly firstName: string; readonly lastName: string; readonly email: string }
  readonly textId: string
  /** SHA-256 of the text that was shown, in hex. */
  readonly textHash: string
  readonly signedAt: Instant
  readonly address: string
  readonly userAgent: string
}

export class SignaturesRepo extends Context.Service<
  SignaturesRepo,
  { insert(signature: Signature): Effect.Effect<void, never, CurrentTenant> }
>()("@quittance/persistence/SignaturesRepo") {
  static readonly layer = Layer.effect(
    SignaturesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("SignaturesRepo.insert")(function* (signature: Signature) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...signature,
          signer: PgTypes.jsonb(signature.signer),
          signedAt: toDate(signature.signedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO signature ${sql.insert(row)}`)
      }, Effect.orDie)

      return SignaturesRepo.of({ insert })
    })
  )
}
