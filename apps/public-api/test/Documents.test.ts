/** Documents over HTTP: when they are due, what they say, who sees them, and that their bytes stay. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send, signature } from "./Sales.ts"

interface Listed {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly version: number
  readonly trigger: string
  readonly sha256?: string
  readonly invoiceId?: string
}

const documentsOf = Effect.fnUntraced(function* (world: World, token: string, policyId: string) {
  const { body } = yield* send(world, token, `/documents/policies/${policyId}?count=100`)
  const found: ReadonlyArray<Listed> = body.data
  return found.toReversed()
})

const standing = (documents: ReadonlyArray<Listed>) =>
  documents.filter(({ status }) => status !== "VOID")

/** The same without what is offered no more. */
const standingOf = (world: World, token: string, policyId: string) =>
  Effect.map(documentsOf(world, token, policyId), standing)

const kinds = (documents: ReadonlyArray<Listed>) =>
  documents.map(({ kind, status, version }) => `${kind} ${version} ${status}`).sort()

const contentOf = (world: World, id: string, headers: Record<string, string> = {}) =>
  call(`/documents/${id}/content`, { tenant: world.tenant, token: world.manager, headers })

/** Debian's poppler-utils, which `.ci/run` installs. */
const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined

/** What a reader of the file sees, by poppler. */
const textOf = (pdf: Uint8Array) =>
  execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf }).toString()

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** As if it had never been asked for. */
const forget = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE document SET status = 'PENDING', content_address = NULL, sha256 = NULL, size = NULL,
      pages = NULL, renderer = NULL, ready_at = NULL WHERE id = ${id}
  `
})

const moveTo = ({ client: token, tenant }: World, now: string) =>
  call("/admin/test-clock", { tenant, token, method: "PUT", body: { now } })

const sold = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const policy = yield* quoted(world, world.session)
  return { world, ...policy, path: `/policies/${policy.policyId}` }
})

/** A policy that has started, and its documents but for the information before the sale. */
const invoiced = Effect.gen(function* () {
  const policy = yield* sold
  const { path, policyId, world } = policy
  yield* send(world, world.session, `${path}/confirm`, {})
  yield* send(world, world.session, `${path}/sign`, signature)
  yield* moveTo(world, "2026-04-02T09:00:00Z")
  yield* plan(world)
  const list = standingOf(world, world.manager, policyId)
  const due = (yield* list).filter(({ kind }) => kind !== "IPID")
  assert.includeMembers(
    due.map(({ kind }) => kind),
    ["QUOTE", "CONTRACT", "INVOICE"]
  )
  return { ...policy, due, list }
})

layer(TestLayer, { excludeTestServices: true })("documents", (it) => {
  it.effect(
    "follow an offer: a new one takes the place of what was quoted and confirmed before",
    () =>
      Effect.gen(function* () {
        const { path, policyId, world } = yield* sold
        const list = documentsOf(world, world.session, policyId)
        assert.deepStrictEqual(yield* list, [])
        yield* plan(world)
        const offered = yield* list
        assert.deepStrictEqual(kinds(standing(offered)), ["IPID 1 PENDING", "QUOTE 1 PENDING"])
        const seen = standing(offered).find(({ kind }) => kind === "QUOTE")!
        const before = yield* contentOf(world, seen.id)
        yield* send(world, world.session, `${path}/confirm`, {})
        yield* send(world, world.session, `${path}/reopen`, {})
        yield* send(world, world.session, `${path}/quote`, {})
        yield* send(world, world.session, `${path}/confirm`, {})
        yield* plan(world)
        yield* plan(world)
        const last = yield* list
        assert.deepStrictEqual(kinds(standing(last)), [
          "CONTRACT 1 PENDING",
          "IPID 2 PENDING",
          "QUOTE 2 PENDING"
        ])
        assert.include(kinds(last), "QUOTE 1 VOID")
        // A reader has seen it: it stays what it was.
        const after = yield* contentOf(world, seen.id)
        assert.strictEqual(after.status, 200)
        assert.isTrue(after.bytes.equals(before.bytes))
      })
  )

  it.effect("are the same bytes whenever they are made, whatever has happened since", () =>
    Effect.gen(function* () {
      const { customerId, due, list, path, world } = yield* invoiced
      const first = new Map<string, string>()
      for (const { id, kind } of due) {
        const { bytes, header, status } = yield* contentOf(world, id)
        assert.strictEqual(status, 200, `${kind}: ${bytes.toString().slice(0, 500)}`)
        assert.strictEqual(header("etag"), `"${sha256(bytes)}"`)
        first.set(id, sha256(bytes))
      }
      // Their name changes, the policy is renamed, all is paid: documents of before tell of before.
      const other = { customFields: [{ key: "lastName", value: "Delacroix" }] }
      const { manager, tenant } = world
      yield* moveTo(world, "2026-04-03T09:00:00Z")
      const patch = { tenant, token: manager, method: "PATCH", body: other }
      assert.strictEqual((yield* call(`/customers/${customerId}`, patch)).status, 200)
      yield* call(path, { ...patch, body: { name: "renamed" } })
      for (const { invoiceId } of due) {
        if (invoiceId === undefined) continue
        const { body } = yield* send(world, manager, `/billing/invoices/${invoiceId}`)
        const money = { amount: body.amountDue, method: "CARD", reference: "r" }
        yield* send(world, manager, `/payments/invoices/${invoiceId}`, money)
      }
      for (const [id, sha] of first) {
        yield* forget(id)
        const { bytes } = yield* contentOf(world, id)
        assert.strictEqual(sha256(bytes), sha)
      }
      assert.deepStrictEqual(
        (yield* list).flatMap(({ id, sha256: sha }) => (first.has(id) ? [sha] : [])),
        [...first.values()]
      )
    })
  )

  // What poppler reads: skipped where poppler-utils is not installed.
  it.effect.skipIf(!hasPoppler)(
    "say who is insured and what it costs, as pdftotext reads them",
    () =>
      Effect.gen(function* () {
        const { due, premium, world } = yield* invoiced
        for (const { id, kind } of due) {
          const shown = textOf((yield* contentOf(world, id)).bytes)
          assert.match(shown, /Camille Martin/u, kind)
          if (kind !== "CONTRACT") continue
          const total = (premium.amountWithFeesAndTaxes / 100).toFixed(2).replace(".", ",")
          assert.include(shown.replaceAll(/[\s\u00a0\u202f]/gu, ""), total)
        }
      })
  )

  it.effect("are sent whole, in part, or not again", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* sold
      yield* plan(world)
      const [document] = yield* standingOf(world, world.manager, policyId)
      const whole = yield* contentOf(world, document!.id)
      assert.strictEqual(whole.status, 200, whole.text.slice(0, 900))
      assert.strictEqual(whole.header("content-type"), "application/pdf")
      assert.match(whole.header("content-disposition")!, /^attachment; filename="[^"]+\.pdf"/u)
      assert.strictEqual(whole.header("x-content-type-options"), "nosniff")
      const known = yield* contentOf(world, document!.id, {
        "if-none-match": whole.header("etag")!
      })
      assert.strictEqual(known.status, 304)
      assert.strictEqual(known.bytes.length, 0)
      const part = yield* contentOf(world, document!.id, { range: "bytes=5-14" })
      assert.strictEqual(part.status, 206)
      assert.isTrue(part.bytes.equals(whole.bytes.subarray(5, 15)))
      assert.strictEqual(part.header("content-range"), `bytes 5-14/${whole.bytes.length}`)
      const beyond = yield* contentOf(world, document!.id, { range: "bytes=99999999-" })
      assert.strictEqual(beyond.status, 416)
    })
  )

  it.effect("that can't be made say why, and are made once that is mended", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* quoted(world, world.session)
      yield* plan(world)
      const [document] = yield* standingOf(world, world.manager, policyId)
      const sql = yield* SuperuserSql
      yield* sql`UPDATE document SET template_version = 'none' WHERE id = ${document!.id}`
      const missing = yield* contentOf(world, document!.id)
      assert.strictEqual(missing.status, 409)
      assert.deepInclude(missing.body.details, {
        status: "FAILED",
        failure: { reason: "TEMPLATE_MISSING", paths: [] }
      })
      yield* sql`UPDATE document SET template_version = '2026.1' WHERE id = ${document!.id}`
      assert.strictEqual((yield* contentOf(world, document!.id)).status, 200)
      const told = yield* sql<{ readonly kind: string }>`
        SELECT kind FROM event WHERE subject = ${document!.id} ORDER BY seq
      `
      assert.deepStrictEqual(
        told.map(({ kind }) => kind),
        ["document.failed", "document.ready"]
      )
      const { body } = yield* send(world, world.manager, `/documents/${document!.id}`)
      assert.strictEqual(body.status, "READY")
      assert.notProperty(body, "failure")
    })
  )

  it.effect("are not shown to other sessions and tenants, and internal ones not to customers", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* sold
      yield* plan(world)
      const [document] = yield* standingOf(world, world.session, policyId)
      const other = yield* newTenant
      const from = (tenant: string, token: string) =>
        Effect.map(
          call(`/documents/${document!.id}/content`, { tenant, token }),
          ({ status }) => status
        )
      assert.strictEqual(yield* from(world.tenant, world.stranger), 403)
      assert.strictEqual(yield* from(other.tenant, other.manager), 404)
      const sql = yield* SuperuserSql
      yield* sql`UPDATE document SET visibility = 'INTERNAL' WHERE id = ${document!.id}`
      assert.strictEqual(yield* from(world.tenant, world.session), 404)
      assert.strictEqual(yield* from(world.tenant, world.manager), 200)
      const shown = yield* documentsOf(world, world.session, policyId)
      assert.notInclude(
        shown.map(({ id }) => id),
        document!.id
      )
    })
  )
})
