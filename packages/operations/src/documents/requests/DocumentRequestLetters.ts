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
     * link. One that can't be sent is tried ten times, then abandoned. Those of the product count among the letters
     * of their mailbox. The log names the request of each that does not leave; it stays open.
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

      /** Where a letter goes; `undefined` where none is to leave. It is counted at its first try. */
      const addressOf = Effect.fnUntraced(function* (letter: ClaimedRequestLetter) {
        const { attempts, email, isOfProduct, status } = letter
        if (status !== "OPEN") return undefined
        if (email === undefined) {
          yield* Effect.logWarning("The customer has no e-mail address: ask for the document")
          return undefined
        }
        const mayLeave = !isOfProduct || attempts > 1 || (yield* mailboxes.take(email))
        if (mayLeave) return email
        yield* Effect.logWarning("The address has had its letters of the day: ask for the document")
        return undefined
      })

      const claimed = Effect.fnUntraced(function* (tenant: Tenant, id: DocumentRequestId) {
        const letter = yield* repo.claim(id)
        if (letter === undefined) return undefined
        const to = yield* addressOf(letter)
        if (to === undefined) {
          yield* repo.remove(letter)
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
          to
        }
        return { letter, message }
      }, tenantSql.transaction)

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedRequestLetter,
        failure: MailNotSent
      ) {
        const isAbandoned = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(isAbandoned ? repo.remove(letter) : repo.retry(letter))
        yield* isAbandoned
          ? Effect.logError("A letter that asks for a document is abandoned", failure)
          : Effect.logWarning("A letter was not sent and is tried again", failure)
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
