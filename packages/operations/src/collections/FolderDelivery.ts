/**
 * Brings files to the folders of their banks, each exactly once: whatever worker dies where, and whenever the bank
 * takes what it finds. A copy is written where no bank looks; the record then says which copy is released; it is
 * released in one step. What the record names and is not there any more has left.
 */
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type DueDelivery,
  FileDeliveriesRepo
} from "@quittance/persistence/collections/FileDeliveriesRepo"
import {
  PaymentFilesRepo,
  type StoredPaymentFile
} from "@quittance/persistence/collections/PaymentFilesRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { Contents } from "../contents/Contents.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { BankFolders } from "./BankFolders.ts"
import { worker } from "./DebitFilling.ts"
import { FileDelivery } from "./FileDelivery.ts"
import { FileSealing } from "./FileSealing.ts"

/** Files of one round. */
const filesOfRound = 20

export class FolderDelivery extends Context.Service<
  FolderDelivery,
  {
    /** Delivers files of all tenants that are due; whether more may be. */
    readonly round: Effect.Effect<boolean>
    /** Delivers one, from wherever an earlier try has stopped. */
    deliver(id: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/FolderDelivery") {
  static readonly layer = Layer.effect(
    FolderDelivery,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const deliveries = yield* FileDeliveriesRepo
      const delivery = yield* FileDelivery
      const files = yield* PaymentFilesRepo
      const folders = yield* BankFolders
      const sealing = yield* FileSealing
      const tenantSql = yield* TenantSql

      /** Says which copy is released, unless people were faster, or its day can't be met any more. */
      const begun = Effect.fnUntraced(function* (id: PaymentFileId, token: string) {
        const file = yield* Effect.orDie(files.hold(id))
        const { now } = yield* clock.read
        if (file.status !== "SEALED" || now >= (yield* delivery.latest(file))) return false
        yield* files.update({ ...file, status: "DELIVERING" })
        yield* deliveries.release(id, token)
        return true
      }, tenantSql.transaction)

      /** The bytes are written again for each try: no two tries have one copy. */
      const prepare = Effect.fnUntraced(function* (
        { contentAddress, id, messageId }: StoredPaymentFile,
        account: string
      ) {
        const token = randomUUID()
        // A sealed file has its bytes, and what is on record is not destroyed.
        const bytes = (yield* contents.read(contentAddress!))!
        yield* folders.write(account, copyOf(messageId, token), bytes)
        if (yield* begun(id, token)) return
        yield* folders.discard(account, copyOf(messageId, token))
      })

      const ended = Effect.fnUntraced(function* (id: PaymentFileId) {
        const file = yield* Effect.orDie(files.hold(id))
        const { now } = yield* clock.read
        if (file.status === "DELIVERING") yield* delivery.deliver(file, worker, now)
        yield* deliveries.remove(id)
      }, tenantSql.transaction)

      const release = Effect.fnUntraced(function* (
        { id, messageId }: StoredPaymentFile,
        account: string
      ) {
        const token = yield* deliveries.token(id)
        // Another worker has come to the end.
        if (token === undefined) return
        yield* folders.release(account, copyOf(messageId, token), `${messageId}.xml`)
        yield* ended(id)
        yield* folders.discard(account, messageId)
      })

      const deliver = Effect.fn("FolderDelivery.deliver")(function* (id: PaymentFileId) {
        const found = yield* Effect.orDie(files.find(id))
        const account = yield* accounts.find(found.bankAccountId)
        const isForFolder = account.settings.channel === "FOLDER"
        if (isForFolder && (found.status === "FILLED" || found.status === "SEALED")) {
          yield* Effect.flatMap(sealing.seal(id), (file) => prepare(file, account.name)).pipe(
            // It breaks what banks ask for, or was cancelled meanwhile.
            Effect.catchTag("InvalidTransition", () => Effect.void),
            Effect.catchTag("PaymentFileNotFound", Effect.die)
          )
        }
        const file = yield* Effect.orDie(files.find(id))
        // What was not begun is for people: its day is past, or they have taken it in hand.
        yield* file.status === "DELIVERING" ? release(file, account.name) : ended(id)
      })

      const one = ({ paymentFileId, tenantId }: DueDelivery) =>
        runFor(
          tenantId,
          Effect.gen(function* () {
            if (!(yield* tenantSql.transaction(deliveries.claim(paymentFileId)))) return
            yield* deliver(paymentFileId)
          }),
          { message: "A file could not be delivered and is tried again", answer: undefined }
        ).pipe(Effect.annotateLogs({ paymentFile: paymentFileId }))

      const round = Effect.gen(function* () {
        const due = yield* deliveries.due(filesOfRound)
        yield* Effect.forEach(due, one, { discard: true })
        return due.length === filesOfRound
      }).pipe(Effect.withSpan("FolderDelivery.round"))

      return FolderDelivery.of({ round, deliver })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      BankFolders.layer,
      Contents.layer,
      FileDeliveriesRepo.layer,
      FileDelivery.layer,
      FileSealing.layer,
      PaymentFilesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const copyOf = (messageId: string, token: string): string => `${messageId}.${token}`
