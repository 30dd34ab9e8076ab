/** Sends what waits for endpoints, beside any number of other senders. */
import { eventBytes, eventOf } from "@quittance/domain/events/Event"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as Settings from "@quittance/domain/values/Settings"
import type { WebhookId } from "@quittance/domain/values/Ids"
import {
  claimTime,
  type Fate,
  fateOf,
  isClaimOver
} from "@quittance/domain/webhooks/WebhookDelivery"
import * as Lane from "@quittance/domain/webhooks/WebhookLane"
import { turnOfReplay } from "@quittance/domain/webhooks/WebhookReplay"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import {
  type LaneEvent,
  WebhookAttemptsRepo
} from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import {
  type ClaimedLane,
  type EndpointOfTenant,
  laneKey,
  WebhookLanesRepo
} from "@quittance/persistence/webhooks/WebhookLanesRepo"
import { WebhookReplayLanesRepo } from "@quittance/persistence/webhooks/WebhookReplayLanesRepo"
import { Clock, Config, Context, Effect, FiberSet, Latch, Layer, Queue, Random } from "effect"
import { SecureRandom } from "effect/crypto"
import { EventCauses } from "../requests/EventCauses.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { type Attempt, attempt, type Destination } from "./WebhookCall.ts"
import { countTry } from "./WebhookMetrics.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { type Finished, WebhookSettlement } from "./WebhookSettlement.ts"

/** How many endpoints one query finds. */
const endpointsOfRound = 32
/** A claim may begin before the endpoint's rate would have it, by so many milliseconds. */
const paceWindow = 200
const laneBounds = { minimum: 1, maximum: 10_000 }

/** What one claim has taken. */
interface Taken {
  readonly tenantId: TenantId
  readonly webhookId: WebhookId
  readonly token: string
  readonly until: number
  readonly ordering: string
  readonly destination: Destination
  readonly lanes: ReadonlyArray<readonly [ClaimedLane, Lane.Turn<LaneEvent>]>
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Takes lanes that are due and begins to send them; whether more may wait. It waits for no receiver,
     * but for a free place if there is none.
     */
    readonly round: Effect.Effect<boolean>
    /** Waits until something that was taken is stored: its endpoint may be sent more then. */
    readonly freed: Effect.Effect<void>
    /** Waits until nothing that was taken is still to be sent or stored. */
    readonly settled: Effect.Effect<void>
  }
