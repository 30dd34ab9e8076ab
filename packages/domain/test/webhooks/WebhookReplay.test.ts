import { assert, describe, it } from "@effect/vitest"
import { knownKinds } from "../../src/events/EventFilter.ts"
import { spansOf, wantedBy } from "../../src/webhooks/WebhookFilter.ts"
import type { Lane } from "../../src/webhooks/WebhookLane.ts"
import { turnOf } from "../../src/webhooks/WebhookLane.ts"
import { numberKey, type ReplayedEvents, turnOfReplay } from "../../src/webhooks/WebhookReplay.ts"

const filters = [
  { after: 0, types: ["user.created"] },
  { after: 3, types: ["user.*", "policy.signed"] },
  { after: 7, types: ["*"] }
]
const kinds = ["user.create", "user.update", "policy.sign", "webhook.create"]
/** Twelve events of a record, the n-th at position n. */
const read = Array.from({ length: 12 }, (_, index) => ({
  kind: kinds[(index * 7) % kinds.length]!,
  subject: "s",
  position: index + 1,
  sequence: index + 1,
  recordedAt: `2026-03-01T${String(index).padStart(2, "0")}:00:00.000Z`
})) as never as Parameters<typeof turnOf>[1]
const lane: Lane = {
  subject: "s",
  doneSeq: 0,
  lastSeq: 12,
  previous: 0,
  firstSeq: 5,
  ahead: [],
  attempts: 0
}
const live = turnOf(lane, read, { filters }, 20).events
const all: ReplayedEvents = {
  source: "FEED",
  fromPosition: 0,
  toPosition: 12,
  previousOf: new Map()
}
const take = (replay: ReplayedEvents, size = 20) =>
  turnOfReplay(lane, read, { filters }, size, replay)

describe("filters as rows", () => {
  it("let the same events through as the filters", () => {
    const isWanted = wantedBy(filters)
    const spans = spansOf(filters)
    for (let position = 0; position < 12; position++) {
      for (const kind of knownKinds) {
        const isIn = spans.some(
          (span) => span.kind === kind && span.after < position && position <= span.until
        )
        assert.strictEqual(isIn, isWanted({ kind, position }), `${kind} at ${position}`)
      }
    }
  })
})

describe("a replay", () => {
  it("takes of the stream what lies in its bounds, as it was first sent", () => {
    for (let fromPosition = 0; fromPosition < 12; fromPosition++) {
      for (let toPosition = fromPosition; toPosition <= 12; toPosition++) {
        assert.deepStrictEqual(
          take({ ...all, fromPosition, toPosition }).events,
          live.filter(({ position }) => position > fromPosition && position <= toPosition)
        )
      }
    }
  })

  it("takes what was recorded in between, of some types and one record", () => {
    const bounded = {
      ...all,
      recordedFrom: "2026-03-01T04:00:00.000Z",
      recordedBefore: "2026-03-01T08:00:00.000Z"
    } as ReplayedEvents
    const numbers = (replay: ReplayedEvents) => take(replay).events.map(({ sequence }) => sequence)
    assert.deepStrictEqual(
      numbers(bounded),
      live.map(({ sequence }) => sequence).filter((one) => one >= 5 && one <= 8)
    )
    assert.deepStrictEqual(
      numbers({ ...all, types: ["user.updated"] }),
      live.filter(({ kind }) => kind === "user.update").map(({ sequence }) => sequence)
    )
    assert.deepStrictEqual(numbers({ ...all, subject: "other" as never }), [])
  })

  it("names none before the first event of the stream, also where a turn begins with it", () => {
    const first = live.find(({ sequence }) => sequence >= lane.firstSeq)!
    const behind = { ...lane, doneSeq: first.sequence - 1, previous: first.sequence - 1 }
    const rest = read.filter(({ sequence }) => sequence >= first.sequence)
    const [again] = turnOfReplay(behind, rest, { filters }, 20, all).events
    assert.deepStrictEqual([first.previousSequence, again], [0, first])
  })

  it("of dead events has those alone, and names what each has named", () => {
    const [one, other] = live.slice(2, 4)
    const previousOf = new Map([
      [numberKey(one!), 77],
      [numberKey(other!), 78]
    ])
    const taken = take({ ...all, source: "DEAD", toPosition: 0, previousOf })
    assert.deepStrictEqual(
      taken.events.map(({ previousSequence, sequence }) => [sequence, previousSequence]),
      [
        [one!.sequence, 77],
        [other!.sequence, 78]
      ]
    )
    assert.strictEqual(taken.readTo, 12)
  })
})
