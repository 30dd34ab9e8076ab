/** What statements and status reports tell of debits and their files: found by their numbers, collected, undone. */
import type { OwnRecord } from "@quittance/billing/treasury/Matching"
import type { DebitId } from "@quittance/domain/collections/Debit"
import { isOnItsWay, PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { OwnNumbersRepo } from "@quittance/persistence/collections/OwnNumbersRepo"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import type { HeardPayments } from "../treasury/OwnPayments.ts"
import { BankReports } from "./BankReports.ts"
import { worker } from "./DebitFilling.ts"
import { DebitRefusing } from "./DebitRefusing.ts"
import { FileDelivery } from "./FileDelivery.ts"

/** The record was found by `find`, which has debits under this kind. */
const debitIdOf = ({ recordId }: OwnRecord): DebitId => recordId as DebitId

export class OwnDebits extends Context.Service<OwnDebits, HeardPayments>()(
  "@quittance/operations/OwnDebits"
) {
  static readonly layer = Layer.effect(
    OwnDebits,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const debits = yield* DebitsRepo
      const delivery = yield* FileDelivery
      const files = yield* PaymentFilesRepo
      const numbers = yield* OwnNumbersRepo
      const policies = yield* PoliciesRepo
      const refusing = yield* DebitRefusing
      const reports = yield* BankReports

      /** A bank awaits the money of a debit with that of its file. */
      const find = Effect.fn("OwnDebits.find")(function* (asked: ReadonlyArray<string>) {
        const found = yield* numbers.find(asked)
        return new Map(
          found.map(({ paymentFileId: cashRecordId, ...record }): readonly [string, OwnRecord] => [
            record.number,
            { ...record, cashRecordId }
          ])
        )
      })

      /** What a bank has booked was delivered, whether people have said so or not. */
      const delivered = Effect.fnUntraced(function* ({ cashRecordId }: OwnRecord) {
        const file = yield* Effect.orDie(files.hold(PaymentFileId.make(cashRecordId)))
        const { now } = yield* clock.read
        if (isOnItsWay(file)) yield* delivery.deliver(file, worker, now)
      })

      const moved: HeardPayments["moved"] = ({ record }) => delivered(record)

      const cameBack = Effect.fn("OwnDebits.cameBack")(function* ({
        bookedOn: on,
        reasonCode,
        record
      }: Parameters<HeardPayments["cameBack"]>[0]) {
        const debitId = debitIdOf(record)
        const { policyId } = yield* debits.find(debitId)
        // Heads come before files.
        yield* policies.hold(policyId)
        yield* delivered(record)
        yield* refusing.refuse({ debitId, reasonCode, on })
      })

      return OwnDebits.of({ find, moved, cameBack, report: reports.take })
    })
  ).pipe(
    Layer.provide([
      BankReports.layer,
      DebitRefusing.layer,
      DebitsRepo.layer,
      FileDelivery.layer,
      OwnNumbersRepo.layer,
      PaymentFilesRepo.layer,
      PoliciesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
