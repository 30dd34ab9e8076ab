/** Sends customers links to their documents: each letter by one sender at a time, written from its document. */
import * as Secret from "@quittance/auth/Secret"
import {
  type Document,
  DocumentNotReady,
  type DocumentStatus
} from "@quittance/domain/documents/Document"
import {
  DocumentLinkExpired,
  linkSeconds,
  linkUrlOf
} from "@quittance/domain/documents/DocumentLink"
import { isOfOffer } from "@quittance/domain/documents/UnsentLetter"
import { writeDocumentLetter } from "@quittance/domain/mail/DocumentLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type ClaimedDocumentLetter,
  DocumentLettersRepo,
  type DueDocumentLetter
} from "@quittance/persistence/documents/DocumentLettersRepo"
import { DocumentLinksRepo } from "@quittance/persistence/documents/DocumentLinksRepo"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { OneTimeLinkKey } from "../../access/OneTimeLinkKey.ts"
import { Mailer, type MailNotSent } from "../../mail/Mailer.ts"
import { mailFrom } from "../../mail/MailSettings.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { runFor } from "../../requests/TenantBatch.ts"
import { TenantDirectory } from "../../tenants/TenantDirectory.ts"
import { Issuers } from "../../tokens/Issuers.ts"
import { Deliveries } from "../Deliveries.ts"
import { DocumentBytes, type FixedDocument } from "../DocumentBytes.ts"
import { Mailboxes } from "./Mailboxes.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

/** Who is on record for what is sent here. */
const sender = { kind: "JOB", id: "document-letters" } as const

