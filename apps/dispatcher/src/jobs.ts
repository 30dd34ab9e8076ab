/**
 * All jobs that run after a commit and may wait: mail, seals, events and their consumers. Any number of
 * dispatchers may run, apart from billing: a slow receiver takes no time from what moves money and cover. A
 * new job is a line here.
 */
import { NoticeLetters } from "@quittance/operations/access/NoticeLetters"
import { OutgoingMail } from "@quittance/operations/access/OutgoingMail"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { DailyCollection } from "@quittance/operations/documents/DailyCollection"
import { DocumentLetters } from "@quittance/operations/documents/links/DocumentLetters"
import { DocumentMakers } from "@quittance/operations/documents/DocumentMakers"
import { DocumentRequestLetters } from "@quittance/operations/documents/requests/DocumentRequestLetters"
import { DocumentPlans } from "@quittance/operations/documents/DocumentPlans"
import { DebitLetters } from "@quittance/operations/collections/DebitLetters"
import { FolderDelivery } from "@quittance/operations/collections/FolderDelivery"
import { FolderReading } from "@quittance/operations/collections/FolderReading"
import { AccountNotices } from "@quittance/operations/events/AccountNotices"
import { type EventConsumer, EventConsumers } from "@quittance/operations/events/EventConsumers"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { UploadScans } from "@quittance/operations/documents/UploadScans"
import * as MailTransport from "@quittance/operations/mail/MailTransport"
import { EntryMatching } from "@quittance/operations/treasury/EntryMatching"
import * as Renderer from "@quittance/renderer/Renderer"
import { Sealings } from "@quittance/operations/signatures/Sealings"
import { SignerLetters } from "@quittance/operations/ceremonies/SignerLetters"
import { WithdrawalLetters } from "@quittance/operations/withdrawals/WithdrawalLetters"
import * as webhooks from "./webhooks.ts"
import * as Loop from "@quittance/operations/worker/Loop"
import { Effect, Layer } from "effect"

/** Who is told of events within the service: each is run by a loop of its own. */
export const consumers: Effect.Effect<
  ReadonlyArray<EventConsumer>,
  never,
  AccountNotices | DocumentPlans
> = Effect.all([AccountNotices, DocumentPlans])

/**
 * Runs all jobs until interrupted, which waits for the batches that are under way. The pauses are
 * `AUDIT_POLL_INTERVAL`, `LETTER_POLL_INTERVAL`, `EVENT_POLL_INTERVAL`, `UPLOAD_POLL_INTERVAL`,
 * `DOCUMENT_POLL_INTERVAL`, `SEAL_POLL_INTERVAL` and `BANK_POLL_INTERVAL` (1 second each),
 * `CONTENT_POLL_INTERVAL` (1 minute), `WEBHOOK_POLL_INTERVAL` (200 milliseconds) and
 * `SEQUENCER_POLL_INTERVAL` (100).
 */
export const run = Effect.fn("jobs.run")(function* (told: ReadonlyArray<EventConsumer>) {
  const { round: seal } = yield* AuditSealer
  const { round: send } = yield* OutgoingMail
  const { round: notify } = yield* NoticeLetters
  const { round: acknowledge } = yield* WithdrawalLetters
  const { round: sendCodes } = yield* SignerLetters
  const { round: sendDocuments } = yield* DocumentLetters
  const { round: askForDocuments } = yield* DocumentRequestLetters
  const { round: sequence } = yield* EventSequencer
  const { round: tell } = yield* EventConsumers
  const { round: scan } = yield* UploadScans
  const { round: make } = yield* DocumentMakers
  const { round: sealSigned } = yield* Sealings
  const { round: collect } = yield* DailyCollection
  const { round: announce } = yield* DebitLetters
  const { round: deliver } = yield* FolderDelivery
  const { round: readFolders } = yield* FolderReading
  const betweenBankFiles = yield* Loop.pause("BANK_POLL_INTERVAL", "1 second")
  const betweenLetters = yield* Loop.pause("LETTER_POLL_INTERVAL", "1 second")
  const { round: match } = yield* EntryMatching
  const listening = yield* Loop.pause("EVENT_POLL_INTERVAL", "1 second")
  const listeners = yield* Effect.forEach(told, (consumer) =>
    Loop.make({ name: `consumer ${consumer.name}`, pause: listening, round: tell(consumer) })
  )
  const sending = yield* webhooks.make()
  const wakes = [sending.wake, ...listeners.map(({ wake }) => wake)]
  const wakeListeners = Effect.all(wakes, { discard: true })
  // Events that have their positions are told at once.
  const place = Effect.tap(sequence, ({ events }) => (events > 0 ? wakeListeners : Effect.void))
  return yield* Loop.runAll([
    yield* Loop.make({
      name: "audit",
      pause: yield* Loop.pause("AUDIT_POLL_INTERVAL", "1 second"),
      round: seal
    }),
    yield* Loop.make({ name: "letters", pause: betweenLetters, round: send }),
    yield* Loop.make({ name: "notice letters", pause: betweenLetters, round: notify }),
    yield* Loop.make({ name: "withdrawal letters", pause: betweenLetters, round: acknowledge }),
    yield* Loop.make({ name: "debit letters", pause: betweenLetters, round: announce }),
    yield* Loop.make({ name: "signer letters", pause: betweenLetters, round: sendCodes }),
    yield* Loop.make({ name: "document letters", pause: betweenLetters, round: sendDocuments }),
    yield* Loop.make({ name: "request letters", pause: betweenLetters, round: askForDocuments }),
    yield* Loop.make({
      name: "events",
      pause: yield* Loop.pause("SEQUENCER_POLL_INTERVAL", "100 millis"),
      round: Effect.map(place, ({ more }) => more)
    }),
    yield* Loop.make({
      name: "uploads",
      pause: yield* Loop.pause("UPLOAD_POLL_INTERVAL", "1 second"),
      round: scan
    }),
    yield* Loop.make({ name: "bank entries", pause: betweenBankFiles, round: match }),
    yield* Loop.make({ name: "bank deliveries", pause: betweenBankFiles, round: deliver }),
    yield* Loop.make({ name: "bank folders", pause: betweenBankFiles, round: readFolders }),
    yield* Loop.make({
      name: "documents",
      pause: yield* Loop.pause("DOCUMENT_POLL_INTERVAL", "1 second"),
      round: make
    }),
    yield* Loop.make({
      name: "seals",
      pause: yield* Loop.pause("SEAL_POLL_INTERVAL", "1 second"),
      round: sealSigned
    }),
    yield* Loop.make({
      name: "contents",
      pause: yield* Loop.pause("CONTENT_POLL_INTERVAL", "1 minute"),
      round: collect
    }),
    ...sending.loops,
    ...listeners
  ])
})

/** What the jobs need, on a database and its repositories. */
export const layer = Layer.mergeAll(
  AccountNotices.layer,
  AuditSealer.layer,
  DailyCollection.layer,
  DocumentPlans.layer,
  EntryMatching.layer,
  EventConsumers.layer,
  EventSequencer.layer,
  FolderDelivery.layer,
  FolderReading.layer,
  UploadScans.layer,
  webhooks.layer,
  Layer.mergeAll(
    DebitLetters.layer,
    DocumentLetters.layer,
    DocumentMakers.layer,
    DocumentRequestLetters.layer,
    NoticeLetters.layer,
    OutgoingMail.layer,
    Sealings.layer,
    SignerLetters.layer,
    WithdrawalLetters.layer
  ).pipe(Layer.provide([MailTransport.layer, Renderer.layer]))
)
