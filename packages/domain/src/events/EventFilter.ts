/** Selects events of a feed by patterns of types: `*`, `policy.*` or `policy.started`. */
import { Result, Schema } from "effect"
import { type EventKind, type EventName, eventNames, eventTypes } from "../EventType.ts"

/** A type by its name, all types of a record, or all types. */
export const TypePattern = Schema.String.check(
  Schema.isPattern(/^(?:\*|[a-z]{1,40}(?:_[a-z]{1,40}){0,5}\.(?:\*|[a-z_]{1,60}))$/u, {
    message: "Expected a type, such as policy.started, or a pattern: policy.* or *"
  })
)

/** Nothing is called so: a typing error would otherwise be a feed that stays empty. */
export class UnknownEventType extends Schema.TaggedError<UnknownEventType>()("UnknownEventType", {
  /** The patterns that no type fits. */
  types: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No event is called ${this.types.join(", ")}; \`GET /event-types\` lists all types.`
  }
}

const fits = (pattern: string, type: EventName): boolean =>
  pattern === "*" ||
  pattern === type ||
  (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))

/** Whether one of the patterns fits a type. */
export const isWanted = (patterns: ReadonlyArray<string>, type: EventName): boolean =>
  patterns.some((pattern) => fits(pattern, type))

/** The patterns, each of which fits a type of this release; else those that fit none. */
export const knownPatterns = (
  patterns: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, UnknownEventType> => {
  const unknown = patterns.filter((pattern) => !eventNames.some((type) => fits(pattern, type)))
  return unknown.length === 0
    ? Result.succeed(patterns)
    : Result.fail(new UnknownEventType({ types: unknown }))
}

/** The kinds of rows that patterns are about; `undefined` where that is all of them, known or not. */
export const kindsOf = (patterns: ReadonlyArray<string>): ReadonlyArray<EventKind> | undefined =>
  patterns.includes("*")
    ? undefined
    : allKinds.filter((kind) => isWanted(patterns, eventTypes[kind].type))

// Object.keys forgets the literal types of a constant record.
const allKinds = Object.keys(eventTypes) as unknown as ReadonlyArray<EventKind>

/** Every kind that this release knows. */
export const knownKinds = allKinds
