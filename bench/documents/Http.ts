/**
 * The bytes of a document by HTTP: with token, permission, decryption and hash, against a bare Fastify that reads
 * the same rows with postgres.js. And what an upload of 25 MiB takes of the memory of the process.
 */
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import * as Forked from "../Forked.ts"
import { bare, bearerRoutes, compare, type World } from "../HttpLoad.ts"
import type { Bar } from "../Interleaved.ts"
import { startDispatcher } from "../InvoiceRun.ts"
import * as PolicyWorld from "../PolicyWorld.ts"
import { sized } from "../Smoke.ts"

const kilobytes50 = 50_000
const mebibytes25 = sized(25 * 1_048_576 - 1024, 1_048_576)

/** A PDF of one page with a picture, of so many bytes in all that can't be compressed. */
const fileOf = (size: number) => {
  const head = [
    "%PDF-1.7",
    "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj",
    "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj",
    "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj",
    "4 0 obj\n<< /Type /XObject /Subtype /Image /Filter /DCTDecode >>\nstream\n"
  ].join("\n")
  const tail = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n"
  const picture = randomBytes(size - head.length - tail.length)
  return new Blob([head, picture, tail], { type: "application/pdf" })
}

/** What was answered to a request of the broker who sold the policy. */
const asked = async (port: number, { token }: World, path: string, init: RequestInit = {}) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { ...init.headers, tenant: PolicyWorld.tenant, authorization: `Bearer ${token}` }
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as { readonly id: string; readonly status: string }
}

const upload = (port: number, world: World, size: number) => {
  const body = new FormData()
  body.set("kind", "UPLOAD")
  body.set("title", "A file")
  body.set("file", fileOf(size), "file.pdf")
  const headers = { "idempotency-key": crypto.randomUUID() }
  const path = `/documents/policies/${world.policyId}/uploads`
  return asked(port, world, path, { method: "POST", body, headers })
}

/** The document that was uploaded, once a dispatcher has had it scanned. */
const scanned = async (port: number, world: World) => {
  const { id } = await upload(port, world, kilobytes50)
  for (let tries = 0; tries < 600; tries++) {
    const { status } = await asked(port, world, `/documents/${id}`)
    if (status === "READY") return id
    await setTimeout(100)
  }
  throw new Error("No dispatcher has scanned the upload in a minute.")
}

/** How the store calls the bytes that were uploaded. */
const storedAs = Effect.fnUntraced(function* ({ database }: World) {
  const sql = yield* Sql.pool(database.superuserUrl, "postgres")
  const [row] = yield* sql<{ readonly name: string }>`
    SELECT name FROM content WHERE size = ${kilobytes50}
  `
  return row!.name
})

export const bars = Effect.gen(function* () {
  const world = yield* PolicyWorld.make()
  yield* startDispatcher(world.database.url, 0)
  const served = yield* bearerRoutes(world)
  const id = yield* Effect.promise(() => scanned(served.port, world))
  // Before anything else has taken memory that it might use.
  const before = Forked.peakOf(served.pid)
  yield* Effect.promise(() => upload(served.port, world, mebibytes25))
  const more = Forked.peakOf(served.pid) - before
  const client = yield* Forked.startBare("./LoadClient.ts", {})
  const one = { first: 1, count: 1, queries: [""] }
  const bytes = {
    ...one,
    path: `/contents?name=${encodeURIComponent(yield* storedAs(world))}`,
    port: (yield* bare(world)).port
  }
  const content = { ...one, path: `/documents/${id}/content`, port: served.port }
  const read = yield* compare(client, world.token, bytes, content)

  const memory: Bar = {
    what: "what an upload of 25 MiB adds to the largest memory of the process so far",
    limit: 1,
    ratio: more / 64,
    unit: "MB",
    micros: [64, more]
  }
  const what = "50 KB of a document by HTTP, decrypted and checked ÷ bare Fastify reading them"
  return [
    { what: `${what}, time`, limit: 2, ...read("perRequest") },
    { what: `${what}, p99`, limit: 2, ...read("p99") },
    memory
  ] satisfies ReadonlyArray<Bar>
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
