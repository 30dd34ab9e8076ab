/** Pages on loopback for a real browser, each with the headers that the service gives it. */
import * as HostedPage from "@quittance/http/HostedPage"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Sent {
  readonly path: string
  readonly body: string
}

/** Answers each path with its page, and what is sent there with another; keeps what was sent. */
export const serve = Effect.fnUntraced(function* (
  pages: Readonly<Record<string, HostedPage.Page>>,
  answerOf: (sent: Sent) => HostedPage.Page = () => Object.values(pages)[0]!
) {
  const sent: Array<Sent> = []
  const answer = (path: string, method: string | undefined, body: string) => {
    if (method !== "POST") return pages[path] && HostedPage.answer(pages[path])
    sent.push({ path, body })
    return HostedPage.answer(answerOf({ path, body }), { status: 201 })
  }
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString("latin1")
    const made = answer(request.url!, request.method, body)
    const web = made && HttpServerResponse.toWeb(made)
    response.writeHead(web?.status ?? 404, Object.fromEntries(web?.headers ?? []))
    response.end(await web?.text())
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, sent }
})
