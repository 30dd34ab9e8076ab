/** What senders leave behind: where lanes stand, what was tried and left, and how endpoints fare. */
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { type Health, healthAfter, isToBeTold } from "@quittance/domain/webhooks/WebhookDelivery"
import type { TurnResult } from "@quittance/domain/webhooks/WebhookLane"
import { NoticeLettersRepo } from "@quittance/persistence/access/NoticeLettersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import {
  type KeptAttempt,
  type LaneEvent,
  type LeftEvent,
  WebhookAttemptsRepo
} from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import {
  type ClaimedLane,
  laneKey,
  WebhookLanesRepo
} from "@quittance/persistence/webhooks/WebhookLanesRepo"
import {
  type ReplayedEvent,
  WebhookReplayLanesRepo
} from "@quittance/persistence/webhooks/WebhookReplayLanesRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { runFor } from "../requests/TenantBatch.ts"
import type { Attempt } from "./WebhookCall.ts"

/** How many endpoints' results are stored at a time. */
const endpointsAtOnce = 4

/** One try of a turn: the event, which try of it, and what came of it. */
export type TriedEvent = readonly [event: LaneEvent, number: number, attempt: Attempt]

/** A turn of a lane that its sender has ended, or how far it has come. */
export interface Finished extends Pick<ClaimedLane, "replayId"> {
  readonly tenantId: TenantId
  readonly webhookId: WebhookId
  readonly token: string
  readonly isOver: boolean
  /** Where the lane stands. */
  readonly result: TurnResult
  /** What was tried since this was last said of the turn. */
  readonly tried: ReadonlyArray<TriedEvent>
}

export class WebhookSettlement extends Context.Service<
  WebhookSettlement,
  {
    /**
     * Stores what senders have done, one transaction for each endpoint. What fails is logged, and its
     * lanes are sent again once their claims have ended. Nothing is stored of lanes that are another
     * sender's by then, or no longer there.
     */
    settle(batch: ReadonlyArray<Finished>): Effect.Effect<void>
  }