export class DocumentLetters extends Context.Service<
  DocumentLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each leaves at least once, with the
     * same link, and is on record once. One whose document holds no longer is not sent. One that can't be sent
     * is tried ten times; then it is counted as failed. Where the customer has no address, or their mailbox has
     * had its letters of the day, it stays unsent. The log names its document.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/DocumentLetters") {
  static readonly layer = Layer.effect(
    DocumentLetters,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const deliveries = yield* Deliveries
      const issuers = yield* Issuers
      const keys = yield* OneTimeLinkKey
      const letters = yield* DocumentLettersRepo
      const links = yield* DocumentLinksRepo
      const mailboxes = yield* Mailboxes
      const mailer = yield* Mailer
      const making = yield* DocumentMakingRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      /** The link of a letter: made before its first try, and the same in each later one. */
      const linkOf = Effect.fnUntraced(function* (
        tenant: Tenant,
        { customerId, documentId, id }: ClaimedDocumentLetter
      ) {
        const found = yield* links.find(id)
        if (found === undefined) {
          const secret = Redacted.value(keys.token(tenant.id, id))
          const link = {
            id,
            documentId,
            tokenHash: Secret.hash(secret),
            once: false,
            customerId,
            sessionId: undefined,
            author: sender
          }
          return { secret, expiresAt: yield* links.insert(link, linkSeconds.maximum) }
        }
        // The service's first key may be another one since.
        const secret = yield* Effect.findFirst(
          keys.tokens(tenant.id, id).map((token) => Redacted.value(token)),
          (token) =>
            Effect.map(links.ofToken(id, Secret.hash(token)), (one) => one?.isLive === true)
        )
        if (Option.isNone(secret)) return yield* new DocumentLinkExpired({})
        return { secret: secret.value, expiresAt: found.expiresAt }
      }, tenantSql.transaction)

      const messageOf = Effect.fnUntraced(function* (
        tenant: Tenant,
        letter: ClaimedDocumentLetter,
        { title }: Document,
        to: string
      ) {
        const { id, name } = letter
        const { expiresAt, secret } = yield* linkOf(tenant, letter)
        const link = linkUrlOf(issuers.audience, { tenant: tenant.id, id, secret })
        const { hostname } = new URL(issuers.of(tenant.id))
        return {
          ...writeDocumentLetter({ tenant, name: name ?? undefined, title, link, expiresAt }),
          id: `${tenant.id}.${id}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          to
        }
      })

      const sent = Effect.fnUntraced(function* (
        letter: ClaimedDocumentLetter,
        document: FixedDocument["document"]
      ) {
        // Another sender has it since, and records it.
        if (!(yield* letters.remove(letter))) return
        const { customerId, id: linkId } = letter
        const handing = { customerId, channel: "EMAIL", level: "SENT" } as const
        yield* deliveries.prove(document, handing, { actor: sender })
        yield* audit.recordBy(sender, {
          action: "document.send",
          recordId: document.id,
          detail: { linkId, sha256: document.sha256 }
        })
      }, tenantSql.transaction)

      /** Why a letter does not leave. It is counted once for the mailbox that it goes to, however often it is tried. */
      const heldBack = Effect.fnUntraced(function* (
        letter: ClaimedDocumentLetter
      ): Effect.fn.Return<keyof typeof unsent | undefined, never, CurrentTenant> {
        const { branchType, countedFor, email, trigger } = letter
        if (email === null) return "NO_ADDRESS"
        if (!isOfOffer(trigger, branchType)) return undefined
        const mailbox = yield* mailboxes.take(email, countedFor ?? undefined)
        if (mailbox === undefined) return "LIMIT"
        yield* letters.count(letter, mailbox)
        return undefined
      }, tenantSql.transaction)

      const hand = Effect.fnUntraced(function* (tenant: Tenant, letter: ClaimedDocumentLetter) {
        const stored = yield* making.find(letter.documentId)
        // Before it is made: what does not leave costs no rendering.
        const reason = holds(stored.document) ? yield* heldBack(letter) : undefined
        if (reason !== undefined) {
          yield* Effect.logWarning(`A letter is not sent: ${unsent[reason]}`)
          return yield* tenantSql.transaction(letters.fail(letter, reason))
        }
        const { document } = yield* bytes.of(stored)
        const { status } = document
        if (status !== "READY") return yield* new DocumentNotReady({ status })
        yield* mailer.send(yield* messageOf(tenant, letter, document, letter.email!))
        return yield* sent(letter, document)
      })

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedDocumentLetter,
        failure: DocumentNotReady | MailNotSent
      ) {
        const isWrong = failure._tag === "MailNotSent" && failure.reason === "ADDRESS"
        const isLast = letter.attempts >= maximumAttempts
        const reason = isWrong ? "ADDRESS" : isLast ? "TRIES" : undefined
        yield* tenantSql.transaction(letters.fail(letter, reason))
        yield* reason === undefined
          ? Effect.logWarning("A letter was not sent and is tried again", failure)
          : Effect.logError("The letter with a document is not tried again", failure)
      })

      const send = Effect.fn("DocumentLetters.send")(function* ({ id }: DueDocumentLetter) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(letters.claim(id))
        if (letter === undefined) return
        yield* Effect.annotateLogsScoped({ document: letter.documentId })
        const drop = tenantSql.transaction(letters.remove(letter))
        yield* hand(tenant, letter).pipe(
          Effect.catchTags({
            // Its document went, or its link was withdrawn: there is nothing to open any more.
            DocumentErased: () => drop,
            DocumentNotFound: () => drop,
            DocumentLinkExpired: () => drop,
            DocumentNotReady: (failure) => (holds(failure) ? failed(letter, failure) : drop),
            MailNotSent: (failure) => failed(letter, failure)
          })
        )
      }, Effect.scoped)

      const one = (due: DueDocumentLetter) =>
        runFor(due.tenantId, send(due), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        })

      const round = Effect.gen(function* () {
        const due = yield* letters.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("DocumentLetters.round"))

      return DocumentLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Deliveries.layer,
      DocumentBytes.layer,
      DocumentLettersRepo.layer,
      DocumentLinksRepo.layer,
      DocumentMakingRepo.layer,
      Mailboxes.layer,
      OneTimeLinkKey.layer,
      TenantDirectory.layer
    ])
  )
}

/** Whether a document may still be sent: its offer has not changed, and its bytes were not destroyed. */
const holds = ({ status }: { readonly status: DocumentStatus }): boolean =>
  status === "PENDING" || status === "READY" || status === "FAILED"

const unsent = {
  LIMIT: "the address has had its letters about offers of the day; hand the document over",
  NO_ADDRESS: "the customer has no e-mail address; hand the document over"
} as const
