/**
 * The simulated bank of sandboxes: it takes files where a bank's program would, and answers with files that the
 * readers of every bank read, each at its time and once.
 */
import { firstSubmission } from "@quittance/bank/DebitDays"
import { readPaymentOrders } from "@quittance/bank/PaymentOrderReader"
import { answer, type BankAnswer } from "@quittance/bank/SimulatedBank"
import { incomingTransfer } from "@quittance/bank/SimulatedBookings"
import {
  dayNotification,
  dayStatement,
  reportTime,
  statementTime
} from "@quittance/bank/SimulatedDays"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BankAccountId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { timeOfDay } from "@quittance/domain/values/TimeZone"
import {
  PaymentFilesRepo,
  type StoredPaymentFile
} from "@quittance/persistence/collections/PaymentFilesRepo"
import {
  type DueAnswer,
  type PlannedAnswer,
  SimulatedAnswersRepo
} from "@quittance/persistence/collections/SimulatedAnswersRepo"
import {
  SimulatedTransfersRepo,
  type StoredTransfer
} from "@quittance/persistence/collections/SimulatedTransfersRepo"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import { comesAgain } from "@quittance/persistence/sql/DatabaseFailure"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { BankStatementsRepo } from "@quittance/persistence/treasury/BankStatementsRepo"
import { Cause, Context, Effect, Layer, Redacted } from "effect"
import { Contents } from "../contents/Contents.ts"
import { AccountSeals } from "../payments/AccountSeals.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { BankStatements } from "../treasury/BankStatements.ts"
import { EntryMatching } from "../treasury/EntryMatching.ts"
import { worker } from "./DebitFilling.ts"
import { FileDelivery } from "./FileDelivery.ts"
import { FileSealing } from "./FileSealing.ts"

