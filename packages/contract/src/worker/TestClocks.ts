import { MoveTestClock } from "@quittance/domain/worker/ClockRequests"
import { Instant } from "@quittance/domain/values/Instant"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { writeHeaders, writeQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { reference } from "../requests/AreaReference.ts"
import { workerTerms } from "./WorkerTerms.ts"

/** The tenant's business time. */
export const TestClock = Schema.Struct({ now: Instant }).annotate({ identifier: "TestClock" })

/** Where the clock stands, and how often each job ran on the way. */
export const MovedTestClock = Schema.Struct({
  now: Instant,
  ran: Schema.Record(Schema.String, Schema.Int)
}).annotate({ identifier: "MovedTestClock" })

export class TestClocks extends bearer(
  HttpApiGroup.make("testClocks")
    .add(
      HttpApiEndpoint.get("get", "/admin/test-clock", {
        success: TestClock,
        error: requestErrors.RouteNotFound
      })
        .annotateMerge(needs("clock.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read the tenant's business time"),
      HttpApiEndpoint.put("move", "/admin/test-clock", {
        query: writeQuery,
        headers: writeHeaders,
        payload: MoveTestClock,
        success: MovedTestClock,
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidEffectiveDate,
          requestErrors.RouteNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("clock.write", "TENANT"))
        .annotate(RequestExample, { now: "2026-04-01T00:00:00Z" })
        .annotate(OpenApi.Summary, "Move the tenant's business time forward")
        .annotate(
          OpenApi.Description,
          "Runs, in order, everything that falls due up to then before it answers. Never moves back."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(reference({ terms: workerTerms }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Test clock",
        description: "Only in the sandbox: in production these routes do not exist."
      })
    )
) {}
