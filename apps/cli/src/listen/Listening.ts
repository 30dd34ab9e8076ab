/** Reads the feed of events and tells each event, in order per subject, until it is stopped. */
import type { Event } from "@quittance/domain/events/Event"
import type { FeedPage } from "@quittance/domain/events/EventPage"
import { Duration, Effect, Ref } from "effect"

type FeedEvent = FeedPage["data"][number]

/** From where on events are read, and how many; `after` is the present where it is absent. */
export interface Listening<E, R> {
  readonly after: number | undefined
  /** So many events, and it ends; without end where it is absent. */
  readonly exitAfter: number | undefined
  /** The next events after a position; it waits for some, if `wait` says so, in seconds. */
  feed(after: number, wait: number): Effect.Effect<FeedPage, E, R>
  /** Tells one event; it returns once that is done. */
  tell(event: Event, position: number): Effect.Effect<void, E, R>
  /** Says something about the feed itself. */
  say(line: string): Effect.Effect<void>
}

/** A position behind every feed: who asks there is told where the feed ends. */
const beyond = Number.MAX_SAFE_INTEGER - 10_000

/** Seconds that a request waits for events. */
const wait = 20

/** After an answer that came at once and has nothing: others of the tenant wait already. */
const pause = Duration.seconds(1)

/** Subjects that are told of side by side. */
const subjectsAtOnce = 8

/** The event without its position: the one that is signed and sent. */
const eventOf = ({ position: _position, ...event }: FeedEvent): Event => event

/**
 * Runs until so many events are told, or until it is interrupted. `reached` becomes the last position up to which
 * all is done.
 */
export const run = Effect.fn("Listening.run")(function* <E, R>(
  { after, exitAfter = Infinity, feed, say, tell }: Listening<E, R>,
  reached: Ref.Ref<number | undefined>
) {
  const first = yield* feed(after ?? beyond, 0)
  let { epoch } = first
  let told = 0
  let from = after ?? first.next
  yield* Ref.set(reached, from)
  while (told < exitAfter) {
    const started = performance.now()
    const page = yield* feed(from, wait)
    if (page.epoch !== epoch) {
      yield* say(`The database was restored: positions after ${from} may tell of other events.`)
      ;({ epoch } = page)
    }
    const events = page.data.slice(0, exitAfter - told)
    yield* inOrder(events, tell, reached)
    told += events.length
    from = events.length === page.data.length ? page.next : events.at(-1)!.position
    yield* Ref.set(reached, from)
    const isEarly = performance.now() - started < Duration.toMillis(pause)
    if (page.data.length === 0 && !page.hasMore && isEarly) yield* Effect.sleep(pause)
  }
})

/** Each subject's events one after the other, those of several side by side. */
const inOrder = Effect.fnUntraced(function* <E, R>(
  events: ReadonlyArray<FeedEvent>,
  tell: Listening<E, R>["tell"],
  reached: Ref.Ref<number | undefined>
) {
  const done = new Set<number>()
  /** Everything up to it is done, whatever is done behind it. */
  const advance = (position: number) => {
    done.add(position)
    const open = events.find((event) => !done.has(event.position))
    const before = open === undefined ? events : events.slice(0, events.indexOf(open))
    const last = before.at(-1)
    return last === undefined ? Effect.void : Ref.set(reached, last.position)
  }
  yield* Effect.forEach(
    [...Map.groupBy(events, ({ subject }) => subject).values()],
    (own) =>
      Effect.forEach(
        own,
        (event) =>
          Effect.andThen(
            tell(eventOf(event), event.position),
            Effect.suspend(() => advance(event.position))
          ),
        { discard: true }
      ),
    { concurrency: subjectsAtOnce, discard: true }
  )
})
