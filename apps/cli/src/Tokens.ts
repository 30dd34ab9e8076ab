/** Gets access tokens as any client does: over HTTP, through the flows of the authorization server. */
import * as Pkce from "@quittance/auth/Pkce"
import { StartedAnonymousSession } from "@quittance/domain/access/AnonymousSession"
import { firstPartyClientId, loopbackRedirectUri } from "@quittance/domain/access/Client"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { CliError } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import {
  Cookies,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { readForm } from "./LoginForm.ts"
import { problem } from "./Problem.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

export interface ClientCredentials {
  readonly id: string
  readonly secret: Redacted.Redacted
  /** Separated by one space; all that were granted when it is left out. */
  readonly scope?: string
}

export interface UserCredentials {
  readonly email: string
  readonly password: Redacted.Redacted
}

export class Tokens extends Context.Service<
  Tokens,
  {
    /** By the client credentials grant. */
    ofClient(tenant: TenantId, credentials: ClientCredentials): Answer
    /** By the login page, an authorization code and PKCE, as a browser goes. */
    ofUser(tenant: TenantId, credentials: UserCredentials): Answer
    /** Of a new anonymous session. */
    ofVisitor(tenant: TenantId): Answer
  }
>()("@quittance/cli/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const client = yield* HttpClient.HttpClient
      const random = yield* SecureRandom.SecureRandom
      const secret = Effect.map(random.randomBytes(32), (bytes) =>
        Buffer.from(bytes).toString("base64url")
      )

      const send = (request: HttpClientRequest.HttpClientRequest) =>
        client.execute(request).pipe(Effect.mapError(unreachable(request)))

      const exchange = (tenant: TenantId, form: Form, credentials?: ClientCredentials) =>
        HttpClientRequest.post(`${issuers.of(tenant)}/oauth2/token`).pipe(
          HttpClientRequest.bodyUrlParams(form),
          credentials === undefined
            ? (request) => request
            : HttpClientRequest.basicAuth(
                encodeURIComponent(credentials.id),
                encodeURIComponent(Redacted.value(credentials.secret))
              ),
          send,
          Effect.flatMap(read(TokenAnswer, 200)),
          Effect.map(({ access_token }) => access_token)
        )

      const ofClient = Effect.fn("Tokens.ofClient")(function* (
        tenant: TenantId,
        credentials: ClientCredentials
      ) {
        const { scope } = credentials
        const form: Form = { grant_type: "client_credentials", ...(scope && { scope }) }
        return yield* exchange(tenant, form, credentials)
      })

      /** Opens the login page, fills its form in and comes back with the code. */
      const authorize = Effect.fnUntraced(function* (
        tenant: TenantId,
        { email, password }: UserCredentials,
        verifier: string
      ) {
        const state = yield* secret
        const authorizeUrl = `${issuers.of(tenant)}/oauth2/authorize`
        const page = yield* HttpClientRequest.get(authorizeUrl).pipe(
          HttpClientRequest.setUrlParams({
            response_type: "code",
            client_id: firstPartyClientId,
            redirect_uri: loopbackRedirectUri,
            code_challenge: Pkce.challenge(verifier),
            code_challenge_method: "S256",
            state
          }),
          send
        )
        const form = yield* readForm(page.status === 200 ? yield* bodyOf(page) : "", authorizeUrl)
        const answer = yield* HttpClientRequest.post(form.action).pipe(
          HttpClientRequest.setHeader("cookie", Cookies.toCookieHeader(page.cookies)),
          HttpClientRequest.bodyUrlParams({
            ...form.fields,
            email,
            password: Redacted.value(password)
          }),
          send
        )
        const { location } = answer.headers
        if (location === undefined) return yield* notSignedIn(email, answer.status)
        const { searchParams } = new URL(location)
        const code = searchParams.get("code")
        if (code === null || searchParams.get("state") !== state) {
          return yield* problem(
            `The sign-in was refused: ${searchParams.get("error_description") ?? "try again."}`
          )
        }
        return code
      })

      const ofUser = Effect.fn("Tokens.ofUser")(function* (
        tenant: TenantId,
        credentials: UserCredentials
      ) {
        const verifier = yield* secret
        const code = yield* authorize(tenant, credentials, verifier)
        return yield* exchange(tenant, {
          grant_type: "authorization_code",
          client_id: firstPartyClientId,
          redirect_uri: loopbackRedirectUri,
          code_verifier: verifier,
          code
        })
      })

      const ofVisitor = Effect.fn("Tokens.ofVisitor")(function* (tenant: TenantId) {
        const session = yield* HttpClientRequest.post(`${issuers.audience}/anonymous-session`).pipe(
          HttpClientRequest.setHeader("tenant", tenant),
          send,
          Effect.flatMap(read(StartedAnonymousSession, 201))
        )
        return session.accessToken
      })

      return Tokens.of({ ofClient, ofUser, ofVisitor })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}

type Answer = Effect.Effect<string, CliError.UserError>
type Form = Readonly<Record<string, string>>

const TokenAnswer = Schema.Struct({ access_token: Schema.String })
const Refusal = Schema.Struct({ code: Schema.String, message: Schema.String })

const bodyOf = (response: HttpClientResponse.HttpClientResponse) => Effect.orDie(response.text)

/** The answer, or what its error body says to do. */
const read =
  <S extends Schema.ConstraintDecoder<unknown>>(schema: S, status: number) =>
  (response: HttpClientResponse.HttpClientResponse) =>
    Effect.gen(function* () {
      const body = yield* bodyOf(response)
      if (response.status === status) {
        return yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(schema))(body))
      }
      const refusal = yield* Schema.decodeEffect(Schema.fromJsonString(Refusal))(body).pipe(
        Effect.mapError(() => problem(`The server answered ${response.status}.`))
      )
      return yield* problem(`${refusal.code}: ${refusal.message}`)
    })

const notSignedIn = (email: string, status: number) =>
  problem(
    status === 429
      ? "There were too many tries: wait a minute, then try again."
      : `${email} can't sign in: check the address, the password and the tenant.`
  )

const unreachable =
  ({ url }: HttpClientRequest.HttpClientRequest) =>
  (error: HttpClientError.HttpClientError) =>
    problem(
      `Nothing answers at ${new URL(url).origin}. Start the sandbox with \`npx -y pnpm@12 start\`, ` +
        "or say where the service is in BASE_URL and AUTH_URL.",
      error
    )
