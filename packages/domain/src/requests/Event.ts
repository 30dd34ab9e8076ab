/**
 * An event: something that happened to a record, told to others in the order of that record, its subject.
 * Each area lists the kinds that it records in `<Area>Events.ts`; `EventType.ts` has them all.
 */
import { Schema } from "effect"
import * as PrefixedId from "../values/PrefixedId.ts"

/** The record whose events are counted: its identifier, or its kind and name, as in `product:motor-fr`. */
export const Subject = Schema.String.check(
  Schema.isPattern(
    new RegExp(
      `^(?:(?:${PrefixedId.prefixes.join("|")})(?:_test)?_[${PrefixedId.alphabet}]{${PrefixedId.suffixLength}}|(?:client|product|role|tenant):[A-Za-z0-9][A-Za-z0-9_-]{0,99})$`,
      "u"
    ),
    { message: "Expected the identifier of a record, or its kind and name: product:motor-fr" }
  )
)

/** What the payload of an event's row may hold, and what its data are made of. */
export type EventPayload = { readonly [name: string]: Schema.Json }

/** A fact about an event: where it belongs, and what its row says. */
export interface SubjectFacts {
  /** The record whose events are counted: its id, or its kind and name, as in `product:motor-fr`. */
  readonly subject: string
  readonly payload: EventPayload
}

/** How one kind of event is told to others. */
export interface EventType {
  /** The published name, `<record>.<past participle>`. */
  readonly type: string
  /**
   * What is told: identifiers, enumerations, whole numbers and dates, nothing else. It is read from the
   * payload of the row; what is not named here is never told.
   */
  readonly data: Schema.Codec<unknown, unknown>
  /** The release that has told it first; absent where that is the first of all. */
  readonly since?: string
  /**
   * The event of a write that the audit trail calls like this kind, for a record without a policy;
   * absent where the command records its events itself.
   */
  readonly ofRecord?: (recordId: string) => SubjectFacts
}

/** The kind of an event of a policy, or of what belongs to one: the area writes it with its own words. */
export const eventType = <const T extends string, F extends Schema.Struct.Fields>(
  type: T,
  fields: F
) => ({ type, data: Schema.Struct(fields) })

/** What names a record, and what its events are counted under. */
interface NamedRecord {
  /** The member of the data that names it. */
  readonly name: string
  readonly id: Schema.Codec<string>
  subject(recordId: string): string
}

/** The kind of an event that follows from a write on a record that people have named. */
export const namedRecordEventType = <const T extends string>(
  type: T,
  { id, name, subject }: NamedRecord
) => ({
  type,
  data: Schema.Struct({ [name]: id }),
  ofRecord: (recordId: string): SubjectFacts => ({
    subject: subject(recordId),
    payload: { [name]: recordId }
  })
})

/** The kind of an event that follows from a write on a record that has an identifier of its own. */
export const recordEventType = <const T extends string>(
  type: T,
  name: string,
  id: Schema.Codec<string>
) => namedRecordEventType(type, { name, id, subject: (recordId) => recordId })
