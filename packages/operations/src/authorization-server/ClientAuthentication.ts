/** Who asks at the token endpoint (RFC 6749, section 2.3). */
import * as ClientAssertion from "@quittance/auth/ClientAssertion"
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { ClientId } from "@quittance/domain/requests/Caller"
import type { Client } from "@quittance/domain/access/Client"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { failureLimit, TokenRefused } from "@quittance/domain/tokens/Token"
import { ClientsRepo, type Registration } from "@quittance/persistence/access/ClientsRepo"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { QuotaLeases } from "../requests/QuotaLeases.ts"
import * as TimedCache from "../values/TtlCache.ts"
import { ClientAssertions } from "./ClientAssertions.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const cachedClients = 20_000
/** How long a client that was disabled, or a secret that was deleted, may still get in. */
const knownFor = Duration.seconds(1)

/** The only value of `client_assertion_type`. */
export const { assertionType } = ClientAssertion

/** How a request says who it is. */
export type Credentials =
  /** HTTP Basic, decoded. */
  | { readonly _tag: "Basic"; readonly id: string; readonly secret: Redacted.Redacted }
  /** Only a `client_id` in the body: a public client. */
  | { readonly _tag: "Public"; readonly id: string }
  /** A signed assertion (`private_key_jwt`), and the `client_id` beside it, if there is one. */
  | {
      readonly _tag: "Assertion"
      readonly id: string | undefined
      readonly assertion: Redacted.Redacted
    }
  /** None, or none that can be read. */
  | { readonly _tag: "None" }

export class AuthorizationServerClients extends Context.Service<
  AuthorizationServerClients,
  {
    /**
     * The client behind the credentials, as it was at most a second ago. Failures are counted by address, never by client, or anyone
     * could lock a client out; an unknown client answers exactly as a wrong secret does.
     */
    authenticate(
      credentials: Credentials,
      address: string
    ): Effect.Effect<Client, TokenRefused | RateLimited, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerClients") {
  static readonly layer = Layer.effect(
    AuthorizationServerClients,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const repo = yield* ClientsRepo
      const quotas = yield* QuotaLeases
      const assertions = yield* ClientAssertions

      const known = TimedCache.make({
        capacity: cachedClients,
        lookup: (key) => {
          const [tenant, id] = partsOf(key)
          return Effect.provideService(repo.find(id), CurrentTenant, tenant)
        },
        maxAge: (found) => (found === undefined ? Duration.zero : knownFor)
      })

      /**
       * Cached clients are good enough to accept a request, but not to refuse one. A client or secret that
       * was just made counts at once, and every refusal makes one query, so the time of an answer does not
       * reveal which clients exist.
       */
      const find = Effect.fnUntraced(function* (credentials: Credentials) {
        const id = idOf(credentials)
        if (credentials._tag === "None" || id === undefined) return undefined
        const key = keyOf(yield* CurrentTenant, id)
        if (credentials._tag === "Assertion") {
          const prove = (found: Registration | undefined) =>
            assertions.prove(found, credentials.assertion)
          return (yield* prove(yield* known.peek(key))) ?? (yield* prove(yield* known.refresh(key)))
        }
        const client = proven(yield* known.peek(key), credentials)
        return client ?? proven(yield* known.refresh(key), credentials)
      })

      const authenticate = Effect.fnUntraced(function* (credentials: Credentials, address: string) {
        const bucket = `token-failure:${SourceAddress.key(address)}`
        yield* quotas.check(bucket, failureLimit)
        const client = yield* find(credentials)
        if (client !== undefined) return client
        yield* quotas.spend(bucket, failureLimit)
        return yield* new TokenRefused({ error: "invalid_client" })
      })

      const recorded: typeof authenticate = (credentials, address) =>
        Effect.tapError(
          authenticate(credentials, address),
          Effect.fnUntraced(function* ({ _tag }: RateLimited | TokenRefused) {
            const named = idOf(credentials) ?? ""
            yield* audit.refusedSignIn(address, {
              action: "client.authenticate",
              recordId: identifier.test(named) ? named : yield* CurrentTenant,
              detail: { lacking: _tag === "RateLimited" ? "LIMIT" : "CREDENTIALS" }
            })
          })
        )

      return AuthorizationServerClients.of({ authenticate: recorded })
    })
  ).pipe(
    Layer.provide([AuditTrail.layer, ClientAssertions.layer, ClientsRepo.layer, QuotaLeases.layer])
  )
}

/** What can be a client's; anything else is no record's name. */
const identifier = /^[\w:-]{1,100}$/u

/** The client, if the credentials prove that it is the one they name. */
const proven = (
  found: Registration | undefined,
  credentials: Exclude<Credentials, { _tag: "None" | "Assertion" }>
): Client | undefined => {
  if (credentials._tag === "Public") {
    return found?.client.kind === "PUBLIC" ? found.client : undefined
  }
  const hashes = found?.secretHashes ?? []
  const matches = Secret.matches(
    Redacted.value(credentials.secret),
    hashes.length === 0 ? noSecret : hashes
  )
  return matches && found?.client.kind === "CONFIDENTIAL" ? found.client : undefined
}

/** Whom the credentials name; of an assertion its subject, with which a `client_id` has to agree. */
const idOf = (credentials: Credentials): string | undefined => {
  if (credentials._tag === "None") return undefined
  if (credentials._tag !== "Assertion") return credentials.id === "" ? undefined : credentials.id
  const subject = ClientAssertion.subjectOf(Redacted.value(credentials.assertion))
  return credentials.id === undefined || credentials.id === subject ? subject : undefined
}

const keyOf = (tenant: TenantId, id: string) => `${tenant}\0${id}`

/** No tenant has NUL in its id. */
const partsOf = (key: string): readonly [TenantId, ClientId] => {
  const end = key.indexOf("\0")
  return [TenantId.make(key.slice(0, end)), ClientId.make(key.slice(end + 1))]
}

/** No secret has this hash; it is compared with when there is none, for the time that takes. */
const noSecret = [new Uint8Array(32)]
