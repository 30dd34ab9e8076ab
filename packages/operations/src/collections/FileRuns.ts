/** Makes files of debits: each opened once, filled debit by debit, and closed when it has all. */
import { fileMadeAt, lastSubmission } from "@quittance/bank/DebitDays"
import { numberText } from "@quittance/bank/References"
import type { PaymentFile } from "@quittance/domain/collections/PaymentFile"
import type { DebitScheme } from "@quittance/domain/payments/Mandate"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import { BankAccountId } from "@quittance/domain/values/Ids"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { DueDebitsRepo } from "@quittance/persistence/collections/DueDebitsRepo"
import { FileDeliveriesRepo } from "@quittance/persistence/collections/FileDeliveriesRepo"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { DebitFilling, worker } from "./DebitFilling.ts"

/** Debits of one run; the next one goes on. */
const debitsAtOnce = 250

export class FileRuns extends Context.Service<FileRuns, DueItemHandler>()(
  "@quittance/operations/FileRuns"
) {
  static readonly layer = Layer.effect(
    FileRuns,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const deliveries = yield* FileDeliveriesRepo
      const due = yield* DueItemsRepo
      const files = yield* PaymentFilesRepo
      const planned = yield* DueDebitsRepo
      const filling = yield* DebitFilling
      const ids = yield* Ids
      const numbers = yield* PaymentNumbersRepo
      const tenantSql = yield* TenantSql

      /** The file that is being filled, or a new one: one for an account and a scheme. */
      const opened = Effect.fnUntraced(function* (
        { id: bankAccountId, settings }: StoredBankAccount,
        scheme: DebitScheme,
        submitOn: LocalDate
      ) {
        yield* accounts.lock(bankAccountId)
        const open = yield* files.open(bankAccountId, scheme)
        if (open !== undefined) return open
        const { now } = yield* clock.read
        const run = (yield* files.runs({ bankAccountId, scheme, submitOn })) + 1
        const file: PaymentFile = {
          id: ids.next("payment_file"),
          bankAccountId,
          kind: "COLLECTION",
          scheme,
          submitOn,
          run,
          status: "OPEN",
          count: 0,
          sum: 0,
          groups: [],
          faults: [],
          answers: [],
          message: settings.profile.messages.debit,
          messageId: numberText("QC", yield* numbers.next("QC")),
          currency: settings.currency,
          openedAt: now
        }
        yield* files.insert(file)
        return file
      }, tenantSql.transaction)

      /** Closes a file to further debits; one that has none was for nothing. */
      const close = Effect.fnUntraced(function* ({ id }: PaymentFile, account: StoredBankAccount) {
        const held = yield* Effect.orDie(files.hold(id))
        if (held.status !== "OPEN") return
        const { now } = yield* clock.read
        const [first] = yield* files.debitsIn(id, "IN_FILE", { limit: 1 })
        if (first === undefined) {
          return yield* files.update({ ...held, status: "CANCELLED", cancelledAt: now })
        }
        const { count, sum } = yield* files.totals(id)
        yield* files.update({ ...held, status: "FILLED", count, sum })
        yield* audit.recordAll(worker, [
          { action: "paymentFile.fill", recordId: id, businessAt: now }
        ])
        const dueAt = lastSubmission(first.collectOn, account.settings)
        yield* due.schedule([{ kind: "deliverFiles", recordId: id, dueAt }])
        if (account.settings.channel === "FOLDER") yield* deliveries.put(id)
        if (account.settings.channel === "SIMULATED") {
          yield* due.schedule([{ kind: "answerAsBank", recordId: account.id, dueAt: now }])
        }
      }, tenantSql.transaction)

      /** A debit that can't be filled is left to people; the others go on. */
      const fillOne = (id: Parameters<DebitFilling["Service"]["fill"]>[0], file: PaymentFile) =>
        Effect.catchCause(filling.fill(id, file.id), (cause) =>
          Effect.logError("A debit could not be put into its file", { debitId: id }, cause)
        )

      /** Whether there is more of a scheme to do now. */
      const runOf = Effect.fnUntraced(function* (
        account: StoredBankAccount,
        scheme: DebitScheme,
        by: LocalDate
      ) {
        const { maxTransactions } = account.settings.profile
        const file = yield* opened(account, scheme, by)
        const { count } = yield* files.totals(file.id)
        const limit = Math.min(debitsAtOnce, maxTransactions - count)
        const found = { bankAccountId: account.id, scheme, by, limit }
        const debits = yield* planned.due(found)
        yield* Effect.forEach(debits, (id) => fillOne(id, file), { discard: true })
        const left = yield* planned.due({ ...found, limit: debitsAtOnce })
        const isStuck = left.length > 0 && left.every((id) => debits.includes(id))
        const isFull = (yield* files.totals(file.id)).count >= maxTransactions
        if (left.length > 0 && !isStuck && !isFull) return true
        yield* close(file, account)
        return left.length > 0 && !isStuck
      })

      const run = Effect.fn("FileRuns.run")(function* (recordId: string) {
        const id = BankAccountId.make(recordId)
        const account = yield* accounts.find(id)
        const { now } = yield* clock.read
        const today = localDate(now, account.settings.timeZone)
        const by = now >= fileMadeAt(today, account.settings) ? today : addDays(today, -1)
        const schemes = yield* planned.schemes(id, by)
        const more = yield* Effect.forEach(schemes, (scheme) => runOf(account, scheme, by))
        if (more.some(Boolean)) return "MORE" as const
        const next = yield* planned.nextDay(id)
        const outcome: DueItemOutcome =
          next === undefined || next <= by ? "DONE" : { again: fileMadeAt(next, account.settings) }
        return outcome
      })

      return FileRuns.of({ kind: "makeFiles", run })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      DebitFilling.layer,
      DueItemsRepo.layer,
      DueDebitsRepo.layer,
      FileDeliveriesRepo.layer,
      PaymentFilesRepo.layer,
      PaymentNumbersRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
