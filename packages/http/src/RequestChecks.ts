import {
  InvalidRequest,
  type PayloadTooLarge,
  type RequestIssue,
  type UnsupportedMediaType
} from "@quittance/domain/requests/RequestErrors"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import * as RequestBody from "./RequestBody.ts"
import { repeatedHeaders } from "./RequestHead.ts"
import * as RequestRules from "./RequestRules.ts"

/** More faults than anyone reads; a body of a megabyte may hold a hundred thousand. */
const mostIssues = 100

type Refusal = InvalidRequest | PayloadTooLarge | UnsupportedMediaType

/** A request whose body has been read. */
export interface ReadRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly raw: RequestRules.RawRequest
  /** What is wrong with it, whatever the schemas of the route say. */
  readonly issues: ReadonlyArray<RequestIssue>
}

/** Checks the running request against the contract of its endpoint. */
export class RequestChecks extends Context.Service<
  RequestChecks,
  {
    read(endpoint: HttpApiEndpoint.Top): Effect.Effect<ReadRequest, Refusal, HttpRouter.Provided>
    /** The refusal with every fault in every part, in the order of the parts. */
    refusal(endpoint: HttpApiEndpoint.Top, request: ReadRequest): Effect.Effect<InvalidRequest>
    /** Fails where the request does not fit; for what has to know before the handler runs. */
    check(endpoint: HttpApiEndpoint.Top): Effect.Effect<void, Refusal, HttpRouter.Provided>
  }
>()("@quittance/http/RequestChecks") {
  static readonly layer = Layer.effect(
    RequestChecks,
    Effect.gen(function* () {
      const environment = yield* runningEnvironment
      const turns = RequestBody.turns()
      const compiled = new WeakMap<HttpApiEndpoint.Top, RequestRules.RequestRules>()
      const rulesOf = (endpoint: HttpApiEndpoint.Top) => {
        const known = compiled.get(endpoint)
        if (known !== undefined) return known
        const rules = RequestRules.make(endpoint, environment)
        compiled.set(endpoint, rules)
        return rules
      }

      const read = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
        const rules = rulesOf(endpoint)
        const request = yield* HttpServerRequest.HttpServerRequest
        const { params } = yield* HttpRouter.RouteContext
        const query = yield* HttpServerRequest.ParsedSearchParams
        const { mediaType, streamed } = rules
        const body =
          mediaType === undefined
            ? emptyBody
            : streamed === undefined
              ? yield* RequestBody.read(request, mediaType, turns)
              : yield* Effect.as(RequestBody.check(request, mediaType, streamed), emptyBody)
        const raw = { path: params, query, header: request.headers, body: body.value }
        const tooLong = rules.lengthFaults(raw.body)
        if (tooLong.length > 0) {
          return yield* new InvalidRequest({ issues: tooLong.slice(0, mostIssues) })
        }
        const issues = [...repeated(request), ...rules.faults(raw), ...body.issues]
        return { request: withText(request, body), raw, issues }
      })

      const refusal = (endpoint: HttpApiEndpoint.Top, { issues, raw }: ReadRequest) =>
        Effect.map(
          rulesOf(endpoint).schemaFaults(raw),
          (faults) => new InvalidRequest({ issues: ordered([...issues, ...faults]) })
        )

      const check = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
        const request = yield* read(endpoint)
        const found = yield* refusal(endpoint, request)
        if (found.issues.length > 0) return yield* found
      })

      return RequestChecks.of({ read, refusal, check })
    })
  )
}

const emptyBody: RequestBody.RequestBody = { issues: [] }

/** The handler reads the body's text again: that of an empty body is the one we took it for. */
const withText = (
  request: HttpServerRequest.HttpServerRequest,
  { text }: RequestBody.RequestBody
): HttpServerRequest.HttpServerRequest =>
  text === undefined
    ? request
    : // The same request but for one member; the prototype has all the others.
      (Object.create(request, {
        text: { value: Effect.succeed(text) }
      }) as HttpServerRequest.HttpServerRequest)

const repeated = (request: HttpServerRequest.HttpServerRequest): ReadonlyArray<RequestIssue> =>
  repeatedHeaders(request).map((path) => ({ in: "header", path, message: "Expected only once" }))

const parts: ReadonlyArray<RequestIssue["in"]> = ["path", "query", "header", "body"]

/** Part by part, and one fault for one place: the first to find it knows best. */
const ordered = (issues: ReadonlyArray<RequestIssue>): ReadonlyArray<RequestIssue> => {
  const places = new Map<string, RequestIssue>()
  for (const issue of issues) {
    const place = `${issue.in} ${issue.path}`
    if (!places.has(place)) places.set(place, issue)
  }
  return parts
    .flatMap((part) => [...places.values()].filter((issue) => issue.in === part))
    .slice(0, mostIssues)
}
