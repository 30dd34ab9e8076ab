/** Asks customers for documents by letters: each by one sender at a time, written from its request. */
import type { DocumentRequestId } from "@quittance/domain/documents/requests/DocumentRequest"
import { uploadPath } from "@quittance/domain/documents/requests/UploadLink"
import { writeDocumentRequest } from "@quittance/domain/mail/DocumentRequestLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type ClaimedRequestLetter,
  DocumentRequestLettersRepo,
  type DueRequestLetter
} from "@quittance/persistence/documents/requests/DocumentRequestLettersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { Mailer, type MailNotSent } from "../../mail/Mailer.ts"
import type { MailMessage } from "../../mail/MailMessage.ts"
import { mailFrom } from "../../mail/MailSettings.ts"
import { runFor } from "../../requests/TenantBatch.ts"
import { TenantDirectory } from "../../tenants/TenantDirectory.ts"
import { Issuers } from "../../tokens/Issuers.ts"
import { Mailboxes } from "../links/Mailboxes.ts"
import { UploadLinks } from "./UploadLinks.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

export class DocumentRequestLetters extends Context.Service<
  DocumentRequestLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each leaves at least once, with the same
     * link. One that can't be sent is tried ten times. Those of the product, and those after a rejected file, count
     * among the letters of their mailbox. What does not leave stays, with the reason; its request stays open.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/DocumentRequestLetters") {
  static readonly layer = Layer.effect(
    DocumentRequestLetters,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const links = yield* UploadLinks
      const mailboxes = yield* Mailboxes
      const mailer = yield* Mailer
      const repo = yield* DocumentRequestLettersRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      /**
       * Why a letter does not leave. One that visitors can cause is counted once for the mailbox that it goes to: the
       * product asks, or a file that they have brought was rejected.
       */
      const heldBack = Effect.fnUntraced(function* (
        letter: ClaimedRequestLetter
      ): Effect.fn.Return<keyof typeof unsent | undefined, never, CurrentTenant> {
        const { countedFor, email, isOfProduct, refusals } = letter
        if (email === undefined) return "NO_ADDRESS"
        if (!isOfProduct && refusals === 0) return undefined
        const mailbox = yield* mailboxes.take(email, countedFor)
        if (mailbox === undefined) return "LIMIT"
        yield* repo.count(letter, mailbox)
        return undefined
      })

      const claimed = Effect.fnUntraced(function* (tenant: Tenant, id: DocumentRequestId) {
        const letter = yield* repo.claim(id)
        if (letter === undefined) return undefined
        if (letter.status !== "OPEN") {
          yield* repo.remove(letter)
          return undefined
        }
        const reason = yield* heldBack(letter)
        if (reason !== undefined) {
          yield* Effect.logWarning(`A letter is not sent: ${unsent[reason]}`)
          yield* repo.fail(letter, reason)
          return undefined
        }
        const { dueOn, label, name, note, refusals } = letter
        const { expiresAt, token } = yield* links.make(id, refusals)
        const link = `${issuers.audience}${uploadPath}/${token}`
        const isRepeated = refusals > 0
        const content = { tenant, name, label, note, dueOn, isRepeated, link, expiresAt }
        const { hostname } = new URL(issuers.of(tenant.id))
        const message: MailMessage = {
          ...writeDocumentRequest(content),
          // A letter that asks once more is another one.
          id: `${tenant.id}.${id}.${refusals}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          // What has no address is held back.
          to: letter.email!
        }
        return { letter, message }
      }, tenantSql.transaction)

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedRequestLetter,
        failure: MailNotSent
      ) {
        const isLast = letter.attempts >= maximumAttempts
        const reason = failure.reason === "ADDRESS" ? "ADDRESS" : isLast ? "TRIES" : undefined
        yield* tenantSql.transaction(repo.fail(letter, reason))
        yield* reason === undefined
          ? Effect.logWarning("A letter was not sent and is tried again", failure)
          : Effect.logError("The letter that asks for a document is not tried again", failure)
      })

      const send = Effect.fn("DocumentRequestLetters.send")(function* (id: DocumentRequestId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const due = yield* claimed(tenant, id)
        if (due === undefined) return
        yield* mailer.send(due.message).pipe(
          Effect.andThen(tenantSql.transaction(repo.remove(due.letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(due.letter, failure))
        )
      })

      const one = ({ requestId, tenantId }: DueRequestLetter) =>
        runFor(tenantId, send(requestId), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        }).pipe(Effect.annotateLogs({ documentRequest: requestId }))

      const round = Effect.gen(function* () {
        const due = yield* repo.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("DocumentRequestLetters.round"))

      return DocumentRequestLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      DocumentRequestLettersRepo.layer,
      Mailboxes.layer,
      TenantDirectory.layer,
      UploadLinks.layer
    ])
  )
}

const unsent = {
  LIMIT: "the address has had its letters of the day; ask the customer otherwise",
  NO_ADDRESS: "the customer has no e-mail address; ask them otherwise"
} as const
