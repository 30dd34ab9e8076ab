/** What is no clean request, byte by byte, by the ids of test/security-cases.json. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { newTenant, TestLayer } from "./Api.ts"
import { exchange, Port, statusesIn } from "./Socket.ts"

const lines = (...parts: ReadonlyArray<string>) => `${parts.join("\r\n")}\r\n\r\n`

/** A second request that would be answered 200 if it were taken for one. */
const hidden = lines("GET /openapi.json HTTP/1.1", "Host: api.test", "Connection: close")

const post = (...headers: ReadonlyArray<string>) =>
  lines("POST /policies HTTP/1.1", "Host: api.test", "Content-Type: application/json", ...headers)

const smuggled = {
  "a length beside chunks":
    post(`Content-Length: ${hidden.length + 5}`, "Transfer-Encoding: chunked") +
    `0\r\n\r\n${hidden}`,
  "chunks beside a length":
    post("Transfer-Encoding: chunked", "Content-Length: 4") + `0\r\n\r\n${hidden}`,
  "two lengths that differ": post("Content-Length: 0", `Content-Length: ${hidden.length}`) + hidden,
  "two equal lengths": post("Content-Length: 2", "Content-Length: 2") + `{}${hidden}`,
  "a list of lengths": post("Content-Length: 2, 2") + `{}${hidden}`,
  "a length with a sign": post("Content-Length: +2") + `{}${hidden}`,
  "a length in hexadecimal": post("Content-Length: 0x2") + `{}${hidden}`,
  "a space before the colon": post("Transfer-Encoding : chunked") + `0\r\n\r\n${hidden}`,
  "another coding than chunks": post("Transfer-Encoding: xchunked") + `0\r\n\r\n${hidden}`,
  "a coding after chunks": post("Transfer-Encoding: chunked, identity") + `0\r\n\r\n${hidden}`,
  "a control character in the coding":
    post("Transfer-Encoding: \u000bchunked") + `0\r\n\r\n${hidden}`,
  "a chunk with a sign": post("Transfer-Encoding: chunked") + `-1\r\n\r\n${hidden}`,
  "a chunk whose size overflows":
    post("Transfer-Encoding: chunked") + `ffffffffffffffff1\r\n{}\r\n0\r\n\r\n${hidden}`
}

const folded = {
  "a folded line": ["tenant: acme", " globex"],
  "a folded line with a tab": ["tenant: acme", "\tglobex"],
  "a bare line feed": ["tenant: acme\nx-injected: 1"],
  "a bare carriage return": ["tenant: acme\rx-injected: 1"],
  "the character NUL": ["tenant: ac\u0000me"],
  "NUL in a name": ["ten\u0000ant: acme"],
  "a space in a name": ["ten ant: acme"],
  "no colon": ["tenant acme"]
}

/** Spellings of a path that a program may take for another path. */
const spellings = [
  "//account",
  "/account/",
  "/Account",
  "/account%2f",
  "/account/.",
  "/./account",
  "/docs/../account",
  "/docs/%2e%2e/account",
  "/openapi.json/../account",
  "/openapi.json/..;/account",
  "/account;x",
  "/account;/openapi.json",
  "/account%3b",
  "/account%00",
  "/account%00/openapi.json",
  "/account%20",
  "/account.json",
  "/account?/openapi.json",
  "/account#/openapi.json",
  "/%61ccount",
  "/accoun%74",
  "/account%c0%af",
  "\\account",
  "/\\account",
  "http://api.test/account",
  "http://api.test/docs/../account",
  "http://api.test//account"
]

// Real time: a connection is open for as long as it takes.
layer(Layer.provideMerge(Port.layer, TestLayer), { excludeTestServices: true })(
  "on a connection",
  (it) => {
    it.effect("answers the request that is hidden below, where it is not hidden", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(statusesIn(yield* exchange(hidden)), [200])
        assert.deepStrictEqual(
          statusesIn(yield* exchange(`${post("Content-Length: 2")}{}${hidden}`)),
          [400, 200]
        )
      })
    )

    it.effect.each(Object.entries(smuggled))(
      "HT-01 refuses %s, and serves nothing behind it",
      ([, bytes]) =>
        Effect.gen(function* () {
          // A head that can be read may be answered before the body is seen to be none.
          assert.deepStrictEqual(new Set(statusesIn(yield* exchange(bytes))), new Set([400]))
        })
    )

    it.effect.each(Object.entries(folded))("HT-02 refuses a head with %s", ([, headers]) =>
      Effect.gen(function* () {
        const bytes = lines("GET /openapi.json HTTP/1.1", "Host: api.test", ...headers)
        assert.deepStrictEqual(statusesIn(yield* exchange(bytes + hidden)), [400])
      })
    )

    it.effect("HT-03 TN-14 refuses no host, and two of them, also of one name", () =>
      Effect.gen(function* () {
        const get = (...hosts: ReadonlyArray<string>) =>
          exchange(lines("GET /openapi.json HTTP/1.1", "Connection: close", ...hosts))
        assert.deepStrictEqual(statusesIn(yield* get()), [400])
        assert.deepStrictEqual(statusesIn(yield* get("Host: a.test", "Host: b.test")), [400])
        assert.deepStrictEqual(statusesIn(yield* get("Host: a.test", "host: a.test")), [400])
        assert.deepStrictEqual(statusesIn(yield* get("Host: a.test")), [200])
      })
    )

    it.effect("KS-14 serves no spelling of a route without a token, by any method", () =>
      Effect.gen(function* () {
        const { client, tenant } = yield* newTenant
        const ask = (method: string, path: string, ...headers: ReadonlyArray<string>) =>
          exchange(
            lines(
              `${method} ${path} HTTP/1.1`,
              "Host: api.test",
              `tenant: ${tenant}`,
              "Connection: close",
              ...headers
            )
          )
        for (const path of spellings) {
          for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
            const statuses = statusesIn(yield* ask(method, path))
            assert.strictEqual(statuses.length, 1, `${method} ${path}`)
            assert.oneOf(statuses[0], [400, 401, 404, 405], `${method} ${path}`)
          }
        }
        for (const header of ["X-HTTP-Method-Override: OPTIONS", "X-Original-URL: /openapi.json"]) {
          assert.deepStrictEqual(statusesIn(yield* ask("GET", "/account", header)), [401])
        }
        const token = `authorization: Bearer ${client}`
        assert.deepStrictEqual(statusesIn(yield* ask("GET", "/account", token)), [200])
      })
    )
  }
)
