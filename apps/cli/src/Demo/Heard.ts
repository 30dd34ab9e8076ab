/** The end of the demo: what other programs have heard of the policy, in the feed of events. */
import type { Event, FeedEvent } from "@quittance/domain/events/Event"
import { Effect } from "effect"
import { asProblems } from "../Problem.ts"
import type { DemoClient } from "./DemoClient.ts"
import { Narrator } from "./Narrator.ts"
import type { Sale } from "./Sale.ts"

/** Rows of the table; the policy has some more events. */
const shown = 12

/** Seconds that a request waits for events: they get their places a moment after they are recorded. */
const wait = 10

/** All events of the policy, as its own list has them. */
const recorded = Effect.fnUntraced(function* (visitor: DemoClient, { policyId }: Sale) {
  const events: Array<Event> = []
  for (;;) {
    const query = { after: events.at(-1)?.sequence ?? 0, count: 100 }
    const { data, hasMore } = yield* visitor.events.ofPolicy({ params: { policyId }, query })
    events.push(...data)
    if (!hasMore) return events
  }
})

/** So many events of the policy, as the feed of the tenant tells them. */
const told = Effect.fnUntraced(function* (admin: DemoClient, { policyId }: Sale, count: number) {
  const events: Array<FeedEvent> = []
  let after = 0
  while (events.length < count) {
    const page = yield* admin.events.feed({ query: { subject: policyId, after, wait } })
    events.push(...page.data)
    after = page.next
  }
  return events
})

/** Shows what was told, and that the feed and the policy say the same. Answers the last change of status. */
export const hear = Effect.fnUntraced(function* (
  visitor: DemoClient,
  admin: DemoClient,
  sale: Sale
) {
  const narrator = yield* Narrator
  yield* narrator.chapter("Other programs have heard of it all")
  const own = yield* recorded(visitor, sale)
  const events = yield* told(admin, sale, own.length)
  yield* narrator.tell(
    `${events.length} events of the policy are in the feed (\`GET /events\`), the last of them:`
  )
  yield* narrator.table({
    columns: [{ header: "Number" }, { header: "Took effect" }, { header: "What happened" }],
    rows: events
      .slice(-shown)
      .map(({ sequence, timestamp, type }) => [String(sequence), timestamp, type])
  })
  yield* narrator.check(
    "the feed tells each of them once, and in order",
    own.map(({ id }) => id),
    events.map(({ id }) => id)
  )
  const { status } = yield* visitor.policies.get({
    params: { policyId: sale.policyId },
    query: {}
  })
  const last = events.findLast(({ type }) => type === "policy.status_changed")
  yield* narrator.check(
    "the last change of status is what the policy shows",
    status,
    last?.data["to"]
  )
  return last
}, asProblems)
