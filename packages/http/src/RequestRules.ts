/** What an endpoint's contract wants of a request, compiled once for each endpoint. */
import { streamedMaximum } from "@quittance/contract/access/Steering"
import { bodyParsing, parameterParsing } from "@quittance/contract/requests/Parsing"
import { parameterNames } from "@quittance/contract/requests/Parameters"
import type { RequestIssue, RequestPart } from "@quittance/domain/requests/RequestErrors"
import { Effect, Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type Finder, finder } from "./ForeignIds.ts"
import * as Lengths from "./Lengths.ts"
import { pointerSegment, unsound } from "./Soundness.ts"
import type { Environment } from "@quittance/domain/requests/Tenancy"

/** The raw parts of a request; `body` is absent where the route takes none. */
export interface RawRequest {
  readonly path: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly header: unknown
  readonly body?: unknown
}

export interface RequestRules {
  /** The media type of the body that the route takes; absent where it takes none. */
  readonly mediaType: string | undefined
  /** The bytes that the body may have, where the handler receives it itself. */
  readonly streamed: number | undefined
  /** What is longer in the body than it may be; nothing else need be looked at then. */
  readonly lengthFaults: (body: unknown) => ReadonlyArray<RequestIssue>
  /** Faults that schemas do not see: foreign identifiers, unsound texts, unknown parameters. */
  readonly faults: (request: RawRequest) => ReadonlyArray<RequestIssue>
  /** Every fault that a schema sees, in every part. */
  readonly schemaFaults: (request: RawRequest) => Effect.Effect<ReadonlyArray<RequestIssue>>
}

export const make = (endpoint: HttpApiEndpoint.Top, environment: Environment): RequestRules => {
  const takesBody = endpoint.payload.size > 0 && endpoint.method !== "GET"
  const body = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])[0]
  const schemas: ReadonlyArray<readonly [RequestPart, Schema.Top | undefined]> = [
    ["path", endpoint.params],
    ["query", endpoint.query],
    ["header", endpoint.headers],
    ["body", takesBody ? body : undefined]
  ]
  const parts = schemas.flatMap(([part, schema]) =>
    schema === undefined ? [] : [{ part, ...rulesOf(part, schema, environment) }]
  )
  const findLong = body === undefined ? undefined : Lengths.finder(body.ast)
  const known = new Set(parameterNames(endpoint.query))
  const strict = endpoint.method !== "GET"
  return {
    mediaType: takesBody ? [...endpoint.payload.keys()][0] : undefined,
    streamed: streamedMaximum(endpoint),
    lengthFaults: (value) => {
      const issues: Array<RequestIssue> = []
      findLong?.(value, (segments, message) =>
        issues.push({ in: "body", path: pathIn("body", segments), message })
      )
      return issues
    },
    faults: (request) => [
      ...texts("path", request.path),
      ...texts("query", request.query),
      ...(strict ? unknownParameters(request.query, known) : []),
      ...parts.flatMap(({ foreign, part }) => foreign(request[part]))
    ],
    schemaFaults: (request) =>
      Effect.map(
        Effect.forEach(parts, ({ decode, part }) =>
          // A body that could not be read has said so already.
          part === "body" && request.body === undefined ? nothing : decode(request[part])
        ),
        (issues) => issues.flat()
      )
  }
}

const nothing = Effect.succeed<ReadonlyArray<RequestIssue>>([])

/** A parameter goes by its name, what lies in a body by a JSON pointer. */
const pathIn = (part: RequestPart, segments: ReadonlyArray<string | number>): string =>
  part === "body" ? segments.map(pointerSegment).join("") : String(segments[0] ?? "")

const texts = (part: RequestPart, values: unknown) =>
  unsound(part, values, (segments) => pathIn(part, segments))

const rulesOf = (part: RequestPart, schema: Schema.Top, environment: Environment) => {
  const decode = decoder(
    part === "query" ? Schema.toCodecArrayFromSingle(schema) : schema,
    part === "body" ? bodyParsing : parameterParsing
  )
  const find: Finder = finder(schema.ast, environment)
  return {
    decode: (value: unknown) => Effect.map(decode(value), (issue) => issuesOf(part, issue)),
    foreign: (value: unknown): ReadonlyArray<RequestIssue> => {
      const issues: Array<RequestIssue> = []
      find(value, (segments) =>
        issues.push({
          in: part,
          path: pathIn(part, segments),
          message: foreignMessage(environment)
        })
      )
      return issues
    }
  }
}

const foreignMessage = (environment: Environment) =>
  environment === "production"
    ? "Expected an identifier of production, without _test_"
    : "Expected an identifier of this environment, with _test_"

/** The fault of a value, `undefined` where it fits. */
const decoder = (schema: Schema.Top, options: SchemaAST.ParseOptions) => {
  // The schemas of requests need no service to decode: the contract's types have none.
  const decode = Schema.decodeUnknownEffect(schema as Schema.Decoder<unknown>, options)
  return (value: unknown) =>
    Effect.map(Effect.result(decode(value)), (result) =>
      Result.isFailure(result) ? result.failure.issue : undefined
    )
}

const format = (unknownName: string) =>
  SchemaIssue.makeFormatterStandardSchemaV1({
    leafHook: (issue) => {
      if (issue._tag === "MissingKey") return "Required"
      return issue._tag === "UnexpectedKey" ? unknownName : SchemaIssue.defaultLeafHook(issue)
    }
  })
const unknownParameter = "Unknown parameter"
const formatParameter = format(unknownParameter)
const formatBody = format("Unknown property")

/** Messages say what was expected and never repeat a long text that was sent. */
const longestMessage = 300

/** The faults that a schema has found in a part of a request. */
export const issuesOf = (
  part: RequestPart,
  issue: SchemaIssue.Issue | undefined
): ReadonlyArray<RequestIssue> =>
  issue === undefined
    ? []
    : (part === "body" ? formatBody : formatParameter)(issue).issues.map(
        ({ message, path = [] }) => ({
          in: part,
          path: pathIn(part, path.map(segmentOf)),
          message: message.slice(0, longestMessage)
        })
      )

const segmentOf = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number" ? key : String(key)
}

const unknownParameters = (
  query: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>
): ReadonlyArray<RequestIssue> =>
  Object.keys(query)
    .filter((name) => !known.has(name))
    .map((name) => ({
      in: "query",
      path: name.slice(0, longestMessage),
      message: unknownParameter
    }))
