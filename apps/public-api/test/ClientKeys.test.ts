/** The public keys of a client, as its administration registers them. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, type JWK } from "jose"
import { call, newTenant, TestLayer, type World } from "./Api.ts"

const jwk = (alg: string, kid: string, modulusLength = 2048) =>
  Effect.promise(async (): Promise<JWK> => {
    const { publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength })
    return { ...(await exportJWK(publicKey)), alg, kid }
  })

const crm = { name: "CRM", scopes: ["platform/billing"], clientId: "acme-crm" }

const put = ({ client, tenant }: World, keys: ReadonlyArray<object>, more: object = {}) =>
  call("/admin/clients/acme-crm/keys", {
    tenant,
    token: client,
    method: "PUT",
    body: { keys },
    ...more
  })

const withClient = Effect.gen(function* () {
  const world = yield* newTenant
  yield* call("/admin/clients", { tenant: world.tenant, token: world.client, body: crm })
  return world
})

layer(TestLayer, { excludeTestServices: true })("the keys of a client", (it) => {
  it.effect(
    "are refused when they are private, weak, no point, unknown, too many or named alike",
    () =>
      Effect.gen(function* () {
        const world = yield* withClient
        const [ec, ed, rsa] = [
          yield* jwk("ES256", "a"),
          yield* jwk("EdDSA", "b"),
          yield* jwk("RS256", "c")
        ]
        const refused: Record<string, ReadonlyArray<object>> = {
          "a private key": [{ ...ec, d: ec.x }],
          "a secret": [{ kty: "oct", alg: "HS256", kid: "x", k: ec.x }],
          "a point that is not on the curve": [{ ...ec, y: ec.x }],
          "a short modulus": [{ ...rsa, n: rsa.n!.slice(0, 171) }],
          "a modulus that begins with nothing": [{ ...rsa, n: `AAAA${rsa.n!.slice(4)}` }],
          "a small exponent": [{ ...rsa, e: "Aw" }],
          "another curve": [{ ...ec, crv: "P-384", alg: "ES384" }],
          "an algorithm of another type": [{ ...ec, alg: "RS256" }],
          "no algorithm": [{ ...ec, alg: undefined }],
          "no name": [{ ...ec, kid: undefined }],
          "an address of certificates": [{ ...ec, x5u: "https://example.com" }],
          "keys for encryption": [{ ...ec, use: "enc" }],
          "two of a name": [ec, { ...ed, kid: "a" }],
          "six keys": Array.from({ length: 6 }, (_, index) => ({ ...ed, kid: `${index}` }))
        }
        for (const [name, keys] of Object.entries(refused)) {
          const { body, status } = yield* put(world, keys)
          assert.strictEqual(`${status} ${body.code}`, "400 INVALID_REQUEST", name)
        }
        const { body, status } = yield* put(world, [ec, ed, { ...rsa, use: "sig" }])
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.publicKeys, [ec, ed, { ...rsa, use: "sig" }])
      })
  )

  it.effect("are not given to a public client, and a client keeps one credential", () =>
    Effect.gen(function* () {
      const world = yield* withClient
      const { client, tenant } = world
      const app = {
        name: "App",
        scopes: [],
        kind: "PUBLIC",
        redirectUris: ["https://app.example/"]
      }
      const made = yield* call("/admin/clients", { tenant, token: client, body: app })
      const key = yield* jwk("ES256", "a")
      const onApp = yield* call(`/admin/clients/${made.body.clientId}/keys`, {
        tenant,
        token: client,
        method: "PUT",
        body: { keys: [key] }
      })
      assert.strictEqual(onApp.body.code, "TOO_MANY_SECRETS")
      const read = yield* call("/admin/clients/acme-crm", { tenant, token: client })
      const secret = `/admin/clients/acme-crm/secrets/${read.body.secrets[0].secretId}`
      const removal = call(secret, { tenant, token: client, method: "DELETE" })
      assert.strictEqual((yield* removal).body.code, "LAST_SECRET")
      yield* put(world, [key])
      assert.strictEqual((yield* removal).status, 204)
      assert.strictEqual((yield* put(world, [])).body.code, "LAST_SECRET")
    })
  )

  it.effect(
    "need what one needs to act as the client, leave a record, and answer a repetition",
    () =>
      Effect.gen(function* () {
        const world = yield* withClient
        const key = yield* jwk("ES256", "a")
        for (const token of [world.north, world.auditor, world.session]) {
          assert.strictEqual((yield* put(world, [key], { token })).status, 403)
        }
        const narrow = yield* world.withoutScopes("platform/admin")
        assert.strictEqual((yield* put(world, [key], { token: narrow })).status, 403)
        const once = { token: world.manager, headers: { "idempotency-key": "a-key-of-this-test" } }
        const [first, second] = [yield* put(world, [key], once), yield* put(world, [key], once)]
        assert.deepStrictEqual([first.status, second.text], [200, first.text])
        assert.strictEqual(second.header("idempotency-replayed"), "true")
        const sql = yield* SuperuserSql
        const rows = yield* sql<{ actorKind: string }>`
        SELECT actor_kind FROM audit
        WHERE tenant_id = ${world.tenant} AND action = 'client.keys.replace'
      `
        assert.deepStrictEqual(rows, [{ actorKind: "USER" }])
      })
  )
})
