/** Events as others read them: the feed of the tenant, the events of one policy, and one by itself. */
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { type Event, type EventId, eventOf } from "@quittance/domain/events/Event"
import { kindsOf, knownPatterns, type UnknownEventType } from "@quittance/domain/events/EventFilter"
import {
  EventNotFound,
  feedText,
  type FeedText,
  policyEventsText
} from "@quittance/domain/events/EventPage"
import type { ReadFeed, ReadPolicyEvents } from "@quittance/domain/events/EventRequests"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { Stopping } from "@quittance/domain/requests/Stopping"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { EventReadsRepo, type FeedQuery } from "@quittance/persistence/events/EventReadsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Duration, Effect, Layer } from "effect"
import { FeedWaiting } from "./FeedWaiting.ts"

const defaultCount = 100
const defaultPolicyCount = 10

export class EventReads extends Context.Service<
  EventReads,
  {
    /**
     * The next events of the tenant that fit, as the text of a `FeedPage`. With `wait` it holds an answer
     * without events back until some come, for so many seconds at most.
     */
    feed(
      request: ReadFeed
    ): Effect.Effect<string, Forbidden | UnknownEventType, CurrentTenant | CurrentCaller>
    get(
      eventId: EventId
    ): Effect.Effect<Event, EventNotFound | Forbidden, CurrentTenant | CurrentCaller>
    /** The events of a policy, as the text of a `PolicyEventPage`. */
    ofPolicy(
      policyId: PolicyId,
      request: ReadPolicyEvents
    ): Effect.Effect<
      string,
      Forbidden | PolicyNotFound | UserNotFound,
      CurrentTenant | CurrentCaller
    >
  }
>()("@quittance/operations/EventReads") {
  static readonly layer = Layer.effect(
    EventReads,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const policies = yield* PoliciesRepo
      const reads = yield* EventReadsRepo
      const waiting = yield* FeedWaiting

      /** Reads on until there is something to tell, or nothing more to read. */
      const next = Effect.fnUntraced(function* (query: FeedQuery) {
        return feedText(yield* reads.part(query))
      })

      const waited = Effect.fnUntraced(function* (query: FeedQuery, first: FeedText) {
        let page = first
        while (page.isEmpty) {
          if (!page.hasMore && !(yield* waiting.beyond(page.next))) return page
          page = yield* next({ ...query, after: page.next })
        }
        return page
      })

      const feed = Effect.fn("EventReads.feed")(function* (request: ReadFeed) {
        yield* grants.requireOnTenant("event.read")
        const { after = 0, count = defaultCount, subject, types = ["*"], wait = 0 } = request
        const kinds = kindsOf(yield* Effect.fromResult(knownPatterns(types)))
        const query = { after, count, kinds, subject }
        const first = yield* next(query)
        if (wait === 0 || !first.isEmpty) return first.text
        // What has been looked at in vain is looked at again by the next request, if time is over.
        const page = yield* Effect.timeoutOrElse(waited(query, first), {
          duration: Duration.seconds(wait),
          orElse: () => Effect.succeed(first)
        }).pipe(Effect.raceFirst(Effect.as(yield* Stopping, first)))
        return page.text
      })

      const get = Effect.fn("EventReads.get")(function* (eventId: EventId) {
        const row = yield* reads.find(eventId)
        if (row === undefined) return yield* new EventNotFound({ eventId })
        yield* grants.requireOnTenant("event.read")
        // What only a newer release can tell isn't there for this one.
        return yield* Effect.mapError(
          Effect.fromResult(eventOf(row)),
          () => new EventNotFound({ eventId })
        )
      })

      const ofPolicy = Effect.fn("EventReads.ofPolicy")(function* (
        policyId: PolicyId,
        { after = 0, count = defaultPolicyCount }: ReadPolicyEvents
      ) {
        yield* policies.authorize("policy.read", policyId)
        const rows = yield* reads.ofPolicy(policyId, after, count + 1)
        return policyEventsText(rows, { after, count })
      })

      return EventReads.of({ feed, get, ofPolicy })
    })
  ).pipe(
    Layer.provide([EventReadsRepo.layer, FeedWaiting.layer, GrantsRepo.layer, PoliciesRepo.layer])
  )
}
