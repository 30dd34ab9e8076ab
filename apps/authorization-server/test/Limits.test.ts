/** Whom a limit of the token endpoint touches, and whom it leaves alone. */
import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const form = { grant_type: "client_credentials", scope: "platform/policies" }

/** A client of the same name in every tenant that it is added to. */
const name = ClientId.make("integ1")
const secretOf = (tenant: TenantId) => `secret-of-${tenant}`
const credentials = (tenant: TenantId) => Server.basic(name, secretOf(tenant))

const tenantWithClient = Effect.gen(function* () {
  const tenant = yield* Server.newTenant
  const clients = yield* ClientsRepo
  yield* Server.inTransaction(
    Effect.gen(function* () {
      yield* clients.insert({
        id: name,
        name,
        kind: "CONFIDENTIAL",
        internal: false,
        scopes: ["platform/policies"],
        grantTypes: ["client_credentials"],
        redirectUris: []
      })
      yield* clients.putSecret(name, 1, createHash("sha256").update(secretOf(tenant)).digest())
    })
  ).pipe(Server.as(tenant))
  return tenant
})

const statusOf = (tenant: TenantId, headers: Record<string, string>) =>
  Effect.map(Server.token(tenant, form, headers), ({ status }) => status)

const statusesOf = (count: number, ask: (turn: number) => ReturnType<typeof statusOf>) =>
  Effect.all(Array.from({ length: count }, (_, turn) => ask(turn)))

// Real time: windows are counted by the database's clock.
layer(Server.TestLayer, { excludeTestServices: true })("a limit of the token endpoint", (it) => {
  it.effect("RT-02 touches neither another client nor the client of that name elsewhere", () =>
    Effect.gen(function* () {
      const [acme, globex] = [yield* tenantWithClient, yield* tenantWithClient]
      const statuses = yield* statusesOf(61, () => statusOf(acme, credentials(acme)))
      assert.deepStrictEqual(statuses, [...Array<number>(60).fill(200), 429])
      assert.strictEqual(yield* statusOf(acme, Server.integration(acme)), 200)
      assert.strictEqual(yield* statusOf(globex, credentials(globex)), 200)
      assert.strictEqual(yield* statusOf(acme, credentials(acme)), 429)
    })
  )

  it.effect("RT-03 for wrong secrets locks out no client, however many are sent", () =>
    Effect.gen(function* () {
      const tenant = yield* tenantWithClient
      const wrong = (turn: number) => ({
        ...Server.basic(name, `wrong-${turn}`),
        "test-address": `192.0.2.${turn % 10}`
      })
      const statuses = yield* statusesOf(210, (turn) => statusOf(tenant, wrong(turn)))
      assert.deepStrictEqual(
        [401, 429].map((status) => statuses.filter((other) => other === status).length),
        [200, 10]
      )
      const from = (address: string) => ({ ...credentials(tenant), "test-address": address })
      assert.strictEqual(yield* statusOf(tenant, from("192.0.2.200")), 200)
      assert.strictEqual(yield* statusOf(tenant, from("192.0.2.1")), 429)
    })
  )

  it.effect("RT-03 takes one network of IPv6 for one address", () =>
    Effect.gen(function* () {
      const tenant = yield* tenantWithClient
      const from = (address: string, secret: string) =>
        statusOf(tenant, { ...Server.basic(name, secret), "test-address": address })
      const statuses = yield* statusesOf(21, (turn) => from(`2001:db8:1:2::${turn}`, "wrong"))
      assert.deepStrictEqual(statuses, [...Array<number>(20).fill(401), 429])
      assert.strictEqual(yield* from("2001:db8:1:3::1", secretOf(tenant)), 200)
    })
  )
})
