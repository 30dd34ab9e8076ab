/** Which documents a feed calls for, worked out from docs/documents.md and from the rows of events alone. */
import { eventTypes } from "@quittance/domain/EventType"

/** An event as it is on record, and what its branch is. */
export interface Recorded {
  readonly id: string
  readonly kind: string
  readonly policyId: string
  readonly branchId: string | null
  /** `BASE` is what is in force. */
  readonly branchType: string | null
  readonly recordedAt: string
}

/** A document that has to be there once. */
export const keyOf = (eventId: string, definitionId: string, trigger: string): string =>
  `${eventId} ${definitionId} ${trigger}`

const typeOf = (kind: string): string | undefined =>
  (eventTypes as Readonly<Record<string, { readonly type: string } | undefined>>)[kind]?.type

/** What is made of the products that are shipped; each has the same definitions. */
const definitions = (
  event: Recorded
): ReadonlyArray<readonly [definition: string, trigger: string]> => {
  const { branchType } = event
  const isOffer = branchType !== "BASE"
  switch (typeOf(event.kind)) {
    case "policy.quoted": {
      if (!isOffer) return []
      const notice = branchType === "RENEWAL" ? [["RENEWAL_NOTICE", "RENEWAL_NOTICE"] as const] : []
      return [["IPID", "QUOTED"], ["QUOTE", "QUOTED"], ...notice]
    }
    case "policy.confirmed":
      return isOffer ? signed(branchType).map((definition) => [definition, "CONFIRMED"]) : []
    case "policy.signed":
      return isOffer ? [] : [["SCHEDULE", "SIGNED"]]
    case "branch.merged": {
      const schedule = branchType === "NEW_BUSINESS" ? [] : ["SCHEDULE"]
      return [...signed(branchType), ...schedule].map((definition) => [definition, "MERGED"])
    }
    case "policy.stopped":
      return isOffer ? [] : [["TERMINATION", "STOPPED"]]
    case "invoice.issued":
      return [["INVOICE", "INVOICED"]]
    case "credit_note.issued":
      return [["CREDIT_NOTE", "CREDITED"]]
    case "formal_notice.written":
      return [["FORMAL_NOTICE", "NOTICE_WRITTEN"]]
    default:
      return []
  }
}

/** What is signed on a branch. */
const signed = (branchType: string | null): ReadonlyArray<string> => {
  if (branchType === "NEW_BUSINESS") return ["CONTRACT"]
  return branchType === "MTA" ? ["ENDORSEMENT"] : []
}

/** Which events of a branch end what was offered by an earlier one; of the same command, it was never there. */
const ending: Readonly<Record<string, ReadonlyArray<string>>> = {
  "policy.quoted": ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE"],
  "policy.quote_outdated": ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE"],
  "policy.reopened": ["CONFIRMED"],
  "policy.confirmed": ["CONFIRMED"],
  "branch.invalidated": ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE", "SIGNED"]
}

/** The documents of a feed, in the order in which they become due. */
export const expected = (feed: ReadonlyArray<Recorded>): ReadonlySet<string> => {
  const due = new Set<string>()
  /** What events of one command on one branch have called for so far. */
  const ofCommand = new Map<string, Array<{ readonly key: string; readonly trigger: string }>>()
  for (const event of feed) {
    const command = `${event.policyId} ${event.branchId} ${event.recordedAt}`
    const before = ofCommand.get(command) ?? []
    const ended = ending[typeOf(event.kind) ?? ""] ?? []
    for (const { key, trigger } of before) if (ended.includes(trigger)) due.delete(key)
    const made = definitions(event).map(([definition, trigger]) => ({
      key: keyOf(event.id, definition, trigger),
      trigger
    }))
    for (const { key } of made) due.add(key)
    ofCommand.set(command, [...before, ...made])
  }
  return due
}