export class BankSimulation extends Context.Service<BankSimulation, DueItemHandler>()(
  "@quittance/operations/BankSimulation"
) {
  static readonly layer = Layer.effect(
    BankSimulation,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const answers = yield* SimulatedAnswersRepo
      const booked = yield* BankStatementsRepo
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const delivery = yield* FileDelivery
      const files = yield* PaymentFilesRepo
      const matching = yield* EntryMatching
      const sealing = yield* FileSealing
      const seals = yield* AccountSeals
      const statements = yield* BankStatements
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const transfers = yield* SimulatedTransfersRepo

      const delivered = Effect.fnUntraced(function* (id: PaymentFileId) {
        const file = yield* Effect.orDie(files.hold(id))
        const { now } = yield* clock.read
        if (file.status !== "SEALED" || now >= (yield* delivery.latest(file))) return
        yield* delivery.deliver(file, worker, now)
      }, tenantSql.transaction)

      /** Takes a file as a bank's program does. One that breaks what banks ask for is left to people. */
      const fetched = (id: PaymentFileId) =>
        sealing.seal(id).pipe(
          Effect.andThen(delivered(id)),
          Effect.catchTag("InvalidTransition", () => Effect.void),
          Effect.orDie
        )

      /** What the bank makes of a file: the same whenever it is asked. */
      const answerTo = Effect.fnUntraced(function* (
        file: StoredPaymentFile,
        { settings }: StoredBankAccount
      ) {
        // A file that its bank has is sealed, and what is on record is not destroyed.
        const bytes = (yield* contents.read(file.contentAddress!))!
        const printOf = yield* seals.printer
        const counts = yield* answers.before(file.id)
        return answer(readPaymentOrders([bytes]), {
          receivedOn: firstSubmission(settings, file.deliveredAt!),
          before: (iban) => counts.get(printOf(iban)) ?? 0
        })
      })

      const looked = Effect.fnUntraced(function* (account: StoredBankAccount, id: PaymentFileId) {
        const file = yield* Effect.orDie(files.find(id))
        yield* answers.plan(file, plannedBy(yield* answerTo(file, account), account))
      }, tenantSql.transaction)

      const entryOf = ({ debtorName: name, sealedIban, ...transfer }: StoredTransfer) =>
        Effect.map(seals.open(transfer.id, sealedIban), (iban) =>
          incomingTransfer({ ...transfer, debtor: { name, iban: Redacted.value(iban) } })
        )

      const messageOf = Effect.fnUntraced(function* (account: StoredBankAccount, due: DueAnswer) {
        const found = yield* Effect.forEach(due.paymentFileIds, (id) =>
          Effect.flatMap(Effect.orDie(files.find(id)), (file) => answerTo(file, account))
        )
        if (due.kind === "REPORT") return found[0]!.report.text
        const arrived = yield* Effect.forEach(due.transferIds, (id) =>
          Effect.flatMap(transfers.find(id), entryOf)
        )
        const entries = [...found.flatMap(({ bookings }) => bookings), ...arrived].filter(
          ({ bookedOn }) => bookedOn === due.toldOn
        )
        const last = yield* booked.last(account.id)
        const day = {
          iban: Redacted.value(yield* seals.open(account.id, account.sealedIban)),
          on: due.toldOn,
          sequence: (last?.sequence ?? 0) + 1,
          entries
        }
        return due.kind === "STATEMENT"
          ? dayStatement(day, last?.closing ?? account.settings.openingBalance ?? 0)
          : dayNotification({ ...day, entries: entries.filter(({ isReversal }) => isReversal) })
      })

      /** Sends the next message, if its time has come: it is read as any bank's. */
      const sent = Effect.fnUntraced(function* (account: StoredBankAccount) {
        yield* accounts.lock(account.id)
        const due = yield* answers.next(account.id)
        const { now } = yield* clock.read
        if (due === undefined || now < due.dueAt) return { next: due?.dueAt, isSent: false }
        const bytes = Buffer.from(yield* messageOf(account, due))
        yield* Effect.orDie(statements.takeFor(account.id, bytes, worker))
        yield* answers.told(due, now)
        yield* transfers.told(due.transferIds)
        return { next: due.dueAt, isSent: true }
      }, tenantSql.transaction)

      /** What the bank can't read, or no file can be made of, is left to people; the others go on. */
      const parked = Effect.fnUntraced(function* (id: PaymentFileId) {
        const file = yield* Effect.orDie(files.hold(id))
        const fault = { rule: "SIMULATED_BANK", at: file.messageId, message: unreadable }
        yield* files.update({ ...file, faults: [...file.faults, fault] })
      }, tenantSql.transaction)

      const orParked = (id: PaymentFileId, work: Effect.Effect<void, never, CurrentTenant>) =>
        Effect.catchCause(work, (cause) =>
          // A store that is away is asked again with the whole item.
          comesAgain(cause) && !(Cause.squash(cause) instanceof NotReady)
            ? Effect.andThen(
                Effect.logError("The simulated bank could not read a file", { id }, cause),
                parked(id)
              )
            : Effect.failCause(cause)
        )

      const isSimulated = Effect.fnUntraced(function* ({ settings }: StoredBankAccount) {
        if (settings.channel !== "SIMULATED") return false
        const tenant = yield* tenants.find(yield* CurrentTenant)
        return tenant !== undefined && tenant.environment !== "production"
      })

      const run = Effect.fn("BankSimulation.run")(function* (recordId: string) {
        const id = BankAccountId.make(recordId)
        const account = yield* accounts.find(id)
        if (!(yield* isSimulated(account))) return "DONE" as const
        for (const fileId of yield* answers.waiting(id)) yield* orParked(fileId, fetched(fileId))
        for (const fileId of yield* answers.received(id)) {
          yield* orParked(fileId, looked(account, fileId))
        }
        const { isSent, next } = yield* sent(account)
        // What it says of debits is followed at its time, also on the way of a test clock.
        if (isSent) yield* matching.ofTenant
        const outcome: DueItemOutcome =
          next === undefined ? "DONE" : isSent ? "MORE" : { again: next }
        return outcome
      })

      return BankSimulation.of({ kind: "answerAsBank", run })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      BankAccountsRepo.layer,
      BankStatements.layer,
      BankStatementsRepo.layer,
      Contents.layer,
      EntryMatching.layer,
      FileDelivery.layer,
      FileSealing.layer,
      PaymentFilesRepo.layer,
      SimulatedAnswersRepo.layer,
      SimulatedTransfersRepo.layer,
      TenantClockRepo.layer,
      TenantsRepo.layer
    ])
  )
}

const unreadable =
  "The simulated bank can't read the file; cancel it, or say what a bank would by a status report of your own."

/** A report in the morning; returns in the morning of their day, too; a statement at its end. */
const plannedBy = (
  { bookings, report }: BankAnswer,
  { settings: { timeZone } }: StoredBankAccount
): ReadonlyArray<PlannedAnswer> => {
  const at = (kind: PlannedAnswer["kind"], toldOn: LocalDate, time: string): PlannedAnswer => ({
    kind,
    toldOn,
    dueAt: timeOfDay(toldOn, time, timeZone)
  })
  const days = (all: BankAnswer["bookings"]) => [...new Set(all.map(({ bookedOn }) => bookedOn))]
  const back = bookings.filter(({ isReversal }) => isReversal)
  return [
    at("REPORT", report.on, reportTime),
    ...days(back).map((day) => at("NOTIFICATION", day, reportTime)),
    ...days(bookings).map((day) => at("STATEMENT", day, statementTime))
  ]
}
