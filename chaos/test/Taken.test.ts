/** What a receiver notes: each broken promise is found, and what comes twice is counted. */
import { assert, describe, it } from "@effect/vitest"
import * as Taken from "../events/Taken.ts"

/** The nth event of a record, by default after the one before it. */
const event = (sequence: number, previousSequence = sequence - 1, subject = "policy") => ({
  id: `${subject}-${sequence}`,
  subject,
  sequence,
  previousSequence
})

const receive = (isOrdered: boolean, ...events: ReadonlyArray<Taken.Told>) => {
  const taken = Taken.make(isOrdered)
  for (const one of events) taken.take(one, true)
  return taken
}

describe("a receiver", () => {
  it("finds nothing where each event names the one before it, of several records", () => {
    const filtered = [event(2, 0), event(1, 0, "user"), event(7, 2), event(4, 1, "user")]
    const taken = receive(true, ...filtered)
    assert.deepStrictEqual([taken.faults, taken.doubled(), taken.events.size], [[], 0, 4])
  })

  it("finds an event that is missing, one that comes late, and other bytes", () => {
    assert.lengthOf(receive(true, event(1), event(3)).faults, 1)
    assert.lengthOf(receive(true, event(2, 0), event(1, 0)).faults, 1)
    const taken = Taken.make(true)
    taken.seen(event(1), "one")
    taken.seen(event(1), "one")
    assert.isEmpty(taken.faults)
    taken.seen(event(1), "other")
    assert.lengthOf(taken.faults, 1)
  })

  it("expects no order of an endpoint without one", () => {
    assert.isEmpty(receive(false, event(3), event(1)).faults)
  })

  it("counts what comes again by whether it was answered", () => {
    const taken = receive(true, event(1), event(1), event(2), event(1))
    assert.deepStrictEqual([taken.doubled(), taken.repeated(), taken.faults], [2, 0, []])
    taken.take(event(3), false)
    taken.take(event(3), true)
    taken.take(event(3), true)
    assert.deepStrictEqual([taken.doubled(), taken.repeated()], [3, 1])
  })
})
