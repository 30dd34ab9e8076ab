/** Transfers that the simulated bank of a sandbox has received and not told yet. */
import type { SimulatedTransfer } from "@quittance/domain/collections/SimulatedTransfer"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BankTransferId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  id: BankTransferId,
  on: LocalDate,
  amount: IntColumn,
  debtorName: Schema.String,
  sealedIban: Schema.String,
  text: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String)
})
/** A transfer as its statement tells it; the payer's number is sealed for it. */
export type StoredTransfer = typeof Row.Type
const decode = Schema.decodeUnknownEffect(Row)

export class SimulatedTransfersRepo extends Context.Service<
  SimulatedTransfersRepo,
  {
    insert(
      transfer: SimulatedTransfer,
      kept: { readonly sealedIban: string; readonly receivedAt: Instant }
    ): Effect.Effect<void, never, CurrentTenant>
    /** One that is there. */
    find(id: BankTransferId): Effect.Effect<StoredTransfer, never, CurrentTenant>
    /** Forgets those that were told: the statement has them now. */
    told(ids: ReadonlyArray<BankTransferId>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SimulatedTransfersRepo") {
  static readonly layer = Layer.effect(
    SimulatedTransfersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert: SimulatedTransfersRepo["Service"]["insert"] = Effect.fn(
        "SimulatedTransfersRepo.insert"
      )(function* (transfer, { receivedAt, sealedIban }) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: transfer.id,
          bankAccountId: transfer.bankAccountId,
          bookedOn: transfer.bookedOn,
          dueAt: toDate(transfer.toldAt),
          amount: transfer.amount,
          debtorName: transfer.debtorName,
          sealedIban,
          remittance: transfer.text ?? null,
          reference: transfer.reference ?? null,
          receivedAt: toDate(receivedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO simulated_transfer ${sql.insert(row)}`)
      }, Effect.orDie)

      const find = Effect.fn("SimulatedTransfersRepo.find")(function* (id: BankTransferId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT id, booked_on::text AS "on", amount, debtor_name, sealed_iban, remittance AS text,
            reference
          FROM simulated_transfer WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return yield* decode(withoutNulls(row!))
      }, Effect.orDie)

      const told = Effect.fn("SimulatedTransfersRepo.told")(function* (
        ids: ReadonlyArray<BankTransferId>
      ) {
        if (ids.length === 0) return
        yield* tenantSql.write(sql`
          DELETE FROM simulated_transfer
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ANY (${[...ids]})
        `)
      }, Effect.orDie)

      return SimulatedTransfersRepo.of({ insert, find, told })
    })
  )
}
