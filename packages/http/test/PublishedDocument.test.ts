/** Documents on the wire: what is sent to whom, and what is not sent again. */
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createHook } from "node:async_hooks"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import * as HttpApp from "../src/HttpApp.ts"
import * as PublishedDocument from "../src/PublishedDocument.ts"
import * as Server from "../src/Server.ts"
import { portConfig } from "./TestPort.ts"

const text = "<p>Quittance</p>\n".repeat(5_000)

/** How often the page was made. */
const made = { page: 0 }

const page = Effect.sync(() => {
  made.page++
  return HttpServerResponse.html(text)
})

const other = Effect.sync(() =>
  HttpServerResponse.jsonUnsafe({ text }, { contentType: "application/schema+json" })
)

const routes = HttpRouter.addAll(
  Effect.gen(function* () {
    return [
      HttpRouter.route("GET", "/page", yield* PublishedDocument.answer(page)),
      HttpRouter.route("GET", "/other", yield* PublishedDocument.answer(other, ["accept"]))
    ]
  })
)

class Port extends Context.Service<Port, number>()("@quittance/http/test/DocumentPort") {
  static readonly layer = Layer.effect(
    Port,
    Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
  ).pipe(
    Layer.provide(Server.layer(HttpApp.make(routes))),
    Layer.provide([ConfigProvider.layer(ConfigProvider.fromUnknown(portConfig)), Logger.layer([])])
  )
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks as a program does that adds no header of its own. */
const ask = ({ headers = {}, method = "GET", path = "/page" }: Asked = {}) =>
  Effect.flatMap(Port, (port) =>
    Effect.promise(async () => {
      const asked = request({ host: "127.0.0.1", port, path, method, headers }).end()
      const [response] = await once(asked, "response")
      const chunks: Array<Buffer> = []
      for await (const chunk of response) chunks.push(chunk)
      return {
        status: Number(response.statusCode),
        headers: response.headers,
        body: Buffer.concat(chunks)
      }
    })
  )

const encoded = (encoding: string, more: Readonly<Record<string, string>> = {}) =>
  ask({ headers: { "accept-encoding": encoding, ...more } })

const known = (etag: string, more: Readonly<Record<string, string>> = {}) =>
  ask({ headers: { "if-none-match": etag, ...more } })

const hash = (bytes: Buffer) => `"${createHash("sha256").update(bytes).digest("base64url")}"`

layer(Port.layer, { excludeTestServices: true })("a published document", (it) => {
  it.effect.each([
    "",
    "br",
    "unheard-of",
    "identity",
    "gzip;q=0",
    "gzip;q=0.000, br",
    "*;q=0",
    "gzip;q=0, *",
    "gzip;q=0.2, identity",
    "gzip;q=0.2, identity;q=0.3",
    "gzip;q=2",
    "gzip;q=high",
    "gzip;level=9",
    "gzippo",
    "identity;q=0, br"
  ])("is sent as it is to who accepts “%s”", (encoding) =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* encoded(encoding)
      assert.strictEqual(status, 200)
      assert.isUndefined(headers["content-encoding"])
      assert.strictEqual(body.toString(), text)
    })
  )

