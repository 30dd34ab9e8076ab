/** A real OpenID Provider on a port of the loopback interface, and a browser that goes between it and us. */
import { IdentityProviders } from "@quittance/operations/access/IdentityProviders"
import { Effect, Redacted } from "effect"
import * as jose from "jose"
import { createServer, type Server as HttpServer } from "node:http"
import { Provider } from "oidc-provider"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Whom the provider signs in, without asking. */
export interface Account {
  subject: string
  email: string
  verified: boolean
}

const secret = "a-secret-of-the-provider-0123456789"

/** Begins to serve a provider with a new key, on a given port or a free one. */
const serve = async (
  account: Account,
  redirectUris: Array<string>,
  options: { readonly port?: number; readonly inIdToken?: boolean }
) => {
  const pair = await jose.generateKeyPair("RS256", { extractable: true })
  const jwk = { ...(await jose.exportJWK(pair.privateKey)), use: "sig", alg: "RS256" }
  const kid = await jose.calculateJwkThumbprint(jwk)
  const server: HttpServer = createServer()
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve))
  const bound = server.address()
  const port = bound !== null && typeof bound === "object" ? bound.port : 0
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: "quittance", client_secret: secret, redirect_uris: redirectUris }],
    jwks: { keys: [{ ...jwk, kid } as never] },
    cookies: { keys: ["of a test"] },
    conformIdTokenClaims: options.inIdToken !== true,
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: account.email, email_verified: account.verified })
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!
      })
      grant.addOIDCScope("openid email")
      await grant.save()
      return grant
    }
  })
  const handle = provider.callback()
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void handle(request, response)
    const login = { accountId: account.subject }
    void provider.interactionFinished(request, response, { login })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { issuer, port, close }
}

/** A provider for a tenant, set up as its identity provider; it ends with the test. */
export const start = Effect.fn(function* (
  tenant: TenantId,
  given: Partial<Account> & { readonly inIdToken?: boolean } = {}
) {
  const account: Account = {
    subject: "subject-1",
    email: `north@${tenant}.test`,
    verified: true,
    ...given
  }
  const redirectUris = [`${OnSocket.issuer(tenant)}/federation/callback`]
  const first = yield* Effect.promise(() => serve(account, redirectUris, given))
  let running = first
  yield* Effect.addFinalizer(() => Effect.promise(() => running.close()))
  yield* IdentityProviders.use((providers) =>
    providers.set({
      issuer: first.issuer,
      clientId: "quittance",
      label: "Example & Co",
      secret: Redacted.make(secret)
    })
  ).pipe(Server.as(tenant), Effect.orDie)
  const stop = Effect.promise(() => running.close())
  /** The provider again, on the same port, with another key. */
  const restart = Effect.promise(async () => {
    running = await serve(account, redirectUris, { ...given, port: first.port })
  })
  return { account, issuer: first.issuer, stop, restart }
})

type Jar = Map<string, Map<string, string>>

/** A browser with cookies of its own; it follows redirects until it is back at the front end. */
export const browser = Effect.map(OnSocket.connect, (connection) => {
  const jar: Jar = new Map()
  const cookiesOf = (host: string) => {
    const cookies = jar.get(host) ?? new Map<string, string>()
    jar.set(host, cookies)
    return cookies
  }
  const step = async (url: URL) => {
    const cookies = cookiesOf(url.host)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers: Record<string, string> = cookie === "" ? {} : { cookie }
    const answer = url.host.endsWith(".auth.localhost:8080")
      ? await connection.fetch(url, { headers })
      : await fetch(url, { headers, redirect: "manual" })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  /** `change` may rewrite each address that the browser is sent to, as an attacker would. */
  const open = (start: URL, change: (url: URL) => URL = (url) => url) =>
    Effect.promise(async () => {
      let url = start
      for (let steps = 0; steps < 15; steps++) {
        const answer = await step(url)
        const location = answer.headers.get("location")
        if (location === null) {
          return { status: answer.status, text: await answer.text(), url }
        }
        url = change(new URL(location, url))
        if (url.href.startsWith(Server.signIn.redirectUri)) {
          return { status: answer.status, text: "", url }
        }
      }
      throw new Error(`too many redirects, the last one to ${url.href}`)
    })
  return { open, cookiesOf }
})
