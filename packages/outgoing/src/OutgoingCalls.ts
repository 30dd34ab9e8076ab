/**
 * Every call of the service to a program of a third party. Redirects are not followed, the environment's
 * proxies are not used, there are no cookies, and an answer is bounded in size and time.
 */
import {
  Config,
  Context,
  Data,
  Duration,
  Effect,
  Layer,
  Redacted,
  Schema,
  type Tracer
} from "effect"
import { Agent } from "undici"
import * as CallSpan from "./CallSpan.ts"
import { CallRules } from "./CallRules.ts"
import * as Connector from "./Connector.ts"
import { exchange, type Fault, type Limits, type Read } from "./Exchange.ts"
import { Resolver } from "./Resolver.ts"
import * as Target from "./Target.ts"

export interface OutgoingCall extends Limits {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** Its headers by names in lower case; of several of one name the values with commas between. */
export interface OutgoingAnswer extends Read {
  /** Where the newest connection to this host went. */
  readonly address: string | undefined
}

/**
 * There is no answer. `ADDRESS` the URL or an address of its host must not be called; `TIMEOUT` it took too
 * long; `TLS` the certificate or the protocol is wrong; `UNREACHABLE` there is no connection, or it broke.
 */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly reason: "ADDRESS" | "TIMEOUT" | "TLS" | "UNREACHABLE"
  /** For the log: it has nothing of the request in it. */
  readonly detail: string
}> {}

/** How many connections to one origin may be open. */
const connections = 64
/** How long a connection may be used: after that the name is resolved and judged again. */
const connectionLife = Duration.toMillis("60 seconds")
const idleLife = Duration.toMillis("10 seconds")

const ProxyUrl = Schema.String.check(
  Schema.makeFilter((text) => /^https?:$/u.test(URL.parse(text)?.protocol ?? ""), {
    message: "Expected the URL of a proxy, such as http://egress.internal:3128"
  })
)

export class OutgoingCalls extends Context.Service<
  OutgoingCalls,
  {
    /** Calls once. Interrupted, it closes the connection. */
    send(call: OutgoingCall): Effect.Effect<OutgoingAnswer, CallFailed>
  }
>()("@quittance/outgoing/OutgoingCalls") {
  /** `WEBHOOK_PROXY`: the egress proxy through which all calls go, but those to the machine itself. */
  static readonly layer = Layer.effect(
    OutgoingCalls,
    Effect.gen(function* () {
      const rules = yield* CallRules
      const resolve = yield* Resolver
      const proxy = yield* Config.schema(Schema.Redacted(ProxyUrl), "WEBHOOK_PROXY").pipe(
        Config.map((url) => Redacted.make(new URL(Redacted.value(url)))),
        Config.withDefault(undefined)
      )
      const addresses = new Map<string, string>()
      const agent = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Agent({
              connect: Connector.make({
                rules,
                resolve,
                proxy,
                onAddress: (host, address) => remember(addresses, host, address)
              }),
              connections,
              clientTtl: connectionLife,
              keepAliveTimeout: idleLife,
              keepAliveMaxTimeout: connectionLife,
              // Both are measured here.
              headersTimeout: 0,
              bodyTimeout: 0
            })
        ),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const targetOf = Target.judging(rules)

      const call = Effect.fnUntraced(function* (
        { body, headers, method, ...limits }: OutgoingCall,
        { fault, place }: Target.Target,
        span: Tracer.Span
      ) {
        if (fault !== undefined || place === undefined) {
          return yield* new CallFailed({ reason: "ADDRESS", detail: fault ?? "NAME" })
        }
        const request = {
          origin: place.origin,
          path: place.path,
          method,
          headers: { ...headers, ...(yield* CallSpan.headers(span)), "user-agent": "quittance" },
          body: body ?? null
        }
        const read = yield* Effect.mapError(exchange(agent, request, limits), failure)
        const answer: OutgoingAnswer = { ...read, address: addresses.get(place.host) }
        return answer
      })

      const send = (asked: OutgoingCall) => {
        const target = targetOf(asked.url)
        return CallSpan.around(asked.method, target.place, (span) => call(asked, target, span))
      }

      return OutgoingCalls.of({ send })
    })
  ).pipe(Layer.provideMerge(CallRules.layer))
}

/** How many hosts' addresses are kept. */
const rememberedHosts = 1000

const remember = (addresses: Map<string, string>, host: string, address: string) => {
  addresses.delete(host)
  addresses.set(host, address)
  const [oldest] = addresses.keys()
  if (addresses.size > rememberedHosts && oldest !== undefined) addresses.delete(oldest)
}

const tlsFault =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_|CRL_)/u

const failure = (fault: Fault): CallFailed => {
  if (fault._tag === "Late") {
    const detail = `no answer within ${Duration.toMillis(fault.limit)} ms`
    return new CallFailed({ reason: "TIMEOUT", detail })
  }
  const { cause } = fault
  if (cause instanceof Connector.AddressRefused) {
    return new CallFailed({ reason: "ADDRESS", detail: `${cause.address} must not be called` })
  }
  const { message = String(cause) } = cause instanceof Error ? cause : {}
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  const detail = typeof code === "string" ? code : message
  if (/TIMEOUT|ETIMEDOUT/u.test(detail)) return new CallFailed({ reason: "TIMEOUT", detail })
  const reason = tlsFault.test(detail) ? "TLS" : "UNREACHABLE"
  return new CallFailed({ reason, detail })
}
