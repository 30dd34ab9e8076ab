/** A small app with the middlewares of the real ones, and ways to talk to it. */
import { access, everyone, idempotent, people } from "@quittance/contract/access/Access"
import { AccessControl } from "@quittance/contract/requests/AccessControl"
import { policyErrors } from "@quittance/contract/policies/PolicyErrors"
import { Authorization } from "@quittance/contract/requests/Authorization"
import { policyHeaders, writeQuery } from "@quittance/contract/requests/Parameters"
import { parsing } from "@quittance/contract/requests/Parsing"
import { RequestValidation } from "@quittance/contract/requests/RequestValidation"
import { Tenancy } from "@quittance/contract/requests/Tenancy"
import {
  ClientId,
  CurrentCaller,
  Unauthorized,
  UserNotFound
} from "@quittance/domain/requests/Caller"
import { CustomField, customFieldsOf } from "@quittance/domain/values/CustomField"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { Overload } from "@quittance/domain/requests/Overload"
import { Busy, Conflict, NotReady, RequestIssue } from "@quittance/domain/requests/RequestErrors"
import {
  ConfigProvider,
  Context,
  Data,
  Effect,
  Layer,
  Logger,
  Redacted,
  Schema,
  type Scope
} from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Turns from "@quittance/domain/requests/Turns"
import * as BodyText from "../src/BodyText.ts"
import * as Health from "../src/Health.ts"
import * as HttpApp from "../src/HttpApp.ts"
import { RequestChecks } from "../src/RequestChecks.ts"
import { RequestValidationLayer } from "../src/RequestValidation.ts"
import { TenancyLayer } from "../src/Tenancy.ts"
import { BranchId, PolicyId } from "@quittance/domain/values/Ids"

const Things = HttpApiGroup.make("things")
  .add(
    HttpApiEndpoint.get("get", "/policies/:policyId", {
      params: { policyId: PolicyId },
      query: {
        branchId: Schema.optionalKey(BranchId),
        count: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
        colours: Schema.optionalKey(Schema.Array(Schema.Literals(["RED", "BLUE"]))),
        whenAt: Schema.optionalKey(InstantFromString),
        words: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({ id: Schema.String, query: Schema.Unknown }),
      error: policyErrors.PolicyNotFound
    }),
    HttpApiEndpoint.post("change", "/policies/:policyId", {
      params: { policyId: PolicyId },
      query: { ...writeQuery, dryRun: Schema.optionalKey(Schema.Boolean) },
      headers: policyHeaders,
      payload: Schema.Struct({
        name: Schema.String,
        amount: Schema.optionalKey(Schema.Int),
        branchId: Schema.optionalKey(BranchId),
        customFields: Schema.optionalKey(customFieldsOf(CustomField)),
        options: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
      }),
      success: Schema.Struct({ name: Schema.String })
    }).annotateMerge(idempotent),
    HttpApiEndpoint.post("command", "/policies/:policyId/confirm", {
      params: { policyId: PolicyId },
      payload: Schema.Struct({}),
      success: Schema.Struct({ confirmed: Schema.Literal(true) })
    }).annotateMerge(idempotent),
    HttpApiEndpoint.get("report", "/report", {
      success: Schema.Struct({ caller: Schema.String })
    }).annotateMerge(access({ scope: "platform/billing", callers: everyone })),
    HttpApiEndpoint.get("crash", "/crash", { success: Schema.Struct({ a: Schema.Int }) }),
    HttpApiEndpoint.get("never", "/never", { success: Schema.Struct({ a: Schema.Int }) })
  )
  .annotateMerge(access({ scope: "platform/policies", callers: people }))

class TestApi extends HttpApi.make("test")
  .add(Things)
  .middleware(RequestValidation)
  .middleware(AccessControl)
  .middleware(Authorization)
  .middleware(Tenancy)
  .annotateMerge(parsing) {}

/** What became of requests that never got an answer. */
export const interrupted: Array<string> = []

const Handlers = HttpApiBuilder.group(TestApi, "things", (handlers) =>
  handlers.handleAll({
    get: ({ params, query }) =>
      params.policyId.endsWith("4")
        ? Effect.fail(new PolicyNotFound({ policyId: params.policyId }))
        : Effect.succeed({ id: params.policyId, query }),
    change: ({ payload }) => Effect.succeed({ name: payload.name }),
    command: () => Effect.succeed({ confirmed: true as const }),
    report: () => Effect.map(CurrentCaller, ({ _tag }) => ({ caller: _tag })),
    crash: () => Effect.die(new Error("the password of the database is hunter2")),
    never: () =>
      Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push("never")))
  })
)

