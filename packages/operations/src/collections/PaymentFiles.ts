/** Files of debits, as people see them, fetch them, and tell that the bank has them. */
import type { PaymentFileFilter } from "@quittance/domain/collections/CollectionRequests"
import type { Debit } from "@quittance/domain/collections/Debit"
import {
  commandedFile,
  type PaymentFile,
  type PaymentFileCommand,
  type PaymentFileId,
  type PaymentFileNotFound
} from "@quittance/domain/collections/PaymentFile"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { PaymentFilesRepo, shownFile } from "@quittance/persistence/collections/PaymentFilesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { Contents } from "../contents/Contents.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { FileDelivery } from "./FileDelivery.ts"
import { FileSealing } from "./FileSealing.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest

type Stepped = Effect.Effect<
  PaymentFile,
  Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidTransition | PaymentFileNotFound,
  Scoped
>

export class PaymentFiles extends Context.Service<
  PaymentFiles,
  {
    /** The latest first. */
    list(
      filter: PaymentFileFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<PaymentFile>, Forbidden, Asked>
    get(id: PaymentFileId): Effect.Effect<PaymentFile, Forbidden | PaymentFileNotFound, Asked>
    /** Its debits. */
    items(
      id: PaymentFileId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Debit>, Forbidden | PaymentFileNotFound, Asked>
    /** Its bytes as they were sealed, which name accounts: who fetches them is on record first. */
    content(
      id: PaymentFileId
    ): Effect.Effect<
      { readonly messageId: string; readonly bytes: Uint8Array },
      Forbidden | InvalidTransition | PaymentFileNotFound,
      Scoped
    >
    /** Records that the bank has it. */
    markDelivered(id: PaymentFileId): Stepped
    /** Cancels one that has not left; its debits are planned anew. */
    cancel(id: PaymentFileId): Stepped
  }
>()("@quittance/operations/PaymentFiles") {
  static readonly layer = Layer.effect(
    PaymentFiles,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const contents = yield* Contents
      const debits = yield* DebitsRepo
      const delivery = yield* FileDelivery
      const grants = yield* GrantsRepo
      const repo = yield* PaymentFilesRepo
      const sealing = yield* FileSealing

      const list = Effect.fn("PaymentFiles.list")(function* (
        filter: PaymentFileFilter,
        page: Page.PageRequest
      ) {
        yield* grants.requireOnTenant("collection.read")
        const { rows, total } = yield* repo.list(filter, page)
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("PaymentFiles.get")(function* (id: PaymentFileId) {
        const file = yield* repo.find(id)
        yield* grants.requireOnTenant("collection.read")
        return shownFile(file)
      })

      const items = Effect.fn("PaymentFiles.items")(function* (
        id: PaymentFileId,
        page: Page.PageRequest
      ) {
        yield* get(id)
        const coverage = yield* grants.coverage("collection.read")
        const { rows, total } = yield* debits.list({
          filter: { paymentFileId: id },
          coverage,
          page
        })
        return Page.make(rows, total, page)
      })

      const content = Effect.fn("PaymentFiles.content")(function* (id: PaymentFileId) {
        yield* repo.find(id)
        yield* grants.requireOnTenant("collection.export")
        const { contentAddress, messageId } = yield* sealing.seal(id)
        yield* command
          .run({
            authorize: Effect.void,
            decide: () => audit.record({ action: "paymentFile.export", recordId: id })
          })
          // Reading takes no key.
          .pipe(Effect.catchTags(withoutKey))
        // A sealed file has its bytes, and what is on record is not destroyed.
        return { messageId, bytes: (yield* contents.read(contentAddress!))! }
      })

      const step = (
        id: PaymentFileId,
        name: PaymentFileCommand,
        take: typeof delivery.deliver
      ): Stepped =>
        command.run({
          authorize: Effect.andThen(repo.find(id), grants.requireOnTenant("collection.write")),
          decide: Effect.fnUntraced(function* () {
            const file = yield* repo.hold(id)
            yield* Effect.fromResult(commandedFile(file.status, name))
            const { now } = yield* clock.read
            return shownFile(yield* take(file, yield* requestActor, now))
          })
        })

      return PaymentFiles.of({
        list,
        get,
        items,
        content,
        markDelivered: (id) => step(id, "mark-delivered", delivery.deliver),
        cancel: (id) => step(id, "cancel", delivery.cancel)
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      Contents.layer,
      DebitsRepo.layer,
      FileDelivery.layer,
      FileSealing.layer,
      GrantsRepo.layer,
      PaymentFilesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }
