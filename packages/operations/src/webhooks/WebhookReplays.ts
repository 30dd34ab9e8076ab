/** What an endpoint is sent once more: a part of the feed, or what was no longer tried. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { EventId } from "@quittance/domain/events/Event"
import { knownPatterns, type UnknownEventType } from "@quittance/domain/events/EventFilter"
import { EventNotFound } from "@quittance/domain/events/EventPage"
import type { ReplayId, WebhookId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import type { WebhookNotFound } from "@quittance/domain/webhooks/Webhook"
import {
  maximumReplays,
  type Replay,
  ReplayNotFound,
  type ReplayedPart,
  TooManyReplays,
  WebhookDisabled
} from "@quittance/domain/webhooks/WebhookReplay"
import type { StartReplay } from "@quittance/domain/webhooks/WebhookRequests"
import { Ids } from "@quittance/persistence/sql/Ids"
import {
  type NewReplay,
  WebhookReplaysRepo
} from "@quittance/persistence/webhooks/WebhookReplaysRepo"
import { WebhooksRepo } from "@quittance/persistence/webhooks/WebhooksRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | WebhookNotFound
type StartFailure = TooManyReplays | WebhookDisabled | WriteFailure

export class WebhookReplays extends Context.Service<
  WebhookReplays,
  {
    /** A part of the feed, up to what the endpoint has been brought by now. */
    start(
      id: WebhookId,
      input: StartReplay
    ): Effect.Effect<Replay, StartFailure | UnknownEventType, Scoped>
    /** An event that is no longer tried. */
    startOne(
      id: WebhookId,
      eventId: EventId
    ): Effect.Effect<Replay, EventNotFound | StartFailure, Scoped>
    /** All events that are no longer tried and in no replay. */
    startDead(id: WebhookId): Effect.Effect<Replay, StartFailure, Scoped>
    get(
      id: WebhookId,
      replayId: ReplayId
    ): Effect.Effect<Replay, Forbidden | ReplayNotFound | WebhookNotFound, Asked>
    /** The newest first. */
    list(
      id: WebhookId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Replay>, Forbidden | WebhookNotFound, Asked>
    /** Ends it: what has not been sent is not sent. */
    remove(
      id: WebhookId,
      replayId: ReplayId
    ): Effect.Effect<void, ReplayNotFound | WriteFailure, Scoped>
  }
>()("@quittance/operations/WebhookReplays") {
  static readonly layer = Layer.effect(
    WebhookReplays,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const ids = yield* Ids
      const repo = yield* WebhookReplaysRepo
      const webhooks = yield* WebhooksRepo

      const writable = (id: WebhookId) => webhooks.authorize("webhook.write", id, { lock: true })

      const found = Effect.fnUntraced(function* (id: WebhookId, replayId: ReplayId) {
        const replay = yield* repo.find(id, replayId)
        return replay ?? (yield* new ReplayNotFound({ replayId }))
      })

      /** Starts a replay in whatever way, where one may be started. */
      const started = <E, R>(
        id: WebhookId,
        begin: (replay: NewReplay) => Effect.Effect<unknown, E, R>
      ) =>
        command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* ({ webhook }) {
            if (webhook.status === "DISABLED") return yield* new WebhookDisabled({ webhookId: id })
            if ((yield* repo.running(id)) >= maximumReplays) {
              return yield* new TooManyReplays({ maximum: maximumReplays })
            }
            const createdAt = fromEpochMillis(yield* Clock.currentTimeMillis)
            const replayId = ids.next("replay")
            yield* begin({ id: replayId, webhookId: id, createdAt })
            // Just made.
            const after = yield* Effect.orDie(found(id, replayId))
            yield* audit.record({
              action: "webhook.startReplay",
              recordId: id,
              after,
              detail: { replayId }
            })
            return after
          })
        })

      const start = Effect.fn("WebhookReplays.start")((id: WebhookId, input: StartReplay) =>
        started(id, (replay) =>
          Effect.gen(function* () {
            yield* Effect.fromResult(knownPatterns(input.types ?? []))
            const { position } = yield* webhooks.state(id)
            yield* repo.startFeed(replay, partOf(input, position))
          })
        )
      )

      const startOne = Effect.fn("WebhookReplays.startOne")((id: WebhookId, eventId: EventId) =>
        started(id, (replay) =>
          Effect.gen(function* () {
            if ((yield* repo.startDead(replay, eventId)) === 0) {
              return yield* new EventNotFound({ eventId })
            }
          })
        )
      )

      const startDead = Effect.fn("WebhookReplays.startDead")((id: WebhookId) =>
        started(id, (replay) => repo.startDead(replay, undefined))
      )

      const get = Effect.fn("WebhookReplays.get")(function* (id: WebhookId, replayId: ReplayId) {
        yield* webhooks.authorize("webhook.read", id)
        return yield* found(id, replayId)
      })

      const list = Effect.fn("WebhookReplays.list")(function* (
        id: WebhookId,
        page: Page.PageRequest
      ) {
        yield* webhooks.authorize("webhook.read", id)
        const { items, total } = yield* repo.list(id, page)
        return Page.make(items, total, page)
      })

      const remove = Effect.fn("WebhookReplays.remove")(function* (
        id: WebhookId,
        replayId: ReplayId
      ) {
        yield* command.run({
          authorize: writable(id),
          decide: Effect.fnUntraced(function* () {
            const before = yield* found(id, replayId)
            yield* repo.remove(id, replayId)
            yield* audit.record({
              action: "webhook.deleteReplay",
              recordId: id,
              before,
              detail: { replayId }
            })
            return null
          })
        })
      })

      return WebhookReplays.of({ start, startOne, startDead, get, list, remove })
    })
  ).pipe(
    Layer.provide([AuditTrail.layer, Command.layer, WebhookReplaysRepo.layer, WebhooksRepo.layer])
  )
}

/** What a request means, of a feed that was brought to the endpoint up to a position. */
const partOf = ({ from, subject, to, types }: StartReplay, position: number): ReplayedPart => {
  const fromPosition = typeof from === "number" ? Math.min(from, position) : 0
  const toPosition = typeof to === "number" ? Math.min(to, position) : position
  return {
    fromPosition,
    toPosition: Math.max(fromPosition, toPosition),
    ...(typeof from === "number" ? {} : { recordedFrom: from }),
    ...(typeof to === "number" || to === undefined ? {} : { recordedBefore: to }),
    ...(types === undefined ? {} : { types }),
    ...(subject === undefined ? {} : { subject })
  }
}
