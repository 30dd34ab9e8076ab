/** Collects what nothing needs of all tenants once a day, without anyone who asks: contents, and counts of letters. */
import { lettersOfAddress } from "@quittance/domain/documents/UnsentLetter"
import { ContentCollectionsRepo } from "@quittance/persistence/contents/ContentCollectionsRepo"
import { MailboxesRepo } from "@quittance/persistence/documents/MailboxesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Cause, Context, Effect, Layer } from "effect"
import * as TenantBatch from "../requests/TenantBatch.ts"
import { ContentCollection } from "../contents/ContentCollection.ts"

export class DailyCollection extends Context.Service<
  DailyCollection,
  {
    /**
     * Collects for each tenant whose day has passed, and forgets mailboxes whose day of letters is over. One that
     * fails, or is cut, comes up again an hour after it began. Contents whose bytes are missing are an error in the log.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/DailyCollection") {
  static readonly layer = Layer.effect(
    DailyCollection,
    Effect.gen(function* () {
      const collection = yield* ContentCollection
      const mailboxes = yield* MailboxesRepo
      const repo = yield* ContentCollectionsRepo
      const tenantSql = yield* TenantSql

      const ofTenant = Effect.gen(function* () {
        if (!(yield* repo.take)) return
        // Before the store is asked, which may be away.
        yield* tenantSql.transaction(mailboxes.forget(lettersOfAddress))
        const { missing, ...counts } = yield* collection.collect({ dryRun: false })
        yield* repo.done
        const collected = Object.values(counts).some((count) => count > 0)
        if (collected) yield* Effect.logInfo("Contents that nothing needs were collected", counts)
        if (missing.length === 0) return
        yield* Effect.logError("The bytes of contents are not whole in their store", {
          count: missing.length,
          first: missing.slice(0, namedMissing)
        })
      })

      // What was begun may be cut at any point: a program that ends does not wait for a whole store.
      const cut = Effect.catchCauseIf(
        Effect.interruptible(ofTenant),
        Cause.hasInterruptsOnly,
        () => Effect.void
      )

      const round = Effect.gen(function* () {
        for (const tenant of yield* repo.dueTenants) {
          yield* TenantBatch.runFor(tenant, cut, {
            message: "Contents could not be collected",
            answer: undefined
          })
        }
        return false
      }).pipe(Effect.withSpan("DailyCollection.round"))

      return DailyCollection.of({ round })
    })
  ).pipe(
    Layer.provide([ContentCollection.layer, ContentCollectionsRepo.layer, MailboxesRepo.layer])
  )
}

/** Addresses that the log names; `quittance documents gc --dry-run` tells all. */
const namedMissing = 10
