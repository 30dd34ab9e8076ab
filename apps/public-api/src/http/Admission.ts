/** Who is worked for now, who waits, and who is asked to come back: no one may stop the others. */
import { VisitorWindow } from "@quittance/contract/access/Access"
import { streamedMaximum } from "@quittance/contract/access/Steering"
import { Admission } from "@quittance/contract/requests/Admission"
import { type Caller, CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import * as Turns from "@quittance/domain/requests/Turns"
import { observePool } from "@quittance/domain/telemetry/Pools"
import { VisitorLimits } from "@quittance/operations/requests/VisitorLimits"
import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Many = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const atOnce = (name: string, many: number) => Config.withDefault(Config.schema(Many, name), many)

/** Requests that one program works on at a time, of each. */
const bounds = Config.all({
  tenant: atOnce("TENANT_REQUESTS", 32),
  caller: atOnce("CALLER_REQUESTS", 24),
  visitor: atOnce("VISITOR_REQUESTS", 4),
  record: atOnce("RECORD_WRITES", 2)
})

/** For each request at work so many may wait: what comes then is turned away at once. */
const waitingForEach = 7

/** The part of a tenant's requests that all its visitors together may be: a quarter. */
const visitorsShare = 4

/** Bytes of a body from which on reading, pricing and answering it takes more than a moment. */
const large = 16_384
/** Of all tenants; one each of a tenant's visitors and of its other callers. */
const largeLimits = { atOnce: 4, each: 1, waiting: 8 }

export const AdmissionLayer = Layer.effect(
  Admission,
  Effect.gen(function* () {
    const { caller, record, tenant, visitor } = yield* bounds
    const visitors = yield* VisitorLimits
    const line = (waitingFor: "TENANT" | "CALLER" | "RECORD", each: number) =>
      Turns.make(waitingFor, { atOnce: Infinity, each, waiting: each * waitingForEach })
    const tenantTurns = line("TENANT", tenant)
    const visitorsTurns = line("TENANT", Math.ceil(tenant / visitorsShare))
    const callerTurns = line("CALLER", caller)
    const visitorTurns = line("CALLER", visitor)
    const recordTurns = line("RECORD", record)
    const largeTurns = Turns.make("LARGE_REQUESTS", largeLimits)
    yield* observePool("tenants", tenantTurns)
    yield* observePool("callers", callerTurns)
    yield* observePool("records", recordTurns)

    const count = Effect.fnUntraced(function* (caller: Caller, endpoint: HttpApiEndpoint.Top) {
      const window = Context.getOrUndefined(endpoint.annotations, VisitorWindow)
      if (caller._tag !== "Anonymous" || window === undefined) return
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const address = Option.getOrElse(remoteAddress, () => "")
      yield* visitors.spend(window, { sessionId: caller.sessionId, address })
    })

    return Admission.of(
      Effect.fnUntraced(function* (handler, { endpoint }) {
        const caller = yield* CurrentCaller
        const tenant = yield* CurrentTenant
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { params } = yield* HttpRouter.RouteContext
        yield* count(caller, endpoint)
        // It is received while it is served: a slow sender would hold the turns of all others.
        if (streamedMaximum(endpoint) !== undefined) return yield* handler
        const isVisitor = caller._tag === "Anonymous"
        // A request that waits for one holds no turn of a later one: the turn that all tenants share is the
        // last.
        const sized = isLarge(headers) ? largeTurns.run(`${tenant} ${isVisitor}`, handler) : handler
        const ofTenant = tenantTurns.run(tenant, sized)
        const atWork = isVisitor ? visitorsTurns.run(tenant, ofTenant) : ofTenant
        const [named] = endpoint.method === "GET" ? [] : Object.values(params)
        // A line for each kind of caller: who may not touch the record must not hold up who may.
        const record = `${tenant} ${named} ${caller._tag}`
        const alone = named === undefined ? atWork : recordTurns.run(record, atWork)
        const turns = isVisitor ? visitorTurns : callerTurns
        return yield* turns.run(`${tenant} ${subject(caller)}`, alone)
      })
    )
  })
).pipe(Layer.provide(VisitorLimits.layer))

/** A body that does not say how long it is counts as one that is long. */
const isLarge = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["content-length"] === undefined
    ? headers["transfer-encoding"] !== undefined
    : Number(headers["content-length"]) > large
