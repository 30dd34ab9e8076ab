/** Signatures over HTTP: several texts, the steps that prove them, who sees them, and what is found changed. */
import { assert, layer } from "@effect/vitest"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { quoted, send, signature, signed } from "./Sales.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const [terms] = motor.consents
const advice = {
  textId: "ADVICE",
  text: "I was advised — and agree.",
  requiredFor: "SIGN"
} as const

const confirmed = Effect.fnUntraced(function* (world: World, extra: Record<string, unknown> = {}) {
  const { policyId } = yield* quoted(world, world.session, extra)
  yield* send(world, world.session, `/policies/${policyId}/confirm`, {})
  return policyId
})

const trySign = (world: World, policyId: string, body: unknown, path = "sign") =>
  call(`/policies/${policyId}/${path}`, { tenant: world.tenant, token: world.session, body })

const accept = (...textIds: ReadonlyArray<string>) =>
  textIds.map((textId) => ({ textId, accepted: true }))

const signaturesOf = (world: World, policyId: string) =>
  Effect.map(
    send(world, world.manager, `/signatures/policies/${policyId}`),
    ({ body }) => body.data as ReadonlyArray<Record<string, any>>
  )

const stepsOf = (world: World, id: string) =>
  Effect.map(send(world, world.manager, `/signatures/${id}/steps`), ({ body }) => body)

layer(TestLayer, { excludeTestServices: true })("signatures", (it) => {
  it.effect("carry each text that the product needs, and no other", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const product = { ...motor, version: "2026.2", consents: [...motor.consents, advice] }
      yield* call(`/admin/products/${motor.productId}`, {
        tenant: world.tenant,
        token: world.client,
        method: "PUT",
        body: product
      })
      const policyId = yield* confirmed(world)
      const { signer } = signature
      const both = accept("SUBSCRIPTION_TERMS", "ADVICE")
      const without = yield* trySign(world, policyId, { signer })
      assert.strictEqual(without.status, 400, without.text)
      const one = yield* trySign(world, policyId, signature)
      assert.strictEqual(one.status, 409, one.text)
      const [gate, ...gates] = one.body.details.gates
      assert.deepInclude(gate, { kind: "CONSENT", textId: "ADVICE" })
      assert.deepStrictEqual(gates, [])
      const more = yield* trySign(world, policyId, { signer, consents: [...both, ...accept("X")] })
      assert.deepInclude(more.body.details, { field: "consents", value: "X" }, more.text)
      const tried = yield* trySign(world, policyId, { signer, consents: both }, "sign?dryRun=true")
      assert.strictEqual(tried.status, 200, tried.text)
      assert.deepStrictEqual(yield* signaturesOf(world, policyId), [])
      // One of them twice, as the old member says it and as the new one.
      const done = yield* trySign(world, policyId, { ...signature, consents: both })
      assert.strictEqual(done.status, 200, done.text)
      const [kept, ...others] = yield* signaturesOf(world, policyId)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(kept!["consents"], [
        { textId: "SUBSCRIPTION_TERMS", textHash: sha256(terms!.text) },
        { textId: "ADVICE", textHash: sha256(advice.text) }
      ])
      const { head, status, steps } = yield* stepsOf(world, kept!["id"])
      assert.strictEqual(status, "INTACT")
      assert.deepStrictEqual(
        steps.map(({ kind, textId }: Record<string, unknown>) => [kind, textId]),
        [
          ["CONSENT_GIVEN", "SUBSCRIPTION_TERMS"],
          ["CONSENT_GIVEN", "ADVICE"],
          ["SIGNED", undefined]
        ]
      )
      assert.strictEqual(steps.at(-1).hash, head)
      assert.deepInclude(steps.at(-1), { signer, policyId })
      // What the answer says is what was hashed.
      for (const { hash, ...content } of steps) {
        assert.strictEqual(sha256(canonicalJson(content)), hash)
      }
      assert.deepInclude(kept, {
        status: "COMPLETED",
        method: "CLICK",
        level: "SIMPLE",
        stateDigest: steps.at(-1).quotes[0].stateDigest
      })
    })
  )

  it.effect("are seen by those who work on the policy", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* signed(world, world.session)
      const [kept] = yield* signaturesOf(world, policyId)
      const read = (token: string) =>
        call(`/signatures/${kept!["id"]}/steps`, { tenant: world.tenant, token })
      assert.strictEqual((yield* read(world.manager)).status, 200)
      assert.strictEqual((yield* read(world.session)).status, 403)
      assert.strictEqual((yield* read(world.stranger)).status, 403)
      const other = yield* newTenant
      const foreign = yield* call(`/signatures/${kept!["id"]}`, {
        tenant: other.tenant,
        token: other.manager
      })
      assert.strictEqual(foreign.status, 404, foreign.text)
    })
  )

  it.effect("tell which step was changed in the database", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* signed(world, world.session)
      const [kept] = yield* signaturesOf(world, policyId)
      const id: string = kept!["id"]
      const sql = yield* SuperuserSql
      const [original] = yield* sql<{ readonly content: string; readonly hash: string }>`
        SELECT content, hash FROM signature_step WHERE signature_id = ${id} AND n = 2
      `
      const write = ({ content, hash }: typeof original & {}) => sql`
        UPDATE signature_step SET content = ${content}, hash = ${hash}
        WHERE signature_id = ${id} AND n = 2
      `
      const content = original!.content.replace("Camille", "Mallory")
      yield* write({ content, hash: original!.hash })
      const changed = yield* stepsOf(world, id)
      assert.deepStrictEqual(changed.fault, { n: 2, reason: "CONTENT" })
      // Who hashes again what they have changed has the audit trail against them.
      yield* write({ content, hash: sha256(content) })
      assert.deepStrictEqual((yield* stepsOf(world, id)).fault, { n: 2, reason: "HEAD" })
      yield* write(original!)
      assert.strictEqual((yield* stepsOf(world, id)).status, "INTACT")
      yield* sql`DELETE FROM signature_step WHERE signature_id = ${id}`
      assert.deepStrictEqual((yield* stepsOf(world, id)).fault, { n: 1, reason: "HEAD" })
    })
  )

  it.effect("of earlier versions are seen with their one text, and no steps", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* signed(world, world.session)
      const [kept] = yield* signaturesOf(world, policyId)
      const id = `signature_test_${"X".repeat(21)}`
      const sql = yield* SuperuserSql
      const columns = sql.literal(`policy_id, branch_id, quote_id, signer, text_id, text_hash,
        signed_at, address, user_agent`)
      yield* sql`
        INSERT INTO signature (tenant_id, id, ${columns})
        SELECT tenant_id, ${id}, ${columns} FROM signature WHERE id = ${kept!["id"]}
      `
      const earlier = (yield* signaturesOf(world, policyId)).find((one) => one["id"] === id)
      assert.deepStrictEqual(earlier, { ...kept, id })
      const steps = yield* stepsOf(world, id)
      assert.deepStrictEqual(steps, { signatureId: id, steps: [], status: "NOT_KEPT" })
    })
  )

  it.effect("and their steps can't be changed or deleted by the programs", () =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      const rights = yield* sql<{ readonly right: string }>`
        SELECT table_name || ' ' || privilege_type AS right FROM information_schema.role_table_grants
        WHERE table_name IN ('signature', 'signature_step') AND grantee = 'quittance_runtime'
      `
      assert.deepStrictEqual(rights.map(({ right }) => right).sort(), [
        "signature INSERT",
        "signature SELECT",
        "signature_step INSERT",
        "signature_step SELECT"
      ])
    })
  )
})