/** Tokens are `user`, and `client`, which belongs to no person. */
const AuthorizationLayer = Layer.succeed(
  Authorization,
  Authorization.of({
    bearer: Effect.fnUntraced(function* (handler, { credential }) {
      const token = Redacted.value(credential)
      if (token !== "user" && token !== "client") return yield* new Unauthorized()
      const caller: CurrentCaller["Service"] = {
        _tag: "Client",
        clientId: ClientId.make(token),
        scopes: new Set()
      }
      return yield* Effect.provideService(handler, CurrentCaller, caller)
    })
  })
)

const AccessControlLayer = Layer.effect(
  AccessControl,
  Effect.map(RequestChecks, (checks) =>
    AccessControl.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const caller = yield* CurrentCaller
        if (
          caller._tag === "Client" &&
          caller.clientId === "client" &&
          endpoint.path !== "/report"
        ) {
          yield* checks.check(endpoint)
          return yield* new UserNotFound()
        }
        return yield* handler
      })
    )
  )
)

/** A failure of a database that has waited for too long, and what is to be answered. */
class GaveUp extends Data.Error<{ readonly busy: Busy }> {}

const overload = (failure: unknown): Busy | undefined => {
  if (failure instanceof Busy) return failure
  return failure instanceof GaveUp ? failure.busy : undefined
}

const noTurns = { atOnce: 0, each: 0, waiting: 0 }

const routes = Layer.mergeAll(
  HttpApiBuilder.layer(TestApi).pipe(
    Layer.provide(Handlers),
    Layer.provide([AccessControlLayer, AuthorizationLayer, RequestValidationLayer, TenancyLayer]),
    Layer.provide(RequestChecks.layer)
  ),
  Health.routes(Effect.void),
  HttpRouter.add(
    "POST",
    "/text",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.map(BodyText.once(request), (text) => HttpServerResponse.text(text))
    )
  ),
  HttpRouter.add("GET", "/page", HttpServerResponse.html("<p>Hello</p>")),
  HttpRouter.add("GET", "/away", Effect.die(new NotReady({}))),
  HttpRouter.add(
    "GET",
    "/locked",
    Effect.die(new GaveUp({ busy: new Busy({ waitingFor: "RECORD", retryAfter: 2 }) }))
  ),
  HttpRouter.add(
    "GET",
    "/slow",
    Effect.die(new GaveUp({ busy: new Busy({ waitingFor: "DATABASE", retryAfter: 5 }) }))
  ),
  HttpRouter.add("GET", "/crowded", Turns.make("TENANT", noTurns).run("acme", Effect.never)),
  HttpRouter.add("POST", "/contested", Effect.die(new Conflict({})))
)

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The error in an answer's body. */
export const errorOf = ({ text }: Answer) =>
  Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody), { onExcessProperty: "error" })(text)

const ErrorBody = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.Record(Schema.String, Schema.Json)
})

/** The faults that an answer lists, as `in path`. */
export const faultsOf = (answer: Answer): ReadonlyArray<string> =>
  Schema.decodeUnknownSync(Schema.Array(RequestIssue))(errorOf(answer).details["issues"]).map(
    (issue) => `${issue.in} ${issue.path}`
  )

export const app = Effect.provideService(HttpApp.make(routes), Overload, overload)

/** Speaks to the app without a socket. */
export class TestClient extends Context.Service<
  TestClient,
  {
    send(
      method: string,
      path: string,
      options?: { readonly headers?: Record<string, string>; readonly body?: string | Uint8Array }
    ): Effect.Effect<Answer>
  }
>()("@quittance/http/test/TestClient") {
  static readonly layer = (config: Record<string, string>) =>
    Layer.effect(
      TestClient,
      Effect.gen(function* () {
        const handler = HttpEffect.toWebHandlerWith<
          never,
          HttpServerRequest.HttpServerRequest | Scope.Scope
        >(yield* Effect.context())(yield* app)
        return TestClient.of({
          send: (method, path, { body, headers = {} } = {}) =>
            Effect.promise(async () => {
              const response = await handler(
                new Request(`http://api.test${path}`, {
                  method,
                  headers,
                  ...(body === undefined ? {} : { body })
                })
              )
              return {
                status: response.status,
                headers: Object.fromEntries(response.headers),
                text: await response.text()
              }
            })
        })
      })
    ).pipe(
      Layer.provide([ConfigProvider.layer(ConfigProvider.fromUnknown(config)), Logger.layer([])])
    )
}

export const config = { ENVIRONMENT: "sandbox", REQUEST_TIMEOUT: "3 seconds" }

/** Identifiers of policies, the second of one that isn't there. */
export const policyId = "policy_test_aaaaaaaaaaaaaaaaaaaaa"
export const missingId = "policy_test_aaaaaaaaaaaaaaaaaaaa4"

export const asUser = { tenant: "acme", authorization: "Bearer user" }
export const asClient = { tenant: "acme", authorization: "Bearer client" }
