/**
 * What a document costs: through renderer, hash, encryption and database against the bare compiler; against
 * pdfkit, which draws the same words; reading it back against the database alone; many in a row; the first.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { Contents } from "@quittance/operations/contents/Contents"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as Renderer from "@quittance/renderer/Renderer"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import postgres from "postgres"
import * as Forked from "../Forked.ts"
import { type Bar, compare, median } from "../Interleaved.ts"
import { keyEncryptionKey } from "../PolicyWorld.ts"
import { sized } from "../Smoke.ts"
import * as BareTypst from "./BareTypst.ts"
import * as Http from "./Http.ts"
import * as InvoicedPapers from "./InvoicedPapers.ts"
import { type Paper, paperOf } from "./Papers.ts"
import { draw } from "./Pdfkit.ts"

const tenant = TenantId.make("papers")
const oneByOne = { rounds: 7, operationsPerRound: 4, concurrency: 1 }
const kilobytes50 = 50_000

/** Each turn of a bench is of another number, so that no document is there already. */
let turns = 0

const render = (paper: Paper) =>
  Effect.suspend(() =>
    DocumentRenderer.use((renderer) => renderer.render(paper.input((turns += 1))))
  )

const stored = (paper: Paper) =>
  Effect.flatMap(render(paper), ({ bytes }) => Contents.use((contents) => contents.put(bytes)))

/** Made and stored, of the bare compiler's time. */
const againstTypst = Effect.fnUntraced(function* (name: string, limit: number, paper: Paper) {
  const compile = yield* BareTypst.make
  return yield* compare(
    `${name}, from its data to stored bytes ÷ the bare compiler`,
    limit,
    () => Effect.sync(() => compile(paper.words((turns += 1)))),
    () => stored(paper),
    oneByOne
  )
})

const againstPdfkit = (name: string, limit: number, paper: Paper) =>
  compare(
    `${name}, made by a renderer ÷ drawn with pdfkit`,
    limit,
    () => Effect.promise(() => draw(paper.words((turns += 1)))),
    () => render(paper),
    oneByOne
  )

/** 50 KB out of the database, decrypted and hashed again, against a client that reads the same bytes. */
const reading = Effect.fn("Documents.reading")(function* (url: string) {
  const contents = yield* Contents
  const { address } = yield* contents.put(randomBytes(kilobytes50))
  const sql = yield* Effect.acquireRelease(
    Effect.sync(() => postgres(url, { max: 4 })),
    (open) => Effect.promise(() => open.end())
  )
  const read = Effect.gen(function* () {
    const content = yield* contents.open(address)
    yield* Stream.runDrain(content!.bytes())
  })
  return yield* compare(
    "50 KB read from the database, decrypted and checked ÷ postgres.js reading them",
    2,
    () => Effect.promise(() => sql`SELECT bytes FROM content_part`),
    () => read,
    { rounds: 7, operationsPerRound: 100, concurrency: 4 }
  )
})

/** The largest memory that a process of the renderer ever had resident, in MB. */
const peakOfChildren = (): number => {
  const own = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean)
  )
  return Math.max(0, ...own.map(Forked.peakOf))
}

/** `--million` makes a hundred thousand notices. */
const notices = sized(process.argv.includes("--million") ? 100_000 : 2000, 20)

/** Many notices, made and stored one after the other: the last tenth against the first, and the renderer's memory. */
const manyInARow = Effect.fn("Documents.manyInARow")(function* (paper: Paper) {
  const times: Array<number> = []
  let peak = 0
  for (let number = 0; number < notices; number++) {
    const started = performance.now()
    yield* stored(paper)
    times.push((performance.now() - started) * 1000)
    if (number % 50 === 49 || number === notices - 1) peak = Math.max(peak, peakOfChildren())
  }
  // The first ones warm a process up.
  const warm = times.slice(notices / 20)
  const tenth = Math.ceil(warm.length / 10)
  const [first, last] = [median(warm.slice(0, tenth)), median(warm.slice(-tenth))]
  const linear: Bar = {
    what: `a renewal notice, from its data to stored bytes, the last tenth of ${notices} ÷ the first`,
    limit: 1.1,
    ratio: last / first,
    micros: [first, last]
  }
  const memory: Bar = {
    what: `the memory of the renderer over them`,
    limit: 1,
    ratio: peak / 512,
    unit: "MB",
    micros: [512, peak]
  }
  return [linear, memory]
})

/** From nothing: the renderer starts, its process too, and the first document is there. */
const first = Effect.fn("Documents.first")(function* (paper: Paper) {
  const times: Array<number> = []
  for (let round = 0; round < sized(5, 1); round++) {
    const started = performance.now()
    yield* Effect.provide(render(paper), Renderer.layer, { local: true })
    times.push((performance.now() - started) * 1000)
  }
  const bar: Bar = {
    what: "the first document after a start, a second",
    limit: 1,
    ratio: median(times) / 1_000_000,
    micros: [1_000_000, median(times)]
  }
  return bar
})

export const bench = Effect.gen(function* () {
  // Worlds of their own, which take no service of this one.
  const http = yield* Http.bars
  const invoiced = yield* InvoicedPapers.bars
  const database = yield* TestServer.database(yield* TestServer.start)
  const services = yield* Layer.build(
    Layer.mergeAll(Contents.layer, TenantsRepo.layer, Renderer.layer).pipe(
      Layer.provide(KeyEncryption.layerOf(keyEncryptionKey)),
      Layer.provideMerge([TenantSql.layer, NodeServices.layer]),
      Layer.provide(Sql.succeed(yield* Sql.pool(database.url, runtimeRole)))
    )
  )
  const contract = paperOf("motor-fr", "CONTRACT")
  const invoice = paperOf("motor-fr", "INVOICE")
  return yield* Effect.gen(function* () {
    const { transaction } = yield* TenantSql
    yield* transaction(TenantsRepo.use((repo) => repo.insert(sandboxTenant(tenant))))
    const read = yield* reading(Redacted.value(database.superuserUrl))
    return [
      yield* first(contract),
      yield* againstTypst("a contract", 1.25, contract),
      yield* againstPdfkit("a contract", 1, contract),
      yield* againstPdfkit("an invoice", 0.6, invoice),
      read,
      ...http,
      ...invoiced,
      ...(yield* manyInARow(paperOf("motor-fr", "RENEWAL_NOTICE")))
    ]
  }).pipe(Effect.provideService(CurrentTenant, tenant), Effect.provideContext(services))
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
