/** The documents of whole lives of policies over HTTP: which there are, which hold, and what they were once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { plan } from "./PlannedDocuments.ts"
import { send, signature, signed } from "./Sales.ts"

interface Listed {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly trigger: string
  readonly version: number
  readonly number?: number
  readonly replaces?: string
  readonly replacedBy?: string
  readonly inForceAt?: string
  readonly endedAt?: string
}

const moveTo = ({ client: token, tenant }: World, now: string) =>
  call("/admin/test-clock", { tenant, token, method: "PUT", body: { now } })

const listOf = Effect.fnUntraced(function* (world: World, policyId: string, query = "") {
  yield* plan(world)
  const path = `/documents/policies/${policyId}?count=100${query}`
  const { body } = yield* send(world, world.manager, path)
  const found: ReadonlyArray<Listed> = body.data
  return found
})

const shown = (documents: ReadonlyArray<Listed>) =>
  documents.map(({ kind, trigger }) => `${kind} ${trigger}`).sort()

/** Debian's poppler-utils, which `.ci/run` installs. */
const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined

const textOf = (pdf: Uint8Array) =>
  execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf }).toString()

/** The bytes of each, by its identifier: all of them can be made. */
const made = Effect.fnUntraced(function* (world: World, documents: ReadonlyArray<Listed>) {
  const files = new Map<string, Uint8Array>()
  for (const { id, kind, status, trigger } of documents) {
    if (status === "VOID") continue
    const path = `/documents/${id}/content`
    const answer = yield* call(path, { tenant: world.tenant, token: world.manager })
    assert.strictEqual(answer.status, 200, `${kind} ${trigger}: ${answer.text.slice(0, 600)}`)
    files.set(id, answer.bytes)
  }
  return files
})

const write = (world: World, path: string, body: unknown = {}, method = "POST") =>
  Effect.tap(
    call(path, { tenant: world.tenant, token: world.manager, method, body }),
    ({ status, text }) => Effect.sync(() => assert.isBelow(status, 300, `${path}: ${text}`))
  )

const inForce = Effect.gen(function* () {
  const world = yield* newTenant
  const { policyId } = yield* signed(world, world.manager)
  yield* moveTo(world, "2026-04-10T09:00:00Z")
  return { world, policyId, path: `/policies/${policyId}` }
})

type InForce = Effect.Success<typeof inForce>

/** An endorsement of the yearly mileage that has come into force. */
const endorsed = Effect.fnUntraced(function* (
  { path, world }: InForce,
  effectiveAt: string,
  mileage: number
) {
  const opened = yield* write(world, `${path}/branches`, { branchType: "MTA", effectiveAt })
  const branchId: string = opened.body.id
  const on = `?branchId=${branchId}`
  const fields = { customFields: [{ key: "annualMileage", value: mileage }] }
  yield* write(world, `${path}${on}`, fields, "PATCH")
  yield* write(world, `${path}/quote${on}`)
  yield* write(world, `${path}/confirm${on}`)
  yield* write(world, `${path}/sign${on}`, signature)
  return branchId
})