>()("@quittance/operations/WebhookSender") {
  /** `WEBHOOK_LANES_AT_ONCE` (128) is how many records' events one program sends at a time. */
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const attempts = yield* WebhookAttemptsRepo
      const calls = yield* OutgoingCalls
      const causes = yield* EventCauses
      const lanes = yield* WebhookLanesRepo
      const replays = yield* WebhookReplayLanesRepo
      const random = yield* SecureRandom.SecureRandom
      const secrets = yield* WebhookSecrets
      const settlement = yield* WebhookSettlement
      const tenantSql = yield* TenantSql
      const atOnce = yield* Settings.count("WEBHOOK_LANES_AT_ONCE", laneBounds).pipe(
        Config.withDefault(128)
      )

      const finished = yield* Queue.unbounded<Finished>()
      const sending = yield* FiberSet.make()
      const placeFreed = yield* Latch.make(true)
      const stored = yield* Latch.make(false)
      const idle = yield* Latch.make(true)
      let places = atOnce
      let unsettled = 0
      let isStopping = false
      let isStoring = false

      const take = Effect.fn("WebhookSender.take")(function* (webhookId: WebhookId, limit: number) {
        const now = yield* Clock.currentTimeMillis
        const endpoint = yield* lanes.open(webhookId)
        if (endpoint === undefined) return undefined
        const token = yield* random.uuidV4()
        const until = now + claimTime
        const claimed = yield* lanes.claim(webhookId, limit, { now, token, until })
        if (claimed.length === 0) return undefined
        const read = Map.groupBy(yield* attempts.eventsOf(claimed, Lane.readLimit), laneKey)
        const replayed = yield* replays.of(webhookId, claimed)
        const size = Lane.turnSize(endpoint.perSecond, endpoint.allowed)
        const turns = claimed.map((lane) => {
          const events = read.get(laneKey(lane)) ?? []
          const replay = replayed.get(lane.replayId)
          const turn =
            replay === undefined
              ? Lane.turnOf(lane, events, endpoint, size)
              : turnOfReplay(lane, events, endpoint, size, replay)
          return [lane, turn] as const
        })
        const count = turns.reduce((sum, [, { events }]) => sum + events.length, 0)
        yield* lanes.pace(webhookId, count, now)
        const keys = yield* secrets.live(webhookId, fromEpochMillis(now))
        const { headers, ordering, url } = endpoint
        const destination: Destination = {
          url,
          keys,
          ...(headers === undefined ? {} : { headers })
        }
        const taken: Taken = {
          tenantId: yield* CurrentTenant,
          webhookId,
          token,
          until,
          ordering,
          destination,
          lanes: turns
        }
        return taken
      }, tenantSql.transaction)

      /** One event: its fate, and what is kept of the try. Nothing is sent that has arrived already. */
      const deliver = Effect.fnUntraced(function* (
        destination: Destination,
        lane: ClaimedLane,
        row: LaneEvent,
        tries: number
      ) {
        if (lane.ahead.includes(row.sequence)) return { fate: { kind: "DONE" } as const }
        const event = yield* Effect.orDie(Effect.fromResult(eventOf(row)))
        const { replayId } = lane
        const headers = replayId === "" ? {} : { "quittance-replay": replayId }
        const tried = yield* attempt(destination, {
          id: event.id,
          body: eventBytes(event),
          headers
        })
        const now = yield* Clock.currentTimeMillis
        const fate: Fate = fateOf(tried, tries, now, yield* Random.next)
        yield* countTry(tried.outcome, fate.kind === "DEAD")
        return { fate, tried }
      })

      const sendLane = Effect.fn("WebhookSender.sendLane")(function* (
        { destination, ordering, tenantId, token, until, webhookId }: Taken,
        lane: ClaimedLane,
        turn: Lane.Turn<LaneEvent>
      ) {
        yield* Effect.provideService(
          causes.link(turn.events.map(({ id }) => id)),
          CurrentTenant,
          tenantId
        )
        const fates = new Map<number, Fate>()
        let tried: Array<readonly [LaneEvent, number, Attempt]> = []
        const { replayId } = lane
        const tell = (isOver: boolean) => {
          const result = Lane.afterTurn(lane, turn, fates)
          const done = { tenantId, webhookId, replayId, token, isOver, result, tried }
          tried = []
          return Queue.offer(finished, done)
        }
        const one = Effect.fnUntraced(function* (event: LaneEvent, index: number) {
          const tries = index === 0 ? lane.attempts + 1 : 1
          const done = yield* deliver(destination, lane, event, tries)
          fates.set(event.sequence, done.fate)
          if ("tried" in done) tried.push([event, tries, done.tried])
          return done.fate.kind !== "AGAIN"
        })
        if (ordering === "NONE") {
          yield* Effect.forEach(turn.events, one, { concurrency: "unbounded", discard: true })
        } else {
          for (const [index, event] of turn.events.entries()) {
            if (isStopping || isClaimOver(yield* Clock.currentTimeMillis, until)) break
            if (!(yield* one(event, index))) break
            // What is stored does not come again if this program is killed. While other things are being
            // stored it can wait: so it costs next to nothing where much is sent.
            if (!isStoring && index < turn.events.length - 1) yield* tell(false)
          }
        }
        yield* tell(true)
      })

      const start = Effect.fnUntraced(function* (taken: Taken) {
        const { lanes: turns, tenantId, webhookId } = taken
        places -= turns.length
        unsettled += turns.length
        yield* idle.close
        const free = Effect.suspend(() => {
          places++
          return placeFreed.open
        })
        for (const [lane, turn] of turns) {
          const sent = sendLane(taken, lane, turn).pipe(
            Effect.provideService(OutgoingCalls, calls),
            Effect.catchCause((cause) =>
              Effect.andThen(
                Effect.logError("Events could not be sent to a webhook", cause),
                // Its claim ends by itself.
                Effect.suspend(() => (--unsettled === 0 ? idle.open : Effect.void))
              )
            ),
            Effect.ensuring(free),
            Effect.annotateLogs({ tenant: tenantId, webhook: webhookId }),
            Effect.uninterruptible
          )
          yield* FiberSet.run(sending, sent)
        }
      })

      const serve = Effect.fnUntraced(function* ({ tenantId, webhookId }: EndpointOfTenant) {
        if (places <= 0) return false
        const limit = Math.min(places, 32)
        const taken = yield* runFor(tenantId, take(webhookId, limit), {
          message: "What waits for a webhook could not be taken",
          answer: undefined
        })
        if (taken === undefined) return false
        yield* start(taken)
        return true
      })

      const round = Effect.gen(function* () {
        if (places <= 0) {
          yield* placeFreed.close
          if (places <= 0) yield* placeFreed.await
        }
        const now = yield* Clock.currentTimeMillis
        const due = yield* lanes.due(now, now + paceWindow, endpointsOfRound)
        const served = yield* Effect.forEach(due, serve)
        return served.includes(true)
      }).pipe(Effect.withSpan("WebhookSender.round"))

      /** What is finished, as much as there is, in one go. */
      const settle = (batch: ReadonlyArray<Finished>) =>
        Effect.suspend(() => {
          isStoring = true
          return settlement.settle(batch)
        }).pipe(
          Effect.andThen(
            Effect.suspend(() => {
              isStoring = false
              const over = batch.filter(({ isOver }) => isOver).length
              if (over === 0) return Effect.void
              unsettled -= over
              return Effect.andThen(stored.open, unsettled === 0 ? idle.open : Effect.void)
            })
          )
        )
      const freed = Effect.andThen(stored.await, Effect.asVoid(stored.close))
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.takeAll(finished)), settle)
      ).pipe(Effect.forever, Effect.forkScoped)

      // Told to stop, lanes end with the event that is under way, and what has arrived is stored.
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          isStopping = true
          return idle.await
        })
      )

      return WebhookSender.of({ round, freed, settled: idle.await })
    })
  ).pipe(
    Layer.provide([
      EventCauses.layer,
      SecureRandom.layerWebCrypto,
      WebhookAttemptsRepo.layer,
      WebhookLanesRepo.layer,
      WebhookReplayLanesRepo.layer,
      WebhookSecrets.layer,
      WebhookSettlement.layer
    ])
  )
}
