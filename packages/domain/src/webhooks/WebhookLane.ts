/** The events of one record on their way to one endpoint: which come next, and where they leave off. */
import type { PlacedEvent } from "../events/EventPage.ts"
import { eventsOfTurn, type Fate } from "./WebhookDelivery.ts"
import { type FilterFrom, wantedBy } from "./WebhookFilter.ts"

/** Where a lane stands. */
export interface Lane {
  readonly subject: string
  /** The last number that was looked at, and the last that is for the endpoint. */
  readonly doneSeq: number
  readonly lastSeq: number
  /** The last number of the endpoint's stream so far, which the next event names; 0 before the first. */
  readonly previous: number
  /** The first number of the endpoint's stream, which names none before it; 0 where that is unknown. */
  readonly firstSeq: number
  /** Numbers after `doneSeq` that have arrived already. */
  readonly ahead: ReadonlyArray<number>
  /** How often the next event was tried. */
  readonly attempts: number
}

/** What belongs to the stream of an endpoint. */
export interface Stream {
  readonly filters: ReadonlyArray<FilterFrom>
}

/** What a sender takes of a lane. */
export interface Turn<E> {
  /** In order; each names the one before it in the stream of the endpoint. */
  readonly events: ReadonlyArray<E>
  /** The last number that was looked at, once all of them are done, and the last of the stream by then. */
  readonly readTo: number
  readonly previous: number
}

/** How many events of a lane are read at a time, whether or not they are for the endpoint. */
export const readLimit = 100

/** How many events of a lane a sender takes, so that its endpoint gets a fifth of a second's worth. */
export const turnSize = (perSecond: number, concurrency: number): number =>
  Math.min(eventsOfTurn, Math.max(1, Math.ceil(perSecond / 5 / concurrency)))

/**
 * The next events of a lane that are sent, at most `size`, of those that were `read` of the log: all of the
 * endpoint's stream, or of a replay those that `isSent`. They are the same bytes either way.
 */
export const turnOf = <E extends PlacedEvent>(
  lane: Lane,
  read: ReadonlyArray<E>,
  { filters }: Stream,
  size: number,
  isSent: (event: E) => boolean = () => true
): Turn<E> => {
  const isWanted = wantedBy(filters)
  const stream = read.filter(isWanted).map((event, index, all) => {
    const before = all[index - 1]?.sequence ?? lane.previous
    const isFirst = before < lane.firstSeq && event.sequence >= lane.firstSeq
    const previousSequence = isFirst ? 0 : before
    return { ...event, previousSequence }
  })
  const sent = stream.filter(isSent)
  const events = sent.slice(0, size)
  const last = events.at(-1)
  if (last !== undefined && sent.length > size) {
    return { events, readTo: last.sequence, previous: last.sequence }
  }
  // What is read ends with the last number of the lane, so nothing that is for it lies behind.
  const readTo = read.length < readLimit ? lane.lastSeq : (read.at(-1)?.sequence ?? lane.lastSeq)
  return { events, readTo, previous: stream.at(-1)?.sequence ?? lane.previous }
}

/** What became of the events of a turn that were tried, or had arrived before. */
export interface TurnResult {
  readonly lane: Omit<Lane, "firstSeq" | "lastSeq">
  /** When the next try is due, in milliseconds since 1970; at once without it. */
  readonly dueAt: number | undefined
  /** The numbers of those that are left. */
  readonly dead: ReadonlyArray<number>
}

/**
 * Where a lane stands after a turn. An event that comes up again holds up those behind it; what has
 * arrived of these is remembered. Events without a fate were not tried.
 */
export const afterTurn = (
  lane: Lane,
  { events, previous, readTo }: Turn<{ readonly sequence: number }>,
  fates: ReadonlyMap<number, Fate>
): TurnResult => {
  const stopped = events.findIndex(({ sequence }) => {
    const kind = fates.get(sequence)?.kind
    return kind === undefined || kind === "AGAIN"
  })
  const done = stopped === -1 ? events : events.slice(0, stopped)
  const rest = stopped === -1 ? [] : events.slice(stopped)
  const fate = fates.get(rest[0]?.sequence ?? 0)
  const last = done.at(-1)?.sequence
  const tried = done.length === 0 ? lane.attempts : 0
  return {
    lane: {
      subject: lane.subject,
      doneSeq: rest.length === 0 ? Math.max(readTo, last ?? 0) : (last ?? lane.doneSeq),
      previous: rest.length === 0 ? previous : (last ?? lane.previous),
      ahead: rest
        .filter(({ sequence }) => fates.get(sequence)?.kind === "DONE")
        .map(({ sequence }) => sequence),
      attempts: tried + (fate?.kind === "AGAIN" ? 1 : 0)
    },
    dueAt: fate?.kind === "AGAIN" ? fate.dueAt : undefined,
    dead: done
      .filter(({ sequence }) => fates.get(sequence)?.kind === "DEAD")
      .map(({ sequence }) => sequence)
  }
}
