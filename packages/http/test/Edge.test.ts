import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asUser, config, errorOf, interrupted, policyId, TestClient } from "./TestApp.ts"

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  TestClient.use((client) => client.send(method, path, { headers }))

const origin = "https://shop.example"
const preflight = (from: string) => ({
  origin: from,
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,tenant,content-type"
})

const served = TestClient.layer({
  ...config,
  CORS_ORIGINS: `${origin},https://*.quittance.example`
})

// The limit of time is one of real time.
layer(served, { excludeTestServices: true })("the edge", (it) => {
  it.effect("answers a crash without a word about its inside", () =>
    Effect.gen(function* () {
      const answer = yield* send("GET", "/crash", asUser)
      assert.strictEqual(answer.status, 500)
      assert.strictEqual(errorOf(answer).code, "INTERNAL_ERROR")
      assert.deepStrictEqual(errorOf(answer).details, {})
      assert.notInclude(answer.text, "hunter2")
    })
  )

  it.effect.each([
    { path: "/locked", waitingFor: "RECORD" },
    { path: "/slow", waitingFor: "DATABASE" },
    { path: "/crowded", waitingFor: "TENANT" }
  ])("asks to come back where too many wait for the $waitingFor", ({ path, waitingFor }) =>
    Effect.gen(function* () {
      const answer = yield* send("GET", path, asUser)
      assert.strictEqual(answer.status, 503)
      assert.isAbove(Number(answer.headers["retry-after"]), 0)
      assert.strictEqual(errorOf(answer).code, "BUSY")
      assert.strictEqual(errorOf(answer).details["waitingFor"], waitingFor)
    })
  )

  it.effect("asks to come back when what a request needs is away", () =>
    Effect.gen(function* () {
      const answer = yield* send("GET", "/away", asUser)
      assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [503, "5"])
      assert.strictEqual(errorOf(answer).code, "NOT_READY")
    })
  )

  it.effect("says of a write that lost to others again and again that they were in the way", () =>
    Effect.gen(function* () {
      const answer = yield* send("POST", "/contested", asUser)
      assert.strictEqual(answer.status, 409)
      assert.deepInclude(errorOf(answer), { code: "CONFLICT", details: {} })
    })
  )

  it.effect("interrupts a request that takes too long", () =>
    Effect.gen(function* () {
      const answer = yield* send("GET", "/never", asUser)
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(errorOf(answer).code, "TIMEOUT")
      assert.deepStrictEqual(interrupted, ["never"])
    })
  )

  it.effect("says which methods a route takes", () =>
    Effect.gen(function* () {
      const answer = yield* send("DELETE", `/policies/${policyId}`)
      assert.strictEqual(answer.status, 405)
      assert.strictEqual(answer.headers["allow"], "GET, HEAD, POST")
      assert.deepStrictEqual(errorOf(answer).details, { allowed: ["GET", "HEAD", "POST"] })
    })
  )

  it.effect.each(["/Policies/x", "/policies/x/", "//policies/x", "/policies/%zz", "/%00", "/*"])(
    "knows no route %s",
    (path) =>
      Effect.gen(function* () {
        const answer = yield* send("GET", path, asUser)
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(errorOf(answer).code, "ROUTE_NOT_FOUND")
      })
  )

  it.effect("answers HEAD where it answers GET, without a body", () =>
    Effect.gen(function* () {
      const answer = yield* send("HEAD", `/policies/${policyId}`, asUser)
      assert.deepStrictEqual([answer.status, answer.text], [200, ""])
    })
  )

  it.effect("takes a valid request id and makes one otherwise", () =>
    Effect.gen(function* () {
      const given = yield* send("GET", "/page", { "x-request-id": "4711.abc-DEF_9" })
      assert.strictEqual(given.headers["x-request-id"], "4711.abc-DEF_9")
      const ids = []
      for (const id of ["short", "with space", "x".repeat(129), "a\tb-123456", ""]) {
        const { headers } = yield* send("GET", "/nowhere", { "x-request-id": id })
        assert.match(headers["x-request-id"]!, /^[0-9a-f-]{36}$/u)
        ids.push(headers["x-request-id"])
      }
      assert.strictEqual(new Set(ids).size, 5)
    })
  )

  it.effect("asks for a bearer token where there is none", () =>
    Effect.gen(function* () {
      const answer = yield* send("GET", "/report", { tenant: "acme" })
      assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
    })
  )

  it.effect("lets a page that says nothing about it load and run nothing", () =>
    Effect.gen(function* () {
      const { headers } = yield* send("GET", "/page")
      assert.include(headers["content-security-policy"] ?? "", "default-src 'none'")
    })
  )

  it.effect("forbids caching an answer or guessing its type", () =>
    Effect.gen(function* () {
      const { headers } = yield* send("GET", `/policies/${policyId}`, asUser)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["vary"], "origin")
    })
  )

  it.effect.each([
    origin,
    "https://console.quittance.example",
    "http://localhost:5173",
    "http://acme.auth.localhost:8080",
    "http://127.0.0.1:3000",
    "http://[::1]:3000"
  ])("answers a preflight from %s before any other check", (from) =>
    Effect.gen(function* () {
      const { headers, status } = yield* send("OPTIONS", "/nowhere", preflight(from))
      assert.strictEqual(status, 204)
      assert.strictEqual(headers["access-control-allow-origin"], from)
      assert.strictEqual(
        headers["access-control-allow-headers"],
        "authorization, tenant, content-type, dpop"
      )
      assert.strictEqual(headers["vary"], "origin")
      assert.isUndefined(headers["access-control-allow-credentials"])
    })
  )

  it.effect.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "http://shop.example",
    "https://quittance.example",
    "https://evilquittance.example",
    "http://localhost.evil.example",
    "null",
    "*"
  ])("gives a page of %s no header that would let it read", (from) =>
    Effect.gen(function* () {
      const answers = [
        yield* send("OPTIONS", "/report", preflight(from)),
        yield* send("GET", "/report", { ...asUser, origin: from })
      ]
      for (const { headers } of answers) {
        const cors = Object.keys(headers).filter((name) => name.startsWith("access-control-"))
        assert.deepStrictEqual(cors, [])
        assert.strictEqual(headers["vary"], "origin")
      }
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [204, 200]
      )
    })
  )

  it.effect.each([
    { path: "/nowhere", status: 404 },
    { path: "/report", status: 400 },
    { path: "/crash", status: 500, ...asUser },
    { path: "/never", status: 503, ...asUser }
  ])("lets a listed page read the error $status", ({ path, status, ...headers }) =>
    Effect.gen(function* () {
      const answer = yield* send("GET", path, { ...headers, origin })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers["access-control-allow-origin"], origin)
      assert.strictEqual(
        answer.headers["access-control-expose-headers"],
        "etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed, www-authenticate"
      )
    })
  )

  it.effect("treats OPTIONS that is no preflight as any other method", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("OPTIONS", "/report", { origin })).status, 405)
    })
  )

  it.effect("is alive and ready", () =>
    Effect.gen(function* () {
      const answers = [yield* send("GET", "/health/live"), yield* send("GET", "/health/ready")]
      assert.deepStrictEqual(
        answers.map(({ text }) => JSON.parse(text)),
        [{ status: "live" }, { status: "ready" }]
      )
    })
  )
})

layer(TestClient.layer({ ...config, ENVIRONMENT: "production" }))("in production", (it) => {
  it.effect("lets no page of localhost read", () =>
    Effect.gen(function* () {
      const { headers } = yield* send("GET", "/page", { origin: "http://localhost:5173" })
      assert.isUndefined(headers["access-control-allow-origin"])
    })
  )

  it.effect("has browsers come over TLS from then on, whatever it answers", () =>
    Effect.gen(function* () {
      for (const path of ["/page", "/nowhere", "/crash"]) {
        const { headers } = yield* send("GET", path)
        assert.strictEqual(
          headers["strict-transport-security"],
          "max-age=31536000; includeSubDomains"
        )
      }
    })
  )
})
