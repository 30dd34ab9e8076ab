/** What leaves in telemetry while a policy is sold: enough to see what happens, and nothing of people and money. */
import { assert, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import type { ProvidedServer } from "@quittance/testing/ProvidedServer"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Redacted } from "effect"
import { inject, onTestFinished } from "vitest"
import {
  attributesOf,
  Collecting,
  type SentSpan
} from "../packages/http/test/telemetry/Collecting.ts"
import { ask, folder, Program } from "./Program.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"

/** What stands for people, their secrets and their money; none of it is a word of the program. */
const person = { firstName: "Zibeline", lastName: "Quaxholm", email: "zibeline@quaxholm.test" }
const planted = ["Zibeline", "zibeline", "Quaxholm", "quaxholm", "Sesam-oeffne-dich"]

/** What is insured is worth so much, in cents. */
const worth = 999_900

interface Sent {
  readonly path: string
  readonly body?: object | string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sells a policy on a port, pays for it, and asks for much that is refused. */
const story = async (port: number) => {
  const send = async ({ body, headers = {}, path, token }: Sent): Promise<any> => {
    const answer = await ask(port, path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        tenant: "acme",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    return answer.status < 400 && answer.body !== "" ? JSON.parse(answer.body) : answer
  }
  const visitor = (await send({ path: "/anonymous-session", body: {} })).accessToken
  const asVisitor = (path: string, body?: object | string, headers = {}) =>
    send({ path, token: visitor, headers, ...(body === undefined ? {} : { body }) })
  const { id } = await asVisitor(
    "/policies",
    {
      productId: "bicycle-de",
      invoicingConfig: {
        frequency: "YEARLY",
        timing: "IN_ADVANCE",
        firstPayment: "FULL_AT_SIGNATURE"
      }
    },
    { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  )
  const { customerId } = await asVisitor(`/customers/policies/${id}`, {
    role: "POLICYHOLDER",
    name: `${person.firstName} ${person.lastName}`,
    email: person.email
  })
  await asVisitor(`/customers/${customerId}/confirm`, "")
  await asVisitor(`/assets/policies/${id}`, {
    name: person.lastName,
    customFields: [{ key: "value", value: worth }]
  })
  await asVisitor(`/policies/${id}/quote`, "")
  await asVisitor(`/policies/${id}/confirm`, "")
  const signed = await asVisitor(`/policies/${id}/sign`, {
    signer: person,
    consent: { textId: "TERMS", accepted: true }
  })
  assert.strictEqual(signed.status, "POLICY_SIGNED", JSON.stringify(signed))
  const [{ id: invoiceId }] = (await asVisitor(`/billing/policies/${id}/invoices`)).data
  const { amountDue } = await asVisitor(`/billing/invoices/${invoiceId}`)
  const client = (secret: string) =>
    send({
      path: "/oauth2/token",
      body: "grant_type=client_credentials",
      headers: {
        host: `acme.auth.localhost:${port}`,
        authorization: `Basic ${btoa(`acme-integration:${secret}`)}`,
        "content-type": "application/x-www-form-urlencoded"
      }
    })
  const token = (await client("acme-integration-secret")).access_token
  const reference = `Transfer of ${person.lastName}`
  const paid = { amount: amountDue, method: "BANK_TRANSFER", reference }
  await send({ path: `/payments/invoices/${invoiceId}`, token, body: paid })
  await send({ path: `/policies?queryString=${person.lastName}`, token })
  // Refused requests, and unknown routes.
  await client("Sesam-oeffne-dich")
  await send({ path: "/policies", token: "Sesam-oeffne-dich" })
  await asVisitor(`/policies/${person.lastName}`)
  await asVisitor(`/customers/policies/${id}`, `{"name": "${person.lastName}`)
  await asVisitor(`/customers/policies/${id}`, { role: person.lastName, email: person.lastName })
  await send({
    path: `/${person.lastName}?email=${person.email}`,
    headers: { "x-a": person.email }
  })
  return {
    secrets: [...planted, visitor, token, "acme-integration-secret", id, customerId, invoiceId],
    amount: Number(amountDue)
  }
}

/** Functions, and what Effect calls the spans of its own. */
const words = /^(?:[A-Za-z]\w*(?:\.\w+)+|Migrator \d+_\w+)$/u
const template = /^\/(?:[a-z0-9._-]+|\{[A-Za-z]+\})?(?:\/(?:[a-z0-9._-]+|\{[A-Za-z]+\}))*$/u

/** What an attribute of a span may say. */
const allowed: Readonly<Record<string, RegExp>> = {
  "db.query.summary": words,
  "db.system.name": /^postgresql$/u,
  "effect.fiber.interrupted": /^true$/u,
  "error.type": /^[A-Za-z_0-9]{1,40}$/u,
  "http.request.method": /^(?:GET|POST)$/u,
  "http.response.status_code": /^[1-5]\d\d$/u,
  "http.route": template,
  "quittance.consumer": /^[a-z]+(?:-[a-z]+)*$/u,
  "quittance.job": /^[a-z]+(?: [a-z]+(?:-[a-z]+)*)?$/u,
  "quittance.tenant": /^(?:acme|globex)$/u,
  "server.address": /^(?:127\.0\.0\.1|localhost)$/u,
  "server.port": /^\d+$/u,
  "url.path": new RegExp(`${template.source}|^/REDACTED$`, "u"),
  "url.scheme": /^http$/u
}

const faultsOf = (span: SentSpan): ReadonlyArray<string> =>
  Object.entries(attributesOf(span)).flatMap(([key, value]) =>
    allowed[key]?.test(String(value)) === true ? [] : [`${span.name}: ${key} is ${value}`]
  )

const isStatement = (span: SentSpan) => attributesOf(span)["db.query.summary"] !== undefined

/** The spans above a span, in this program. */
const above = (span: SentSpan, all: ReadonlyMap<string, SentSpan>): ReadonlyArray<SentSpan> => {
  const parent = all.get(span.parentSpanId ?? "")
  return parent === undefined ? [] : [parent, ...above(parent, all)]
}

/** The program with all jobs, and a collector that has read what it sent until its end. */
const sold = async () => {
  const server: ProvidedServer = inject("postgres")
  const collecting = await Collecting.start()
  onTestFinished(() => collecting.stop())
  return Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(TestServer.database(server, "template0"), ({ superuserUrl }) =>
        Effect.promise(async () => {
          const port = await freePort()
          const program = new Program("standalone", [], {
            DATABASE_URL: Redacted.value(superuserUrl),
            DATA_DIR: await folder(),
            ENVIRONMENT: "sandbox",
            KEY_ENCRYPTION_KEY: Buffer.from("an example of a key of 32 bytes.").toString(
              "base64url"
            ),
            PORT: String(port),
            MANAGEMENT_PORT: String(await freePort()),
            OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url,
            OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
            OTEL_METRIC_EXPORT_INTERVAL: "500"
          })
          await program.says("Ctrl+C stops it")
          const done = await story(port)
          await collecting.until(() =>
            ["billing", "events", "audit"].every((job) =>
              collecting.spans.some((span) => attributesOf(span)["quittance.job"] === job)
            )
          )
          assert.strictEqual((await program.stopped("SIGTERM")).code, 0)
          return { ...done, collecting }
        })
      )
    )
  )
}

it("shows what happens while a policy is sold, and nothing of people, secrets and money", async () => {
  const { amount, collecting, secrets } = await sold()
  const { metrics, received, records, spans } = collecting
  const byId = new Map(spans.map((span) => [span.spanId, span]))

  // No port is as great as it.
  assert.isAbove(amount, 65_535)
  for (const { path, text } of received) {
    for (const secret of secrets) assert.notInclude(text, secret, path)
    if (path !== "/v1/metrics") {
      assert.notMatch(text, new RegExp(`\\b(?:${amount}|${worth})\\b`, "u"), path)
    }
  }
  assert.deepStrictEqual([...new Set(spans.flatMap(faultsOf))], [])
  const odd = spans.filter(({ kind, name }) => kind !== 2 && !words.test(name))
  assert.deepStrictEqual([...new Set(odd.map(({ name }) => name))], [])

  const opened = spans.filter((span) => span.traceId === traceId)
  const request = opened.find(({ kind }) => kind === 2)
  assert.strictEqual(request!.name, "POST /policies")
  assert.strictEqual(request!.parentSpanId, "b7ad6b7169203331")
  assert.deepInclude(attributesOf(request!), {
    "http.response.status_code": 201,
    "http.route": "/policies",
    "quittance.tenant": "acme"
  })
  const statements = opened.filter(isStatement)
  assert.isAbove(statements.length, 3)
  for (const statement of statements) {
    const names = above(statement, byId).map(({ name }) => name)
    assert.strictEqual(names.at(-1), "POST /policies", statement.name)
    assert.isAbove(names.length, 1, statement.name)
  }

  const refused = spans.filter((span) => attributesOf(span)["url.path"] === "/REDACTED")
  assert.lengthOf(refused, 1)
  assert.strictEqual(refused[0]!.name, "GET")
  assert.lengthOf(
    spans.filter(({ name }) => name === "POST /oauth2/token"),
    2
  )
  const job = spans.find((span) => attributesOf(span)["quittance.job"] === "billing")
  const [round] = [job!, ...above(job!, byId)].slice(-1)
  assert.strictEqual(round!.name, "Loop.round")
  assert.isUndefined(round!.parentSpanId)
  assert.isAbove(records.length, 10)
  assert.include(
    metrics.map(({ name }) => name),
    "http.server.request.duration"
  )
})
