/** The feed of a tenant as a client of it reads it, with a token that is made again before it ends. */
import { QuittanceClient, type Requests } from "@quittance/contract/api/Client"
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Duration, Effect, Exit, Redacted, Schedule } from "effect"
import { CliError } from "effect/cli"
import { HttpClientError } from "effect/http"
import { Tokens } from "../Tokens.ts"

export interface Reader {
  readonly tenant: TenantId
  /** The client that reads, which has `platform/admin`. */
  readonly id: string
  readonly secret: Redacted.Redacted
  /** The types that are read, or patterns of them; all where there are none. */
  readonly types: ReadonlyArray<string>
  /** Says that the service is away. */
  say(line: string): Effect.Effect<void>
}

/** Less than a client's token lasts. */
const tokenKept = Duration.minutes(30)

/** How often a service that is away is asked again. */
const patience = Schedule.spaced("2 seconds")

const eventsOfPage = 100

/** Answers of a service that may soon answer otherwise. `Unauthorized` has the token made again. */
const passing = new Set(["Busy", "NotReady", "RateLimited", "Timeout", "Unauthorized"])

const isAway = (error: { readonly _tag: string }): boolean => {
  const cause = error instanceof CliError.UserError ? error.cause : error
  if (!HttpClientError.isHttpClientError(cause)) return passing.has(error._tag)
  const { reason } = cause
  return (
    reason._tag === "TransportError" ||
    (reason._tag === "StatusCodeError" && reason.response.status >= 500)
  )
}

/** Reads as this client. It fails at once where the service is not there, or refuses the client. */
export const make = Effect.fn("Feed.make")(function* ({ id, say, secret, tenant, types }: Reader) {
  const tokens = yield* Tokens
  const { audience } = yield* Issuers
  const made = Effect.flatMap(
    tokens.ofClient(tenant, { id, secret, scope: "platform/admin" }),
    (token) => QuittanceClient.make({ baseUrl: audience, tenant, token: Redacted.make(token) })
  )
  const [client, forget] = yield* Effect.cachedInvalidateWithTTL(made, (exit) =>
    Exit.isSuccess(exit) ? tokenKept : Duration.zero
  )
  yield* client

  const patiently = <A, E extends { readonly _tag: string }, R>(
    request: (api: Requests) => Effect.Effect<A, E, R>
  ) =>
    Effect.flatMap(client, request).pipe(
      Effect.tapError((error) =>
        isAway(error)
          ? Effect.andThen(say("The service does not answer: asked again in 2 s."), forget)
          : Effect.void
      ),
      Effect.retry({ schedule: patience, while: isAway })
    )

  return {
    /** The next events after a position; without any it waits for some, so many seconds at most. */
    page: (after: number, wait: number) =>
      patiently((api) =>
        api.events.feed({
          query: { after, wait, count: eventsOfPage, ...(types.length === 0 ? {} : { types }) }
        })
      ),
    get: (eventId: Parameters<Requests["events"]["get"]>[0]["params"]["eventId"]) =>
      patiently((api) => api.events.get({ params: { eventId } }))
  }
})
