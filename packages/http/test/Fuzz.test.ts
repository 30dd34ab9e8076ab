import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { answersIn, RawConnection } from "./RawConnection.ts"
import { asUser, config, errorOf, policyId, TestClient } from "./TestApp.ts"
import { Port, portConfig } from "./TestPort.ts"

/** Draws that are the same in every run: a failure names its number, and that is enough to see it again. */
const drawsOf = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <A>(items: ReadonlyArray<A>): A => items[below(items.length)]!
  return { below, chance: (share: number) => next() < share, pick }
}
type Draws = ReturnType<typeof drawsOf>

const nasty = [
  "",
  " ",
  "null",
  "-1",
  "1e999",
  "0x10",
  "9007199254740993",
  "true",
  "[]",
  "%00",
  "%ff",
  "%ED%A0%80",
  "%2e%2e%2f",
  "%zz",
  "__proto__",
  "constructor",
  "toString",
  "2026-02-31T00:00:00Z",
  "0000-00-00",
  policyId,
  "policy_aaaaaaaaaaaaaaaaaaaaa",
  "é",
  "💥",
  "a".repeat(5000),
  "'; drop table policy; --",
  "${7*7}",
  "<script>"
]

/** JSON texts, sound and broken. */
const json = (draws: Draws, depth = 0): string => {
  const { below, chance, pick } = draws
  if (depth > 4 || chance(0.35)) {
    return pick([
      "null",
      "true",
      "0",
      "-0",
      "1e999",
      "1E-999",
      "123456789012345678901234567890",
      '""',
      '"\\u0000"',
      '"\\ud800"',
      '"\\udc00x"',
      "NaN",
      "undefined",
      "'x'",
      JSON.stringify(pick(nasty))
    ])
  }
  const members = Array.from({ length: below(5) }, () => json(draws, depth + 1))
  if (chance(0.3)) return `[${members.join(",")}]`
  const keys = ["name", "amount", "customFields", "options", "branchId", "key", "value", ...nasty]
  return `{${members.map((member) => `${JSON.stringify(pick(keys))}:${member}`).join(",")}}`
}

const pathOf = ({ below, chance, pick }: Draws): string => {
  const known = [`/policies/${policyId}`, `/policies/${policyId}/confirm`, "/report", "/page", "/"]
  const path = chance(0.85)
    ? pick([...known, known[0]!, known[0]!, known[1]!])
    : `/${Array.from({ length: below(4) }, () => encodeURI(pick(nasty)).slice(0, 500)).join("/")}`
  const names = [
    "count",
    "colours",
    "whenAt",
    "words",
    "dryRun",
    "order[by]",
    "__proto__",
    "tenant"
  ]
  const query = Array.from(
    { length: below(5) },
    () => `${pick([...names, pick(nasty)])}=${pick(nasty)}`
  ).join("&")
  return chance(0.5) ? path : `${path}?${query}`.replaceAll(/[^\u0021-\u007e]/gu, "")
}

const headersOf = ({ chance, pick }: Draws): Record<string, string> => {
  const visible = nasty.map((text) => text.replaceAll(/[^\u0020-\u007e]/gu, "").trim())
  const odd = () => pick(visible).slice(0, 1000)
  return {
    ...(chance(0.9) ? asUser : { tenant: odd() }),
    ...(chance(0.7) ? { "content-type": "application/json" } : { "content-type": odd() }),
    ...(chance(0.2) ? { "idempotency-key": odd() } : {}),
    ...(chance(0.2) ? { "if-match": odd() } : {}),
    ...(chance(0.1) ? { "x-request-id": odd() } : {}),
    ...(chance(0.1) ? { origin: odd() } : {}),
    ...(chance(0.1) ? { "content-encoding": odd() } : {})
  }
}

layer(TestClient.layer(config))("whatever a client sends", (it) => {
  it.effect("is never answered with a fault of ours (1,000 requests)", () =>
    Effect.gen(function* () {
      const client = yield* TestClient
      for (let seed = 1; seed <= 1000; seed++) {
        const draws = drawsOf(seed)
        const method = draws.pick(["GET", "GET", "POST", "POST", "POST", "POST", "PUT", "HEAD"])
        const path = pathOf(draws)
        const body = method === "GET" || method === "HEAD" ? {} : { body: json(draws) }
        const answer = yield* client.send(method, path, { headers: headersOf(draws), ...body })
        assert.isBelow(answer.status, 500, `request ${seed}: ${method} ${path}`)
        assert.isDefined(answer.headers["x-request-id"])
        if (answer.status >= 400 && method !== "HEAD") {
          assert.match(errorOf(answer).code, /^[A-Z]+(?:_[A-Z]+)*$/u, `request ${seed}`)
        }
      }
    })
  )
})

const valid = (draws: Draws): string => {
  const body = json(draws)
  return [
    `${draws.pick(["GET", "POST", "PATCH"])} ${pathOf(draws)} HTTP/1.1`,
    "host: api.test",
    "tenant: acme",
    "authorization: Bearer user",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body, "latin1")}`,
    "connection: close",
    "",
    body
  ].join("\r\n")
}

/** A request some of whose bytes were replaced, dropped or doubled. */
const mutated = (draws: Draws): string => {
  let text = valid(draws)
  for (let left = draws.below(6); left > 0; left--) {
    const at = draws.below(text.length)
    const byte = String.fromCharCode(draws.below(256))
    text = text.slice(0, at) + draws.pick(["", byte, text[at]! + text[at]!]) + text.slice(at + 1)
  }
  return text
}

layer(Port.layer(portConfig).pipe(Layer.orDie), { excludeTestServices: true })(
  "whatever bytes a client sends",
  (it) => {
    it.effect("are never answered with a fault of ours (500 connections)", () =>
      Effect.gen(function* () {
        const port = yield* Port
        for (let seed = 1; seed <= 500; seed++) {
          const bytes = mutated(drawsOf(seed))
          const text = yield* Effect.promise(async () => {
            const connection = await RawConnection.open(port)
            connection.send(bytes)
            connection.end()
            return connection.answer(() => false)
          })
          for (const { body, status } of answersIn(text)) {
            assert.isBelow(status, 500, `connection ${seed}: ${bytes.slice(0, 300)}`)
            if (status >= 400 && body !== "") {
              assert.match(JSON.parse(body).code, /^[A-Z]+(?:_[A-Z]+)*$/u, `connection ${seed}`)
            }
          }
        }
      })
    )
  }
)
