import { assert, describe, it } from "@effect/vitest"
import {
  askedWait,
  fateOf,
  type Health,
  healthAfter,
  pauses
} from "../../src/webhooks/WebhookDelivery.ts"
import { afterTurn, type Lane, turnOf } from "../../src/webhooks/WebhookLane.ts"

const now = Date.parse("2026-03-01T10:00:00Z")
const day = 86_400_000
const failed = { outcome: "STATUS", status: 500 } as const

describe("an event that failed", () => {
  it("comes up again after each pause, a tenth more or less, and is left after ten tries", () => {
    for (const [index, pause] of pauses.entries()) {
      const dueAt = (drawn: number) => {
        const fate = fateOf(failed, index + 1, now, drawn)
        return fate.kind === "AGAIN" ? fate.dueAt - now : undefined
      }
      assert.deepStrictEqual(
        [0, 0.5, 1].map(dueAt),
        [0.9, 1, 1.1].map((part) => Math.round(pause * part))
      )
    }
    assert.lengthOf(pauses, 9)
    assert.deepStrictEqual(fateOf(failed, 10, now, 0.5), { kind: "DEAD" })
  })

  it.each([
    ["120", 120_000],
    [" 7 ", 7000],
    ["999999999", day],
    ["Sun, 01 Mar 2026 10:01:00 GMT", 60_000],
    ["Sun, 01 Mar 2026 09:00:00 GMT", 0],
    ["2026-03-01 12:00", 0],
    ["-5", 0],
    ["soon", 0]
  ])("waits as retry-after %j asks", (header, wait) => {
    assert.strictEqual(askedWait(header, now), wait)
  })
})

describe("an endpoint", () => {
  const health: Health = {
    failingSince: undefined,
    failures: 0,
    allowed: 8,
    concurrency: 8,
    successes: 0,
    disabled: undefined
  }
  const after = (
    count: number,
    tried: Parameters<typeof healthAfter>[1],
    first: Health,
    at = now
  ) => Array.from({ length: count }).reduce<Health>((sofar) => healthAfter(sofar, tried, at), first)

  it("is sent half as much where it is busy, and one more after ten deliveries", () => {
    const busy = after(2, { outcome: "STATUS", status: 429 }, health)
    assert.strictEqual(busy.allowed, 2)
    assert.strictEqual(after(9, { outcome: "DELIVERED" }, busy).allowed, 2)
    assert.strictEqual(after(10, { outcome: "DELIVERED" }, busy).allowed, 3)
    assert.strictEqual(after(500, { outcome: "DELIVERED" }, busy).allowed, 8)
  })

  it("is disabled when it is gone, or has only failed for five days and twenty times", () => {
    assert.strictEqual(after(1, { outcome: "STATUS", status: 410 }, health).disabled, "GONE")
    const begun = after(19, failed, health)
    assert.strictEqual(healthAfter(begun, failed, now + 5 * day - 1).disabled, undefined)
    assert.strictEqual(healthAfter(begun, failed, now + 5 * day).disabled, "FAILING")
    const few = after(18, failed, health)
    assert.strictEqual(healthAfter(few, failed, now + 6 * day).disabled, undefined)
    const once = after(1, { outcome: "DELIVERED" }, begun)
    assert.strictEqual(after(20, failed, once, now + 6 * day).disabled, undefined)
  })
})

describe("a lane", () => {
  const lane: Lane = {
    subject: "s",
    doneSeq: 3,
    lastSeq: 9,
    previous: 2,
    firstSeq: 2,
    ahead: [],
    attempts: 1
  }
  const kinds = [
    "user.create",
    "user.update",
    "user.update",
    "user.create",
    "user.update",
    "user.update"
  ]
  const read = kinds.map((kind, index) => ({ kind, position: 40 + index, sequence: 4 + index }))
  const filters = [{ after: 0, types: ["user.updated"] }]
  // What else an event has says nothing of its turn.
  const take = (size: number) => turnOf(lane, read as never, { filters }, size)

  it("skips what is not wanted, and each event names the one before it in the stream", () => {
    const { events, previous, readTo } = take(20)
    assert.deepStrictEqual(
      events.map(({ previousSequence, sequence }) => [sequence, previousSequence]),
      [
        [5, 2],
        [6, 5],
        [8, 6],
        [9, 8]
      ]
    )
    assert.deepStrictEqual([previous, readTo], [9, 9])
    assert.deepStrictEqual([take(2).readTo, take(2).previous], [6, 6])
  })

  it("stops at what comes up again, and remembers what has arrived behind it", () => {
    const fates = new Map([
      [5, { kind: "DONE" }],
      [6, { kind: "AGAIN", dueAt: 7 }],
      [8, { kind: "DONE" }],
      [9, { kind: "AGAIN", dueAt: 8 }]
    ] as const)
    assert.deepStrictEqual(afterTurn(lane, take(20), fates), {
      lane: { subject: "s", doneSeq: 5, previous: 5, ahead: [8], attempts: 1 },
      dueAt: 7,
      dead: []
    })
  })

  it("goes on behind what is left, and tries nothing again that it has not tried", () => {
    const fates = new Map([[5, { kind: "DEAD" }]] as const)
    assert.deepStrictEqual(afterTurn(lane, take(20), fates), {
      lane: { subject: "s", doneSeq: 5, previous: 5, ahead: [], attempts: 0 },
      dueAt: undefined,
      dead: [5]
    })
  })
})
