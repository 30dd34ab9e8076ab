/** What is published about the types of events: their schemas, an example of each, and since when. */
import { Schema, SchemaAST } from "effect"
import { type EventName, eventTypes } from "../EventType.ts"
import type { EventType } from "../requests/Event.ts"
import { TenantId } from "../requests/Tenancy.ts"
import type { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { Event, eventSchemaVersion } from "./Event.ts"

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A type of event, for those who subscribe to it. */
export interface PublishedType {
  readonly type: EventName
  readonly schema: typeof eventSchemaVersion
  /** The first release that publishes it. */
  readonly since: string
  /** The JSON Schema of `data`. */
  readonly dataSchema: JsonSchema
  readonly example: Event
}

const firstRelease = "0.1.0"

/** Examples of names that people choose, by the member of the data. */
const chosenNames: Readonly<Record<string, string>> = {
  kind: "DRIVING_LICENCE",
  clientId: "acme-integration",
  productId: "motor-fr",
  roleId: "CLAIMS_DESK",
  tenant: "acme",
  version: "2026.1"
}

const exampleOfMember = ({ name, type }: SchemaAST.PropertySignature) => {
  const { prefixedId } = SchemaAST.resolve(type) ?? {}
  if (typeof prefixedId === "string") {
    // Only schemas of identifiers are annotated so, with their prefix.
    return PrefixedId.example(prefixedId as PrefixedId.Prefix)
  }
  const [first] = SchemaAST.isUnion(type) ? type.types : []
  if (first !== undefined && SchemaAST.isLiteral(first)) return String(first.literal)
  return chosenNames[String(name)] ?? ""
}

const membersOf = (data: EventType["data"]) => {
  const { ast } = Schema.toType(data)
  return SchemaAST.isObjects(ast) ? ast.propertySignatures : []
}

// A canonical text.
const exampleInstant = "2026-03-01T10:00:00.000Z" as Instant

const exampleOf = ({ data, ofRecord, type }: EventType): Event => {
  const facts = Object.fromEntries(
    membersOf(data).map((member) => [String(member.name), exampleOfMember(member)])
  )
  const [named = ""] = Object.values(facts)
  const ofWrite = ofRecord?.(facts["version"] === undefined ? named : `${named}@1`)
  return Event.make({
    // An example has the form of one.
    id: PrefixedId.example("event") as Event["id"],
    // The list's own.
    type: type as EventName,
    timestamp: exampleInstant,
    tenant: TenantId.make("acme"),
    environment: "sandbox",
    schema: eventSchemaVersion,
    subject: ofWrite?.subject ?? named,
    sequence: 12,
    previousSequence: 9,
    recordedAt: exampleInstant,
    data: facts
  })
}

const dataSchemaOf = (data: EventType["data"]): JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(Schema.toType(data))
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
}

/** All types, area by area. */
export const publishedTypes = (): ReadonlyArray<PublishedType> =>
  Object.values(eventTypes).map((kind: EventType) => ({
    // The list's own.
    type: kind.type as EventName,
    schema: eventSchemaVersion,
    since: kind.since ?? firstRelease,
    dataSchema: dataSchemaOf(kind.data),
    example: exampleOf(kind)
  }))

/** The published schema of all events, JSON Schema, draft 2020-12. */
export const eventsSchema = (): JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(Event)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:quittance:events:${eventSchemaVersion}`,
    title: "An event",
    ...schema,
    oneOf: publishedTypes().map(({ dataSchema, type }) => ({
      type: "object",
      properties: { type: { const: type }, data: dataSchema }
    })),
    $defs: definitions
  }
}
