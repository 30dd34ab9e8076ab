import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Answer,
  asClient,
  asUser,
  config,
  errorOf,
  faultsOf,
  missingId,
  policyId,
  TestClient
} from "./TestApp.ts"

const change = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {}
): Effect.Effect<Answer, never, TestClient> =>
  TestClient.use((client) =>
    client.send("POST", path, {
      body,
      headers: { ...asUser, "content-type": "application/json", ...headers }
    })
  )

const get = (path: string, headers: Record<string, string> = asUser) =>
  TestClient.use((client) => client.send("GET", path, { headers }))

const at = (path: string) => `/policies/${policyId}${path}`

layer(TestClient.layer(config))("a request", (it) => {
  it.effect.each([
    { what: "an unknown route", send: get("/nowhere", {}), status: 404, code: "ROUTE_NOT_FOUND" },
    {
      what: "a wrong method before the tenant",
      send: TestClient.use((client) => client.send("DELETE", at(""))),
      status: 405,
      code: "METHOD_NOT_ALLOWED"
    },
    {
      what: "a missing tenant before the token",
      send: get("/policies/nonsense", {}),
      status: 400,
      code: "MISSING_TENANT"
    },
    {
      what: "an ill-formed tenant before the token",
      send: get("/policies/nonsense", { tenant: "ACME" }),
      status: 400,
      code: "INVALID_TENANT"
    },
    {
      what: "a tenant sent twice",
      send: get("/policies/nonsense", { tenant: "acme, acme" }),
      status: 400,
      code: "INVALID_TENANT"
    },
    {
      what: "a missing token before path, query and body",
      send: get("/policies/nonsense?count=0", { tenant: "acme" }),
      status: 401,
      code: "UNAUTHORIZED"
    },
    {
      what: "a body of another type before its content and the path",
      send: change("/policies/nonsense", "{", { "content-type": "text/plain" }),
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE"
    },
    {
      what: "a body that is too large before its content and the path",
      send: change("/policies/nonsense", "{".padEnd(1024 * 1024 + 1)),
      status: 413,
      code: "PAYLOAD_TOO_LARGE"
    },
    {
      what: "faults before the kind of caller",
      send: get("/policies/nonsense", asClient),
      status: 400,
      code: "INVALID_REQUEST"
    },
    {
      what: "the kind of caller before the record",
      send: get(`/policies/${missingId}`, asClient),
      status: 404,
      code: "USER_NOT_FOUND"
    },
    {
      what: "a record that isn't there",
      send: get(`/policies/${missingId}`),
      status: 404,
      code: "POLICY_NOT_FOUND"
    }
  ])("is refused for $what", ({ code, send, status }) =>
    Effect.gen(function* () {
      const answer = yield* send
      assert.strictEqual(answer.status, status)
      assert.strictEqual(errorOf(answer).code, code)
      assert.notStrictEqual(errorOf(answer).message, "")
    })
  )

  it.effect("is told all faults of all its parts at once", () =>
    Effect.gen(function* () {
      const answer = yield* change(
        "/policies/nonsense?dryRun=yes&dryrun=true&idempotencyKey=",
        JSON.stringify({ amount: 1.5, nmae: "x", customFields: [{ key: 1, value: null }] }),
        { "if-match": "7" }
      )
      assert.deepStrictEqual(faultsOf(answer), [
        "path policyId",
        "query dryrun",
        "query idempotencyKey",
        "query dryRun",
        "header if-match",
        "body /nmae",
        "body /name",
        "body /amount",
        "body /customFields/0/key",
        "body /customFields/0/value"
      ])
    })
  )

  it.effect("is told the faults of its path and query beside a body that is no JSON", () =>
    Effect.gen(function* () {
      const answer = yield* change("/policies/nonsense?dryRun=yes", "{")
      assert.deepStrictEqual(faultsOf(answer), ["path policyId", "query dryRun", "body "])
    })
  )

  it.effect.each([
    { what: "no JSON", body: "nonsense", faults: ["body "] },
    { what: "an array", body: "[]", faults: ["body "] },
    { what: "null", body: "null", faults: ["body "] },
    { what: "a string", body: '"x"', faults: ["body "] },
    { what: "nothing", body: "", faults: ["body /name"] },
    {
      what: "a number too large to be exact",
      body: '{"name":"x","amount":9007199254740993}',
      faults: ["body /amount"]
    },
    {
      what: "a number too large for a double",
      body: '{"name":"x","amount":1e400}',
      faults: ["body /amount"]
    },
    { what: "the character NUL", body: '{"name":"a\\u0000b"}', faults: ["body /name"] },
    {
      what: "NUL in the name of a member",
      body: '{"name":"x","options":{"a\\u0000":"b"}}',
      faults: ["body /options/a\0"]
    },
    { what: "a lone surrogate", body: '{"name":"\\ud800"}', faults: ["body /name"] },
    {
      what: "a prototype",
      body: '{"name":"x","options":{"__proto__":"b"}}',
      faults: ["body /options/__proto__"]
    },
    { what: "invalid UTF-8", body: Uint8Array.from([0x22, 0xff, 0x22]), faults: ["body "] },
    {
      what: "a key twice in its custom fields",
      body: '{"name":"x","customFields":[{"key":"a","value":1},{"key":"a","value":2}]}',
      faults: ["body /customFields/1/key"]
    }
  ])("is refused with $what as its body", ({ body, faults }) =>
    Effect.gen(function* () {
      const answer = yield* change(at(""), body)
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(faultsOf(answer), faults)
    })
  )

  it.effect("is refused with a body nested without end", () =>
    Effect.gen(function* () {
      const answer = yield* change(
        at(""),
        '{"name":' + "[".repeat(400_000) + "]".repeat(400_000) + "}"
      )
      assert.strictEqual(answer.status, 400)
    })
  )

  it.effect("is told of a hundred faults of a hundred thousand", () =>
    Effect.gen(function* () {
      const members = Array.from({ length: 50_000 }, (_, index) => `"a${index}":1`)
      const answer = yield* change(at(""), `{${members.join(",")}}`)
      assert.strictEqual(faultsOf(answer).length, 100)
    })
  )

  it.effect("never gets back what it has sent", () =>
    Effect.gen(function* () {
      const secret = "x".repeat(10_000)
      const answer = yield* change(at(""), JSON.stringify({ name: { secret }, amount: secret }))
      assert.strictEqual(answer.status, 400)
      assert.notInclude(answer.text, "xxx")
    })
  )

  it.effect.each([
    "?count=0",
    "?count=",
    "?count=0x10",
    "?count=1&count=2",
    "?count=1.5",
    "?count=%00",
    "?count=99999999999999999999",
    "?colours=GREEN",
    "?colours=RED&colours=",
    "?whenAt=2026-02-31T00:00:00Z",
    "?whenAt=2026-02-30",
    "?whenAt=now",
    "?words=%00",
    "?branchId=policy_test_aaaaaaaaaaaaaaaaaaaaa"
  ])("is refused with the query %s", (query) =>
    Effect.gen(function* () {
      const answer = yield* get(at(query))
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(faultsOf(answer).length, 1)
    })
  )

  it.effect("may hold unknown parameters where it only reads", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* get(at("?colour=RED&dry=run"))).status, 200)
    })
  )

  it.effect("repeats an array's name, and a single value is an array of one", () =>
    Effect.gen(function* () {
      const answers = [yield* get(at("?colours=RED")), yield* get(at("?colours=RED&colours=BLUE"))]
      assert.deepStrictEqual(
        answers.map(({ text }) => JSON.parse(text).query),
        [{ colours: ["RED"] }, { colours: ["RED", "BLUE"] }]
      )
    })
  )

  it.effect("needs no body for a command without members", () =>
    Effect.gen(function* () {
      const answers = [
        yield* TestClient.use((client) => client.send("POST", at("/confirm"), { headers: asUser })),
        yield* change(at("/confirm"), ""),
        yield* change(at("/confirm"), "{}")
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200]
      )
    })
  )

  it.effect.each([
    { "content-type": "application/json; charset=latin1" },
    { "content-type": "application/merge-patch+json" },
    { "content-encoding": "gzip" }
  ])("is refused with a body of %o", (headers) =>
    Effect.gen(function* () {
      const answer = yield* change(at(""), '{"name":"x"}', headers)
      assert.strictEqual(answer.status, 415)
    })
  )

  it.effect("may say that its body is in UTF-8", () =>
    Effect.gen(function* () {
      const type = { "content-type": 'Application/JSON; charset="UTF-8"' }
      const answer = yield* change(at(""), '{"name":"é\ufffd"}', type)
      assert.deepStrictEqual(JSON.parse(answer.text), { name: "é\ufffd" })
    })
  )

  it.effect("is refused with identifiers of production, wherever they are", () =>
    Effect.gen(function* () {
      const branchId = "branch_aaaaaaaaaaaaaaaaaaaaa"
      const answers = [
        yield* change(
          "/policies/policy_aaaaaaaaaaaaaaaaaaaaa",
          JSON.stringify({ name: "x", branchId })
        ),
        yield* get(at(`?branchId=${branchId}`))
      ]
      assert.deepStrictEqual(answers.map(faultsOf), [
        ["path policyId", "body /branchId"],
        ["query branchId"]
      ])
    })
  )

  it.effect("may hold texts that only look like identifiers", () =>
    Effect.gen(function* () {
      const answer = yield* change(at(""), '{"name":"branch_aaaaaaaaaaaaaaaaaaaaa"}')
      assert.strictEqual(answer.status, 200)
    })
  )
})

layer(TestClient.layer({ ...config, ENVIRONMENT: "production" }))("in production", (it) => {
  it.effect("refuses identifiers of the sandbox", () =>
    Effect.gen(function* () {
      const answers = [yield* get(at("")), yield* get("/policies/policy_aaaaaaaaaaaaaaaaaaaaa")]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 200]
      )
    })
  )
})

layer(TestClient.layer(config))("A body that is too long in one place", (it) => {
  it.effect("is told so of that place, and of nothing else", () =>
    Effect.gen(function* () {
      const customFields = Array.from({ length: 501 }, () => ({ key: 1, value: [] }))
      const answer = yield* change(at(""), JSON.stringify({ customFields, other: "\u0000" }))
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(faultsOf(answer), ["body /customFields"])
      assert.include(answer.text, "Expected at most 500 items")
    })
  )

  it.effect("is not sent back the name of a member, however long it is", () =>
    Effect.gen(function* () {
      const answer = yield* change(at(""), JSON.stringify({ ["k".repeat(100_000)]: ["\u0000"] }))
      assert.strictEqual(answer.status, 400)
      assert.isBelow(answer.text.length, 2000)
    })
  )
})