>()("@quittance/operations/WebhookSettlement") {
  static readonly layer = Layer.effect(
    WebhookSettlement,
    Effect.gen(function* () {
      const attempts = yield* WebhookAttemptsRepo
      const audit = yield* AuditTrail
      const lanes = yield* WebhookLanesRepo
      const letters = yield* NoticeLettersRepo
      const replays = yield* WebhookReplayLanesRepo
      const tenantSql = yield* TenantSql

      const ended = Effect.fnUntraced(function* (id: WebhookId, { disabled }: Health, now: number) {
        const action = "webhook.disable"
        const detail = { reason: `${disabled}` }
        yield* audit.recordAll(actorOf(operator, "webhooks"), [{ action, recordId: id, detail }])
        yield* Effect.logWarning("A webhook is disabled").pipe(
          Effect.annotateLogs({ webhook: id, reason: disabled })
        )
        yield* letters.tellManagers("WEBHOOK_DISABLED", id, now)
      })

      const tellFailing = Effect.fnUntraced(function* (id: WebhookId, health: Health, now: number) {
        if (health.failingSince === undefined || !isToBeTold(health, now)) return
        if (yield* attempts.tellFailing(id)) {
          yield* letters.tellManagers("WEBHOOK_FAILING", id, health.failingSince)
        }
      })

      const settleReplays = (id: WebhookId, kept: ReadonlyArray<Finished>, now: number) => {
        const ids = kept.flatMap(({ replayId }) => (replayId === "" ? [] : [replayId]))
        return ids.length === 0
          ? Effect.void
          : replays.settle(id, [...new Set(ids)], kept.flatMap(replayedOf), now)
      }

      const one = Effect.fn("WebhookSettlement.one")(function* (
        id: WebhookId,
        batch: ReadonlyArray<Finished>
      ) {
        const health = yield* attempts.health(id)
        // It was deleted meanwhile.
        if (health === undefined) return
        const now = yield* Clock.currentTimeMillis
        const kept: Array<Finished> = []
        for (const [token, ofToken] of Map.groupBy(batch, (one) => one.token)) {
          const rows = ofToken.map(({ isOver, replayId, result }) => ({
            ...result.lane,
            replayId,
            isOver,
            dueAt: result.dueAt
          }))
          // What was said last of a lane counts.
          const last = new Map(rows.map((row) => [laneKey(row), row]))
          const held = yield* lanes.settle(id, token, [...last.values()], now)
          const isHeld = ({ replayId, result: { lane } }: Finished) =>
            held.has(laneKey({ replayId, subject: lane.subject }))
          kept.push(...ofToken.filter(isHeld))
        }
        const tried = kept
          .flatMap((finished) => finished.tried)
          .toSorted(([, , a], [, , b]) => endOf(a) - endOf(b))
        yield* attempts.keep(id, tried.map(attemptOf), kept.flatMap(deadOf))
        yield* settleReplays(id, kept, now)
        const after = tried.reduce(
          (sofar, [, , attempt]) => healthAfter(sofar, attempt, endOf(attempt)),
          health
        )
        if (isSame(health, after)) return
        yield* attempts.setHealth(id, after)
        const lastTry = tried.at(-1)
        if (lastTry === undefined) return
        const lastEnd = endOf(lastTry[2])
        if (after.disabled !== undefined && health.disabled === undefined) {
          return yield* ended(id, after, lastEnd)
        }
        yield* tellFailing(id, after, lastEnd)
      }, tenantSql.transaction)

      const settle = Effect.fn("WebhookSettlement.settle")(function* (
        batch: ReadonlyArray<Finished>
      ) {
        const ofEndpoints = Map.groupBy(
          batch,
          ({ tenantId, webhookId }) => `${tenantId} ${webhookId}`
        )
        const settleOne = (ofEndpoint: ReadonlyArray<Finished>) => {
          const { tenantId, webhookId } = ofEndpoint[0]!
          return runFor(tenantId, one(webhookId, ofEndpoint), {
            message: "What was sent to a webhook could not be stored",
            answer: undefined
          })
        }
        yield* Effect.forEach(ofEndpoints.values(), settleOne, {
          concurrency: endpointsAtOnce,
          discard: true
        })
      })

      return WebhookSettlement.of({ settle })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      NoticeLettersRepo.layer,
      WebhookAttemptsRepo.layer,
      WebhookLanesRepo.layer,
      WebhookReplayLanesRepo.layer
    ])
  )
}

const endOf = ({ duration, triedAt }: Attempt): number => triedAt + duration

const attemptOf = ([event, number, attempt]: TriedEvent): KeptAttempt => {
  const { address, duration, excerpt, outcome, status, triedAt } = attempt
  return {
    eventId: event.id,
    subject: event.subject,
    seq: event.sequence,
    replayId: event.replayId,
    try: number,
    triedAt,
    duration,
    outcome,
    status,
    address,
    excerpt
  }
}

const deadOf = ({ result, tried }: Finished): ReadonlyArray<LeftEvent> =>
  tried
    .filter(([{ sequence }]) => result.dead.includes(sequence))
    .map(([event, , attempt]) => ({
      eventId: event.id,
      subject: event.subject,
      seq: event.sequence,
      previous: event.previousSequence,
      diedAt: endOf(attempt),
      outcome: attempt.outcome,
      status: attempt.status
    }))

/** The events of a replay that need no further try. */
const replayedOf = ({ replayId, result, tried }: Finished): ReadonlyArray<ReplayedEvent> =>
  replayId === ""
    ? []
    : tried.flatMap(([{ sequence: seq, subject }, , { outcome }]) => {
        const hasArrived = outcome === "DELIVERED"
        return hasArrived || result.dead.includes(seq)
          ? [{ replayId, subject, seq, hasArrived }]
          : []
      })

const isSame = (one: Health, other: Health): boolean =>
  one.failingSince === other.failingSince &&
  one.failures === other.failures &&
  one.allowed === other.allowed &&
  one.successes === other.successes &&
  one.disabled === other.disabled