  it.effect("is sent as it is to who says nothing, by a strong etag of its bytes", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* ask()
      assert.isUndefined(headers["content-encoding"])
      assert.strictEqual(headers["etag"], hash(body))
      assert.strictEqual(headers["content-length"], `${body.length}`)
      assert.strictEqual(headers["content-type"], "text/html")
      assert.strictEqual(headers["cache-control"], "public, max-age=300")
      assert.strictEqual(headers["vary"], "accept-encoding, origin")
    })
  )

  it.effect.each([
    "gzip",
    "GZIP",
    "x-gzip",
    "*",
    "br, gzip;q=0.001",
    "gzip , deflate, br, zstd",
    "gzip ; q=1.0, *;q=0",
    "identity;q=0, *;q=0.5",
    "gzip;q=0.5, identity;q=0.5",
    ",, gzip"
  ])("is sent compressed to who accepts “%s”", (encoding) =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* encoded(encoding)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-encoding"], "gzip")
      assert.strictEqual(headers["content-length"], `${body.length}`)
      assert.strictEqual(headers["content-type"], "text/html")
      assert.strictEqual(headers["vary"], "accept-encoding, origin")
      assert.strictEqual(headers["etag"], hash(body))
      assert.isBelow(body.length, text.length / 10)
      assert.strictEqual(gunzipSync(body).toString(), text)
    })
  )

  it.effect("keeps its other headers, and names what else it varies by", () =>
    Effect.gen(function* () {
      const { headers } = yield* ask({ path: "/other", headers: { "accept-encoding": "gzip" } })
      assert.strictEqual(headers["content-type"], "application/schema+json")
      assert.strictEqual(headers["vary"], "accept, accept-encoding, origin")
    })
  )

  it.effect("is sent again to who knows another one, or names it wrongly", () =>
    Effect.gen(function* () {
      const etag = String((yield* ask()).headers["etag"])
      const zipped = String((yield* encoded("gzip")).headers["etag"])
      assert.notStrictEqual(etag, zipped, "each coding has an etag of its own")
      const wrong = ['"other"', 'W/"other"', zipped, etag.slice(1, -1), `w/${etag}`, '"*"', ""]
      for (const one of wrong) {
        const { body, status } = yield* known(one)
        assert.strictEqual(status, 200, one)
        assert.strictEqual(body.toString(), text)
      }
      assert.strictEqual((yield* encoded("gzip", { "if-none-match": etag })).status, 200)
    })
  )

  it.effect("is not sent again to who knows it", () =>
    Effect.gen(function* () {
      for (const coding of ["identity", "gzip"]) {
        const etag = String((yield* encoded(coding)).headers["etag"])
        for (const one of [
          etag,
          `W/${etag}`,
          `"other", ${etag}`,
          `"other",W/${etag}`,
          "*",
          " * "
        ]) {
          const { body, headers, status } = yield* encoded(coding, { "if-none-match": one })
          assert.strictEqual(status, 304, one)
          assert.strictEqual(body.length, 0)
          assert.strictEqual(headers["etag"], etag)
          assert.strictEqual(headers["vary"], "accept-encoding, origin")
          assert.strictEqual(headers["cache-control"], "public, max-age=300")
          assert.isUndefined(headers["content-type"])
          assert.isUndefined(headers["content-encoding"])
        }
      }
    })
  )

  it.effect("answers HEAD with the same headers and no body", () =>
    Effect.gen(function* () {
      for (const coding of ["identity", "gzip"]) {
        const headers = { "accept-encoding": coding }
        const got = yield* ask({ headers })
        const head = yield* ask({ headers, method: "HEAD" })
        assert.strictEqual(head.status, 200)
        assert.strictEqual(head.body.length, 0)
        for (const name of ["etag", "content-length", "content-encoding", "vary", "content-type"]) {
          assert.strictEqual(head.headers[name], got.headers[name], name)
        }
        const etag = String(got.headers["etag"])
        const again = { headers: { ...headers, "if-none-match": etag }, method: "HEAD" }
        assert.strictEqual((yield* ask(again)).status, 304)
      }
    })
  )

  it.effect("takes no other method", () =>
    Effect.gen(function* () {
      const { headers, status } = yield* ask({ method: "PUT", headers: { "if-none-match": "*" } })
      assert.strictEqual(status, 405)
      assert.strictEqual(headers["allow"], "GET, HEAD")
    })
  )

  it.effect("is made and compressed once for simultaneous requests", () =>
    Effect.gen(function* () {
      const codings = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "gzip" : "br"))
      const all = Effect.forEach(codings, (coding) => encoded(coding), { concurrency: "unbounded" })
      const answers = yield* all
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.strictEqual(new Set(answers.map(({ headers }) => headers["etag"])).size, 2)
      let compressions = 0
      const hook = createHook({ init: (_, type) => void (compressions += type === "ZLIB" ? 1 : 0) })
      hook.enable()
      yield* Effect.ensuring(
        all,
        Effect.sync(() => hook.disable())
      )
      assert.strictEqual(compressions, 0)
      assert.strictEqual(made.page, 1)
    })
  )
})