layer(TestLayer, { excludeTestServices: true })("the documents of a policy", (it) => {
  it.effect(
    "come into force with the sale, and each can be made without a template of its own",
    () =>
      Effect.gen(function* () {
        const { policyId, world } = yield* inForce
        const all = yield* listOf(world, policyId)
        assert.includeMembers(shown(all), [
          "CONTRACT CONFIRMED",
          "CONTRACT MERGED",
          "INVOICE INVOICED",
          "IPID QUOTED",
          "QUOTE QUOTED",
          "SCHEDULE SIGNED"
        ])
        const holding = shown(yield* listOf(world, policyId, "&whenAt=2026-04-10T09:00:00Z"))
        assert.include(holding, "CONTRACT MERGED")
        assert.notInclude(holding, "CONTRACT CONFIRMED")
        assert.deepStrictEqual(
          shown(yield* listOf(world, policyId, "&whenAt=2020-01-01T00:00:00Z")),
          []
        )
        const files = yield* made(world, all)
        if (!hasPoppler) return
        for (const { id, kind, trigger } of all) {
          if (kind !== "CONTRACT") continue
          const isDraft = /PROJET/u.test(textOf(files.get(id)!))
          assert.strictEqual(isDraft, trigger === "CONFIRMED", trigger)
        }
      })
  )

  it.effect("have endorsements with numbers without a gap, and tell what changes", () =>
    Effect.gen(function* () {
      const life = yield* inForce
      const { policyId, world } = life
      const first = yield* endorsed(life, "2026-06-15T00:00:00Z", 30_000)
      yield* moveTo(world, "2026-04-11T09:00:00Z")
      // Recorded later, in force earlier.
      const second = yield* endorsed(life, "2026-05-15T00:00:00Z", 12_000)
      yield* moveTo(world, "2026-04-12T09:00:00Z")
      const all = yield* listOf(world, policyId)
      const numbered = all.filter(({ number }) => number !== undefined)
      assert.deepStrictEqual(
        numbered.map(({ inForceAt, number }) => `${number} ${inForceAt}`).sort(),
        ["1 2026-06-15T00:00:00.000Z", "2 2026-05-15T00:00:00.000Z"]
      )
      const [one, two] = [1, 2].map((number) => numbered.find((d) => d.number === number)!)
      assert.strictEqual(one!.replaces, two!.id)
      assert.strictEqual(two!.replacedBy, one!.id)
      const before = yield* listOf(world, policyId, "&knownAt=2026-04-10T10:00:00Z")
      const known = before.find(({ id }) => id === one!.id)!
      assert.notStrictEqual(known.replaces, two!.id)
      assert.isFalse(before.some(({ id }) => id === two!.id))
      const of = (branchId: string) => listOf(world, policyId, `&branchId=${branchId}`)
      assert.isTrue((yield* of(first)).some(({ id }) => id === one!.id))
      assert.isFalse((yield* of(second)).some(({ id }) => id === one!.id))
      const files = yield* made(world, all)
      if (!hasPoppler) return
      const text = textOf(files.get(one!.id)!).replaceAll(/[\s\u00a0\u202f]/gu, "")
      assert.include(text, "30000")
      assert.match(text, /Avenantn°1/u)
    })
  )

  it.effect("lose what is reverted, keep it readable, and are not hidden by a stop", () =>
    Effect.gen(function* () {
      const life = yield* inForce
      const { path, policyId, world } = life
      yield* endorsed(life, "2026-04-15T00:00:00Z", 30_000)
      yield* moveTo(world, "2026-04-20T09:00:00Z")
      const changes = yield* send(world, world.manager, `${path}/changes?count=100`)
      const update = changes.body.data.find(
        ({ effectiveAt, kind }: { effectiveAt: string; kind: string }) =>
          kind === "UPDATE" && effectiveAt === "2026-04-15T00:00:00.000Z"
      )
      const now = "&whenAt=2026-04-20T09:00:00Z"
      assert.include(shown(yield* listOf(world, policyId, now)), "ENDORSEMENT MERGED")
      const undone = { branchType: "MTA", effectiveAt: "2026-04-15T00:00:00Z" }
      const opened = yield* write(world, `${path}/branches`, undone)
      const on = `?branchId=${opened.body.id}`
      yield* write(world, `${path}/changes/${update.id}/revert${on}`)
      yield* write(world, `${path}/quote${on}`)
      yield* write(world, `${path}/confirm${on}`)
      yield* write(world, `${path}/sign${on}`, signature)
      const after = yield* listOf(world, policyId, now)
      const numbers = (documents: ReadonlyArray<Listed>) => documents.flatMap((d) => d.number ?? [])
      assert.deepStrictEqual(numbers(after), [2])
      const ended = (yield* listOf(world, policyId)).find(({ number }) => number === 1)!
      assert.isDefined(ended.endedAt)
      yield* made(world, [ended])
      yield* write(world, `${path}/stop?whenAt=2026-04-25T00:00:00Z`, { reason: "SALE" })
      yield* moveTo(world, "2026-05-01T09:00:00Z")
      const stopped = yield* listOf(world, policyId, "&whenAt=2026-05-01T09:00:00Z")
      assert.includeMembers(shown(stopped), ["CONTRACT MERGED", "TERMINATION_CONFIRMATION STOPPED"])
      yield* made(world, stopped)
    })
  )

  it.effect("have a notice for what is unpaid, and one of the next term in time", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce
      yield* moveTo(world, "2026-05-20T09:00:00Z")
      const notices = (yield* listOf(world, policyId)).filter(
        ({ kind }) => kind === "FORMAL_NOTICE"
      )
      assert.strictEqual(notices.length, 1)
      const files = yield* made(world, notices)
      // 77 days before the end of the term, and two weeks before the last day that the law leaves.
      yield* moveTo(world, "2027-01-15T09:00:00Z")
      const offers = (yield* listOf(world, policyId)).filter(
        ({ kind }) => kind === "RENEWAL_NOTICE"
      )
      assert.isAtLeast(offers.filter(({ status }) => status === "PENDING").length, 1)
      const renewal = yield* made(world, offers)
      if (!hasPoppler) return
      const notice = textOf([...files.values()][0]!)
      assert.match(notice, /L113-3/u)
      const text = textOf([...renewal.values()].at(-1)!)
      assert.match(text, /1er avril 2027|01\/04\/2027|1 avril 2027/u)
      assert.notMatch(text, /PROJET/u)
    })
  )
})
