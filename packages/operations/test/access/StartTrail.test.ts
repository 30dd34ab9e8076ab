/** The audit trail of actions without a signed-in user: a tenant is made, a visitor comes. */
import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { AnonymousSessions } from "../../src/sessions/AnonymousSessions.ts"
import { OneTimeLinkKey } from "../../src/access/OneTimeLinkKey.ts"
import { OneTimeLinks } from "../../src/access/OneTimeLinks.ts"
import { Tenants } from "../../src/provisioning/Tenants.ts"
import { inSandbox, inTransaction, TestLayer } from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(
  AnonymousSessions.layer,
  OneTimeLinkKey.layer,
  OneTimeLinks.layer,
  Tenants.layer
).pipe(Layer.provide(ProductsRepo.layer), Layer.provideMerge(TestLayer))

const trail = Effect.fnUntraced(function* (requestId: string) {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, string>>>`
    SELECT actor_kind, actor_id, action, record_id, request_id, outcome FROM audit
    WHERE tenant_id = ${yield* CurrentTenant} AND request_id = ${requestId} ORDER BY recorded_at, id
  `
})

layer(Live, { excludeTestServices: true })("the trail", (it) => {
  it.effect("begins with the tenant and its clients, made by the operator", () =>
    Effect.gen(function* () {
      const tenant = sandboxTenant()
      const { clientId } = yield* Tenants.use((tenants) => tenants.create(tenant))
      yield* Effect.flip(Tenants.use((tenants) => tenants.create(tenant)))
      const rows = yield* Effect.provideService(trail("operator"), CurrentTenant, tenant.id)
      const by = {
        actorKind: "CLIENT",
        actorId: "quittance:operator",
        requestId: "operator",
        outcome: "DONE"
      }
      assert.deepStrictEqual(rows, [
        { ...by, action: "tenant.create", recordId: tenant.id },
        { ...by, action: "client.create", recordId: clientId },
        { ...by, action: "client.create", recordId: "quittance-cli" }
      ])
    })
  )

  it.effect("has the start of a session, with the invitation that it used up", () =>
    inSandbox(
      Effect.gen(function* () {
        const links = yield* OneTimeLinks
        const { id } = yield* inTransaction(
          links.make({
            purpose: "INVITATION",
            email: "ada@example.test",
            permissions: [],
            invitedBy: `${yield* CurrentTenant}-integration`,
            expires: { inSeconds: 3600 }
          })
        )
        const token = (yield* OneTimeLinkKey).token(yield* CurrentTenant, id)
        const start = (request: { readonly invitationToken?: string }) =>
          AnonymousSessions.use((sessions) => sessions.start(request, "192.0.2.7"))
        const inRequest = Effect.provideService(RequestId, "request-1")
        const invited = { invitationToken: Redacted.value(token) }
        const first = yield* inRequest(start({}))
        const second = yield* inRequest(start(invited))
        yield* Effect.flip(inRequest(start(invited)))
        const by = (actorId: string) => ({
          actorKind: "ANONYMOUS",
          actorId,
          requestId: "request-1",
          outcome: "DONE"
        })
        assert.deepStrictEqual(yield* trail("request-1"), [
          { ...by(first.sessionId), action: "session.start", recordId: first.sessionId },
          { ...by(second.sessionId), action: "session.start", recordId: second.sessionId },
          { ...by(second.sessionId), action: "invitation.accept", recordId: id }
        ])
      })
    )
  )
})
