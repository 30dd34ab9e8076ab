/** A program with routes that deal in what must not leave in telemetry; the tests run it as a process. */
import { TenantId } from "@quittance/domain/requests/Tenancy"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AccessFacts } from "../../src/AccessFacts.ts"
import * as HttpApp from "../../src/HttpApp.ts"
import * as Main from "../../src/Main.ts"
import * as Server from "../../src/Server.ts"
import * as Management from "../../src/telemetry/Management.ts"

const useCase = Effect.fn("Policies.read")(function* () {
  const facts = yield* AccessFacts
  facts.tenant = TenantId.make("acme")
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  yield* Effect.logInfo("A policy is read", headers["x-secret"]).pipe(
    Effect.annotateLogs({ customer: headers["x-secret"] })
  )
  yield* Effect.annotateCurrentSpan({ customer: headers["x-secret"] })
  return HttpServerResponse.jsonUnsafe({ name: headers["x-secret"] })
})

const broken = Effect.fn("Policies.write")(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return yield* Effect.die(new Error(`Key (email)=(${headers["x-secret"]}) already exists`))
})

const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/policies/:policyId", useCase()),
  HttpRouter.add("POST", "/policies/:policyId", broken())
)

Layer.merge(Server.layer(HttpApp.make(routes)), Management.layer).pipe(
  Layer.orDie,
  Main.run("traced")
)
