/** Requests for customers' documents over HTTP: refused, asked, answered by a file, judged, cancelled. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { form } from "./Forms.ts"
import { quoted, send } from "./Sales.ts"
import { eicar, scan } from "./Scanning.ts"

const other = { kind: "OTHER", note: "Both sides of the registration certificate" }

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  const { customerId, policyId } = yield* quoted(world, world.session)
  const requests = `/documents/policies/${policyId}/requests`
  const post = (path: string, body: unknown, token = world.manager) =>
    call(path, { tenant: world.tenant, token, method: "POST", body })
  const ask = (body: Record<string, unknown> = {}, token?: string) =>
    post(requests, { ...other, customerId, ...body }, token)
  const cancel = (id: string, token?: string) => post(`/documents/requests/${id}/cancel`, {}, token)
  const upload = (
    requestId: string,
    sent: Parameters<typeof form>[1] = { bytes: "a text" },
    token = world.session
  ) => {
    const { body, headers } = form({ kind: "UPLOAD", requestId }, sent)
    return call(`/documents/policies/${policyId}/uploads`, {
      tenant: world.tenant,
      token,
      method: "POST",
      body,
      headers
    })
  }
  const listed = (token = world.manager, query = "") =>
    Effect.map(send(world, token, `${requests}${query}`), ({ body }) => body.data)
  return { world, customerId, policyId, ask, cancel, upload, listed }
})

const stored = (id: string) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly status: string; readonly documentId: string | null }>`
      SELECT status, document_id FROM document_request WHERE id = ${id}
    `
  ).pipe(Effect.map(([row]) => row!))

const told = (id: string) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly kind: string; readonly payload: Readonly<Record<string, string>> }>`
      SELECT kind, payload FROM event WHERE subject = ${id} ORDER BY seq
    `
  )

const refusal = ({ body, status }: { readonly body: any; readonly status: number }) => [
  status,
  body.code,
  body.details?.status ?? body.details?.field
]

layer(TestLayer, { excludeTestServices: true })("requests for documents", (it) => {
  it.effect("are refused of what the product does not know, and of strangers", () =>
    Effect.gen(function* () {
      const { ask, cancel, upload, world } = yield* scene
      const { customerId: stranger } = yield* quoted(world, world.manager)
      const cases = [
        { kind: "PASSPORT" },
        { kind: "OTHER", note: undefined },
        { customerId: stranger }
      ] as const
      const fields = ["kind", "note", "customerId"]
      for (const [index, body] of cases.entries()) {
        const answer = yield* ask(body)
        assert.deepStrictEqual(refusal(answer), [422, "INVALID_REFERENCE", fields[index]])
      }
      assert.strictEqual((yield* ask({}, world.session)).status, 403)
      assert.strictEqual((yield* ask({}, world.stranger)).status, 403)
      const none = "document_request_test_346789ABCDEFGHJKLMNPQ"
      assert.deepStrictEqual(refusal(yield* cancel(none)).slice(0, 2), [
        404,
        "DOCUMENT_REQUEST_NOT_FOUND"
      ])
      assert.deepStrictEqual(refusal(yield* upload(none)), [422, "INVALID_REFERENCE", "requestId"])
    })
  )

  it.effect("of another policy or tenant take no file, and can't be cancelled from there", () =>
    Effect.gen(function* () {
      const { upload } = yield* scene
      const foreign = yield* scene
      const { body } = yield* foreign.ask()
      assert.deepStrictEqual(refusal(yield* upload(body.id)), [
        422,
        "INVALID_REFERENCE",
        "requestId"
      ])
      const { cancel } = yield* scene
      assert.strictEqual((yield* cancel(body.id)).status, 404)
      assert.deepStrictEqual(
        (yield* foreign.listed()).map(({ status }: { status: string }) => status),
        ["OPEN"]
      )
    })
  )

  it.effect("are fulfilled by a file once that was found clean", () =>
    Effect.gen(function* () {
      const { ask, cancel, customerId, listed, policyId, upload } = yield* scene
      const { body, status, text } = yield* ask({ dueOn: "2026-04-30" })
      assert.strictEqual(status, 201, text)
      assert.deepInclude(body, {
        kind: "OTHER",
        label: other.note,
        status: "OPEN",
        dueOn: "2026-04-30"
      })
      const added = yield* upload(body.id)
      assert.strictEqual(added.status, 201, added.text)
      assert.strictEqual(added.body.title, other.note)
      const [received] = yield* listed()
      assert.deepInclude(received, { status: "RECEIVED", documentId: added.body.id })
      assert.deepStrictEqual(refusal(yield* upload(body.id)), [
        409,
        "DOCUMENT_REQUEST_CLOSED",
        "RECEIVED"
      ])
      yield* scan()
      const [fulfilled] = yield* listed()
      assert.deepInclude(fulfilled, { status: "FULFILLED", documentId: added.body.id })
      assert.isString(fulfilled.fulfilledAt)
      assert.deepStrictEqual(refusal(yield* cancel(body.id)), [
        409,
        "DOCUMENT_REQUEST_CLOSED",
        "FULFILLED"
      ])
      const payload = { documentRequestId: body.id, policyId, customerId, kind: "OTHER" }
      assert.deepStrictEqual(yield* told(body.id), [
        { kind: "document_request.opened", payload },
        {
          kind: "document_request.fulfilled",
          payload: { ...payload, documentId: added.body.id }
        }
      ])
    })
  )

  it.effect(
    "take another file where the scanner has rejected the first, or its type is wrong",
    () =>
      Effect.gen(function* () {
        const { ask, listed, upload } = yield* scene
        const { body } = yield* ask()
        const wrong = yield* upload(body.id, { bytes: "a text", type: "application/pdf" })
        assert.strictEqual(wrong.status, 415, wrong.text)
        assert.strictEqual((yield* listed())[0].status, "OPEN")
        const bad = yield* upload(body.id, { bytes: eicar })
        assert.strictEqual(bad.status, 201, bad.text)
        yield* scan()
        const [again] = yield* listed()
        assert.strictEqual(again.status, "OPEN")
        assert.isUndefined(again.documentId)
        assert.deepInclude((yield* told(body.id))[1], { kind: "document_request.reopened" })
        const good = yield* upload(body.id)
        yield* scan()
        assert.deepInclude((yield* listed())[0], {
          status: "FULFILLED",
          documentId: good.body.id
        })
      })
  )

  it.effect("that are cancelled take no file, and stay so when one was on its way", () =>
    Effect.gen(function* () {
      const { ask, cancel, listed, upload, world } = yield* scene
      const { body: first } = yield* ask()
      assert.strictEqual((yield* cancel(first.id, world.session)).status, 403)
      const { body: cancelled } = yield* cancel(first.id)
      assert.deepInclude(cancelled, { id: first.id, status: "CANCELLED" })
      assert.deepStrictEqual(refusal(yield* upload(first.id)), [
        409,
        "DOCUMENT_REQUEST_CLOSED",
        "CANCELLED"
      ])
      assert.deepStrictEqual(refusal(yield* cancel(first.id)), [
        409,
        "DOCUMENT_REQUEST_CLOSED",
        "CANCELLED"
      ])
      const { body: second } = yield* ask()
      const added = yield* upload(second.id)
      yield* cancel(second.id)
      yield* scan()
      const statuses = (yield* listed()).map((one: Record<string, unknown>) => [
        one["id"],
        one["status"]
      ])
      assert.sameDeepMembers(statuses, [
        [first.id, "CANCELLED"],
        [second.id, "CANCELLED"]
      ])
      const { body } = yield* send(world, world.session, `/documents/${added.body.id}`)
      assert.strictEqual(body.status, "READY")
    })
  )

  it.effect(
    "are shown to customers where they are asked, and to those who work on the policy",
    () =>
      Effect.gen(function* () {
        const { ask, listed, policyId, world } = yield* scene
        const { body: driver } = yield* send(
          world,
          world.session,
          `/customers/policies/${policyId}`,
          {
            role: "DRIVER",
            name: "Antoine Durand",
            customFields: []
          }
        )
        const { body: own } = yield* ask()
        const { body: foreign } = yield* ask({ customerId: driver.customerId })
        const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)
        assert.sameMembers(idsOf(yield* listed()), [foreign.id, own.id])
        assert.deepStrictEqual(idsOf(yield* listed(world.session)), [own.id])
        assert.deepStrictEqual(idsOf(yield* listed(world.manager, "?statuses=FULFILLED")), [])
      })
  )

  it.effect("take one of two files, and are fulfilled or cancelled, not both", () =>
    Effect.gen(function* () {
      const { ask, cancel, upload: add, world } = yield* scene
      // Visitors may add thirty files an hour.
      const upload = (id: string) => add(id, undefined, world.manager)
      for (let round = 0; round < rounds; round += 1) {
        const isCancelled = round % 2 === 1
        const { body } = yield* ask()
        const racing = yield* Effect.all(
          [upload(body.id), upload(body.id), ...(isCancelled ? [cancel(body.id)] : [])],
          { concurrency: "unbounded" }
        )
        const statuses = racing.map(({ status }) => status)
        assert.isTrue(
          statuses.every((status) => [200, 201, 409].includes(status)),
          String(statuses)
        )
        const taken = racing.filter(({ status }) => status === 201)
        assert.isAtMost(taken.length, 1, String(statuses))
        const request = yield* stored(body.id)
        assert.strictEqual(request.documentId, taken[0]?.body.id ?? null)
        assert.strictEqual(request.status, isCancelled ? "CANCELLED" : "RECEIVED")
      }
    })
  )
})

/** As many as a policy has room for uploads: at most one of each round is taken. */
const rounds = 200
