/** The servers on a real connection, and what a browser and its user do there. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpApp from "@quittance/http/HttpApp"
import * as NodeServer from "@quittance/http/NodeServer"
import { Effect, Layer, References } from "effect"
import { HttpServer } from "effect/http"
import { request } from "node:http"
import { Routes } from "../src/Routes.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const quiet = Layer.succeed(References.MinimumLogLevel, "Error")

export const TestLayer = Layer.unwrap(
  Effect.map(HttpApp.make(Routes), (app) => HttpServer.serve(app))
).pipe(
  Layer.provideMerge(
    NodeHttpServer.layerServer(() => NodeServer.make(), { host: "127.0.0.1", port: 0 })
  ),
  Layer.provideMerge(quiet),
  Layer.provideMerge(Server.TestLayer)
)

export const port = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  address._tag === "UnixPathAddress" ? Effect.die("expected a port") : Effect.succeed(address.port)
)

export const issuer = (tenant: TenantId) => `http://${tenant}.auth.localhost:8080`

interface Options {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * A `fetch` that goes to the port of the test's server whatever the address says, since no name
 * server knows `*.localhost`, and follows no redirect. It keeps the addresses that it was asked for.
 */
export const connect = Effect.map(port, (port) => {
  const asked: Array<string> = []
  const fetch = (address: string | URL, { body, headers, method }: Options) => {
    const url = new URL(address)
    asked.push(url.href)
    const { promise, reject, resolve } = Promise.withResolvers<Response>()
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path: `${url.pathname}${url.search}`,
        method: method ?? "GET",
        headers: { ...headers, host: url.host }
      },
      (answer) => {
        const chunks: Array<Uint8Array> = []
        answer.on("data", (chunk: Uint8Array) => chunks.push(chunk))
        answer.on("error", reject)
        answer.on("end", () => {
          const received = new Headers()
          for (let i = 0; i < answer.rawHeaders.length; i += 2) {
            received.append(answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!)
          }
          const text = chunks.length === 0 ? null : Buffer.concat(chunks)
          resolve(new Response(text, { status: answer.statusCode ?? 0, headers: received }))
        })
      }
    )
    sent.on("error", reject)
    sent.end(body === undefined || body === null ? undefined : `${body}`)
    return promise
  }
  return { asked, fetch }
})

export type Connection = Effect.Success<typeof connect>

/**
 * Opens the address that a client sends the browser to, fills the login page's form in and gives the
 * address that the browser is sent back to.
 */
export const signIn = async (
  { fetch }: Connection,
  address: URL,
  credentials: { readonly email: string; readonly password: string }
): Promise<URL> => {
  const page = await fetch(address, {})
  const html = await page.text()
  const form = new URLSearchParams()
  for (const [, name, value] of html.matchAll(
    /<input type="hidden" name="(.*?)" value="(.*?)">/gu
  )) {
    form.set(name!, value!.replaceAll("&amp;", "&").replaceAll("&#39;", "'"))
  }
  form.set("email", credentials.email)
  form.set("password", credentials.password)
  const action = /<form method="post" action="(.*?)">/u.exec(html)?.[1] ?? ""
  const answer = await fetch(new URL(action, address), {
    method: "POST",
    headers: { ...Server.formType, cookie: page.headers.get("set-cookie")!.split(";")[0]! },
    body: form
  })
  return new URL(answer.headers.get("location") ?? "none:")
}
