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
import { Agent, type Dispatcher } from "undici"
import * as CallSpan from "./CallSpan.ts"
import { CallRules, urlFault } from "./CallRules.ts"
import * as Connector from "./Connector.ts"
import { Resolver } from "./Resolver.ts"

export interface OutgoingCall {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Until the head of the answer is there. */
  readonly headTimeout: Duration.Duration
  /** Until its last byte is. */
  readonly timeout: Duration.Duration
  /** Bytes of the answer's body that are read. */
  readonly maxBody: number
}

export interface OutgoingAnswer {
  readonly status: number
  /** By names in lower case; of several of one name the values with commas between. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** There was more, which was not read. */
  readonly isCut: boolean
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

      const exchange = Effect.fnUntraced(function* (
        call: OutgoingCall,
        { signal }: AbortController,
        span: Tracer.Span
      ) {
        const fault = urlFault(call.url, rules)
        if (fault !== undefined) return yield* new CallFailed({ reason: "ADDRESS", detail: fault })
        const { hostname, origin, pathname, search } = new URL(call.url)
        const options: Dispatcher.RequestOptions = {
          origin,
          path: pathname + search,
          method: call.method,
          headers: {
            ...call.headers,
            ...(yield* CallSpan.headers(span)),
            "user-agent": "quittance"
          },
          body: call.body ?? null,
          signal
        }
        const head = yield* Effect.tryPromise({
          try: () => agent.request(options),
          catch: failure
        }).pipe(
          Effect.timeoutOrElse({
            duration: call.headTimeout,
            orElse: () => Effect.fail(late(call.headTimeout))
          })
        )
        const { body, isCut } = yield* Effect.tryPromise({
          try: () => read(head.body, call.maxBody),
          catch: failure
        })
        const answer: OutgoingAnswer = {
          status: head.statusCode,
          headers: flat(head.headers),
          body,
          isCut,
          address: addresses.get(hostname.replace(/^\[(.*)\]$/u, "$1"))
        }
        return answer
      })

      const send = (call: OutgoingCall) =>
        CallSpan.around(call, (span) =>
          Effect.acquireUseRelease(
            Effect.sync(() => new AbortController()),
            (stop) => exchange(call, stop, span),
            (stop, exit) =>
              exit._tag === "Success" ? Effect.void : Effect.sync(() => stop.abort())
          ).pipe(
            Effect.timeoutOrElse({
              duration: call.timeout,
              orElse: () => Effect.fail(late(call.timeout))
            })
          )
        )

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

const late = (limit: Duration.Duration) =>
  new CallFailed({ reason: "TIMEOUT", detail: `no answer within ${Duration.toMillis(limit)} ms` })

const read = async (stream: Dispatcher.ResponseData["body"], maxBody: number) => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of stream) {
    // Undici's bodies have chunks of bytes unless an encoding is set.
    const bytes = chunk as Uint8Array
    chunks.push(bytes)
    size += bytes.length
    // Leaving the loop closes the connection.
    if (size > maxBody) break
  }
  const body = new Uint8Array(Buffer.concat(chunks).subarray(0, maxBody))
  return { body, isCut: size > maxBody }
}

const flat = (headers: Dispatcher.ResponseData["headers"]) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    )
  )

const tlsFault =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_|CRL_)/u

const failure = (cause: unknown): CallFailed => {
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
