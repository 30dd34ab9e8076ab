/**
 * What a receiver of webhooks has taken, checked as it comes: it knows nothing of the service but what
 * docs/webhooks.md promises to receivers.
 */
import { createHash } from "node:crypto"

/** What a receiver reads of an event. */
export interface Told {
  readonly id: string
  readonly subject: string
  readonly sequence: number
  readonly previousSequence: number
}

export interface Taken {
  /** Notes a body that came, whatever becomes of it: each try has the same bytes. */
  readonly seen: (event: Told, body: string) => void
  /** Notes an event that counts as taken; `answered` says whether the sender may know. */
  readonly take: (event: Told, answered: boolean) => void
  /** What was taken, as `subject/sequence`. */
  readonly events: ReadonlySet<string>
  /** What was promised and not kept, the first of it in words. */
  readonly faults: ReadonlyArray<string>
  /** How often something came again that was answered before. */
  readonly doubled: () => number
  /** How often something came again whose answer the receiver itself has kept back. */
  readonly repeated: () => number
}

const shownFaults = 20

/** `isOrdered`: the events of a record come in their order, each naming the one before it. */
export const make = (isOrdered: boolean): Taken => {
  const bodies = new Map<string, string>()
  const answers = new Map<string, boolean>()
  const last = new Map<string, number>()
  const events = new Set<string>()
  const faults: Array<string> = []
  let doubled = 0
  let repeated = 0
  const fault = (what: string) => {
    if (faults.length < shownFaults) faults.push(what)
  }
  const seen = ({ id }: Told, body: string) => {
    const digest = createHash("sha256").update(body).digest("base64")
    if ((bodies.get(id) ?? digest) !== digest) fault(`${id} came with other bytes than before`)
    bodies.set(id, digest)
  }
  const take = ({ id, previousSequence, sequence, subject }: Told, answered: boolean) => {
    const before = answers.get(id)
    answers.set(id, answered || before === true)
    if (before !== undefined) {
      if (before) doubled++
      else repeated++
      return
    }
    events.add(`${subject}/${sequence}`)
    if (!isOrdered) return
    const former = last.get(subject) ?? 0
    if (sequence <= former) fault(`${subject} steps back from ${former} to ${sequence}`)
    else if (previousSequence !== former) {
      fault(`${subject} has a gap: ${sequence} comes after ${former} and names ${previousSequence}`)
    }
    last.set(subject, Math.max(former, sequence))
  }
  return { seen, take, events, faults, doubled: () => doubled, repeated: () => repeated }
}
