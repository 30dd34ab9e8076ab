/** Every program shows its metrics, to whom it may, in a form that Prometheus takes. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import type { ProvidedServer } from "@quittance/testing/ProvidedServer"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { inject } from "vitest"
import { ask, folder, Program } from "./Program.ts"

const postgres = (): ProvidedServer => inject("postgres")

const apart = [
  "anonymous-session-edge",
  "authorization-server",
  "billing-worker",
  "dispatcher",
  "public-api"
]

/** The service as one program, and each of its apps, all on one database. */
const service = async (superuserUrl: Redacted.Redacted) => {
  const port = await freePort()
  const env = {
    DATABASE_URL: Redacted.value(superuserUrl),
    DATA_DIR: await folder(),
    ENVIRONMENT: "sandbox",
    KEY_ENCRYPTION_KEY: Buffer.from("an example of a key of 32 bytes.").toString("base64url"),
    AUTH_URL: `http://{tenant}.auth.localhost:${port}`,
    BASE_URL: `http://localhost:${port}`
  }
  const start = async (app: string, at: number) => {
    const management = await freePort()
    const ports = { PORT: String(at), MANAGEMENT_PORT: String(management) }
    const program = new Program(app, [], { ...env, ...ports })
    await program.says(" on http")
    await program.says(`:${management}`)
    await program.says(`:${at}`)
    return { app, program, port: at, management }
  }
  const standalone = await start("standalone", port)
  await standalone.program.says("Ctrl+C stops it")
  const others = await Promise.all(apart.map(async (app) => start(app, await freePort())))
  return { env, all: [standalone, ...others], standalone }
}

/**
 * What Debian's package `prometheus` says of the text; nothing where it isn't installed, which CI has or has
 * said that it can't.
 */
const lint = (text: string): string => {
  const { error, status, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], {
    input: text,
    encoding: "utf8"
  })
  const { CI, NO_PROMTOOL } = process.env
  if (error !== undefined && CI !== undefined && NO_PROMTOOL === undefined) throw error
  if (error !== undefined) return ""
  return status === 0 ? stdout + stderr : `It ends with ${status}: ${stderr}`
}

/** A token of a client of the sandbox. */
const tokenOf = async (port: number, client: string): Promise<string> => {
  const { body } = await ask(port, "/oauth2/token", {
    method: "POST",
    headers: {
      host: `acme.auth.localhost:${port}`,
      authorization: `Basic ${btoa(`${client}:${client}-secret`)}`,
      "content-type": "application/x-www-form-urlencoded"
    },
    body: "grant_type=client_credentials"
  })
  return JSON.parse(body).access_token
}

/** No client of an integration may have the scope; a hand at the database gives it to one. */
const withScope = (url: Redacted.Redacted, client: string) =>
  Cluster.asSuperuser(
    postgres(),
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        UPDATE client SET scopes = scopes || ARRAY['platform/metrics']
        WHERE tenant_id = 'acme' AND id = ${client}
      `
    }),
    new URL(Redacted.value(url)).pathname.slice(1)
  )

/** What each of them answers, and to whom. */
const shown = async (url: Redacted.Redacted) => {
  const { all, standalone } = await service(url)
  await Effect.runPromise(withScope(url, "acme-billing"))
  const token = await tokenOf(standalone.port, "acme-integration")
  const scraping = await tokenOf(standalone.port, "acme-billing")
  for (const { app, management, port } of all) {
    const host = app === "authorization-server" ? `acme.auth.localhost:${port}` : "localhost"
    const { body, headers, status } = await ask(management, "/metrics")
    assert.strictEqual(status, 200, app)
    assert.strictEqual(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
    for (const name of ["process_cpu_time_seconds_total", "nodejs_eventloop_delay_p99_seconds"]) {
      assert.include(body, `\n${name}`, app)
    }
    const waits = ["billing-worker", "dispatcher", "standalone"].includes(app)
    assert.strictEqual(body.includes('\nquittance_queue_oldest_seconds{queue="audit"}'), waits, app)
    assert.strictEqual(body.includes("\nquittance_billing_backlog "), waits, app)
    assert.strictEqual(lint(body), "", app)
    assert.notInclude(body, "acme", "no tenant is named")

    const outside = (more: Readonly<Record<string, string>>) =>
      ask(port, "/metrics?a=b", { headers: { host, ...more } })
    assert.strictEqual((await outside({})).status, 401, app)
    assert.strictEqual((await outside({ tenant: "acme" })).status, 401, app)
    const authorization = `Bearer ${token}`
    assert.strictEqual((await outside({ authorization })).status, 400, app)
    const refused = await outside({ tenant: "acme", authorization })
    assert.strictEqual(refused.status, 403, refused.body)
    assert.deepInclude(JSON.parse(refused.body).details, { requiredScope: "platform/metrics" })
    const granted = await outside({ tenant: "acme", authorization: `Bearer ${scraping}` })
    assert.strictEqual(granted.status, 200, granted.body)
    assert.include(granted.body, "\nprocess_uptime_seconds ")
    const elsewhere = { tenant: "globex", authorization: `Bearer ${scraping}` }
    assert.strictEqual((await outside(elsewhere)).status, 401, app)
    const forged = { tenant: "acme", authorization: `${authorization.slice(0, -4)}AAAA` }
    assert.strictEqual((await outside(forged)).status, 401, app)
  }
}

describe("GET /metrics", () => {
  it.live("is there on each program: for its operators, and with a scope for others", () =>
    Effect.gen(function* () {
      const { superuserUrl } = yield* TestServer.database(postgres(), "template0")
      yield* Effect.promise(() => shown(superuserUrl))
    }).pipe(Effect.scoped)
  )

  it("counts requests by the template of their route, and makes nothing of what is made up", async () => {
    const port = await freePort()
    const management = await freePort()
    const env = {
      PORT: String(port),
      MANAGEMENT_PORT: String(management),
      DATA_DIR: await folder()
    }
    await new Program("standalone", [], env).says("Ctrl+C stops it")
    for (let made = 0; made < 200; made++) {
      await ask(port, `/made/up/${made}?x=${made}`, { headers: { tenant: `t-${made}` } })
      await ask(port, `/policies/policy_test_${made}`, { headers: { tenant: `t-${made}` } })
    }
    const { body } = await ask(management, "/metrics")
    const requests = body
      .split("\n")
      .filter((line) => line.startsWith("http_server_request_duration_seconds_count{"))
    assert.include(
      requests.join("\n"),
      'http_request_method="GET",http_route="/policies/{policyId}",http_response_status_code="401"'
    )
    assert.match(
      requests.find((line) => !line.includes("http_route"))!,
      /http_response_status_code="404".*\} 200$/u
    )
    assert.isBelow(requests.length, 10)
  })
})
