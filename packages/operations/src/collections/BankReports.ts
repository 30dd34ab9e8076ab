/** Status reports of banks: what they say of a file is kept with them, and followed debit by debit after that. */
import type { PaymentStatusReport } from "@quittance/bank/BankEntry"
import {
  answeredStatus,
  isOnItsWay,
  type PaymentFileAnswer,
  PaymentFileId
} from "@quittance/domain/collections/PaymentFile"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  DebitRefusalsRepo,
  type RefusedDebit,
  type RefusedPart
} from "@quittance/persistence/collections/DebitRefusalsRepo"
import {
  PaymentFilesRepo,
  type StoredPaymentFile
} from "@quittance/persistence/collections/PaymentFilesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { worker } from "./DebitFilling.ts"
import { DebitRefusing } from "./DebitRefusing.ts"
import { FileDelivery } from "./FileDelivery.ts"

/** Debits of one run; the next one goes on. */
const debitsAtOnce = 250

type Reports = ReadonlyArray<PaymentStatusReport>

export class BankReports extends Context.Service<
  BankReports,
  DueItemHandler & {
    /** Keeps what a report says of files of an account, in the transaction that takes it. */
    take(id: BankAccountId, reports: Reports): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/BankReports") {
  static readonly layer = Layer.effect(
    BankReports,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const delivery = yield* FileDelivery
      const due = yield* DueItemsRepo
      const files = yield* PaymentFilesRepo
      const refusals = yield* DebitRefusalsRepo
      const refusing = yield* DebitRefusing
      const tenantSql = yield* TenantSql

      /** What is said of each file: by its number, by a group's, or by a debit's. */
      const byFile = Effect.fnUntraced(function* (id: BankAccountId, reports: Reports) {
        const own = reports.filter(({ level }) => level === "PAYMENT").map((one) => one.id)
        const ofDebits = yield* refusals.filesOfDebits(id, own)
        const ofFiles = yield* refusals.filesOf(id, [...new Set(reports.map(fileNumber))])
        const fileOf = (report: PaymentStatusReport) =>
          report.level === "PAYMENT" ? ofDebits.get(report.id) : ofFiles.get(fileNumber(report))
        const told = reports.flatMap((report) => {
          const paymentFileId = fileOf(report)
          return paymentFileId === undefined ? [] : [{ paymentFileId, report }]
        })
        return Map.groupBy(told, ({ paymentFileId }) => paymentFileId)
      })

      /** The file as the bank has it: its answer says that it has it. */
      const held = Effect.fnUntraced(function* (id: PaymentFileId, now: Instant) {
        const file = yield* Effect.orDie(files.hold(id))
        return isOnItsWay(file) ? yield* delivery.deliver(file, worker, now) : file
      })

      const answered = Effect.fnUntraced(function* (
        before: StoredPaymentFile,
        reports: Reports,
        now: Instant
      ) {
        yield* Effect.forEach(refusedParts(before, reports, now), refusals.refuse)
        const after: StoredPaymentFile = {
          ...before,
          answers: [...before.answers, ...answersOf(reports, now)],
          status: answeredStatus({
            status: before.status,
            count: before.count,
            rejected: yield* refusals.count(before.id),
            isAccepted: reports.some(({ outcome }) => outcome === "ACCEPTED")
          })
        }
        yield* files.update(after)
        yield* audit.recordAll(worker, [
          { action: "paymentFile.answer", recordId: before.id, before, after, businessAt: now }
        ])
        yield* due.schedule([{ kind: "readBankFiles", recordId: before.id, dueAt: now }])
      })

      const take = Effect.fn("BankReports.take")(function* (id: BankAccountId, reports: Reports) {
        const { now } = yield* clock.read
        const told = yield* byFile(id, reports)
        for (const fileId of [...told.keys()].toSorted()) {
          const file = yield* held(fileId, now)
          if (file.status === "CANCELLED") continue
          const own = told.get(fileId)!.map(({ report }) => report)
          yield* answered(file, own, now)
        }
      })

      const follow = Effect.fnUntraced(function* ({ debitId, reasonCode }: RefusedDebit) {
        yield* refusing.refuse({ debitId, reasonCode, on: undefined })
        yield* refusals.followed(debitId)
      }, tenantSql.transaction)

      const run = Effect.fn("BankReports.run")(function* (recordId: string) {
        const open = yield* refusals.open(PaymentFileId.make(recordId), debitsAtOnce)
        yield* Effect.forEach(open, follow, { discard: true })
        return open.length === debitsAtOnce ? ("MORE" as const) : ("DONE" as const)
      })

      return BankReports.of({ kind: "readBankFiles", run, take })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      DebitRefusalsRepo.layer,
      DebitRefusing.layer,
      DueItemsRepo.layer,
      FileDelivery.layer,
      PaymentFilesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

/** The number of the file that a report is about: a group's number begins with it. */
const fileNumber = ({ id, level, messageId }: PaymentStatusReport): string =>
  level === "GROUP" ? id.replace(/-\d+$/u, "") : level === "FILE" ? id : messageId

const isRefused = ({ outcome }: PaymentStatusReport): boolean => outcome === "REJECTED"

/** What a bank refuses: single debits before groups, and these before the file, since the first reason stays. */
const refusedParts = (
  { groups, id: paymentFileId }: StoredPaymentFile,
  reports: Reports,
  toldAt: Instant
): ReadonlyArray<RefusedPart> => {
  const refused = reports.filter(isRefused)
  const single = refused
    .filter(({ level }) => level === "PAYMENT")
    .map(({ id, reasonCode }) => ({ endToEndId: id, reasonCode }))
  const ofGroups = refused.flatMap(({ id, level, reasonCode }) => {
    const of = groups.find(({ paymentInformationId }) => paymentInformationId === id)
    return level !== "GROUP" || of === undefined ? [] : [{ paymentFileId, toldAt, reasonCode, of }]
  })
  const whole = refused
    .filter(({ level }) => level === "FILE")
    .map(({ reasonCode }) => ({ paymentFileId, toldAt, reasonCode, of: "FILE" as const }))
  return [
    ...(single.length === 0 ? [] : [{ paymentFileId, toldAt, reasonCode: undefined, of: single }]),
    ...ofGroups,
    ...whole
  ]
}

const answersOf = (reports: Reports, at: Instant): ReadonlyArray<PaymentFileAnswer> =>
  reports
    .filter(({ level }) => level !== "PAYMENT")
    .map(({ code, id, reasonCode }) => ({
      id,
      code,
      at,
      ...(reasonCode === undefined ? {} : { reasonCode })
    }))
