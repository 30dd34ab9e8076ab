/** Invitations over HTTP: who may make them, and what a link does, once. */
import { assert, layer } from "@effect/vitest"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { Effect, Layer, Redacted } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { quoted, send } from "./Sales.ts"

const linkOf = (tenant: string, id: string) =>
  OneTimeLinkKey.use((key) =>
    Effect.succeed(Redacted.value(key.token(tenant as World["tenant"], id as InvitationId)))
  )

const email = "camille@example.test"

/** An invitation to be the customer of a policy that a manager has opened. */
const invited = Effect.fnUntraced(function* (world: World, more: object = {}) {
  const { tenant } = world
  const sale = yield* quoted(world, world.manager)
  const { body } = yield* call("/invitations", {
    tenant,
    token: world.manager,
    body: { email, customerId: sale.customerId, ...more }
  })
  return { ...sale, id: String(body.id), link: yield* linkOf(tenant, body.id), body }
})

const accept = ({ tenant }: World, token: string, link: string, account?: object) =>
  call("/invitations/accept", {
    tenant,
    token,
    body: { token: link, ...(account === undefined ? {} : { account }) }
  })

const reads = ({ tenant }: World, token: string, policyId: string) =>
  Effect.map(call(`/policies/${policyId}`, { tenant, token }), ({ status }) => status)

const WithLinks = OneTimeLinkKey.layer.pipe(Layer.provideMerge(TestLayer))

// Real time: the database dates sessions by its own clock.
layer(WithLinks, { excludeTestServices: true })("invitations", (it) => {
  it.effect(
    "are refused without anything to give, for customers that are not there, and late",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { manager: token, tenant } = world
        const answer = Effect.fnUntraced(function* (body: object) {
          const { body: answered, status } = yield* call("/invitations", { tenant, token, body })
          return [status, answered.code]
        })
        assert.deepStrictEqual(yield* answer({ email }), [400, "INVALID_REQUEST"])
        assert.deepStrictEqual(yield* answer({ email, permissions: [] }), [400, "INVALID_REQUEST"])
        const customerId = "customer_test_346789ABCDEFGHJKLMNPQ"
        assert.deepStrictEqual(yield* answer({ email, customerId }), [422, "INVALID_REFERENCE"])
        const permissions = [{ role: "BROKER", on: { kind: "TENANT" } }]
        for (const expiresAt of ["2020-01-01T00:00:00Z", "2126-01-01T00:00:00Z"]) {
          const late = { email, permissions, expiresAt }
          assert.deepStrictEqual(yield* answer(late), [422, "INVALID_EFFECTIVE_DATE"])
        }
      })
  )

  it.effect("give nothing that the inviter does not have", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { north, tenant } = world
      const { customerId } = yield* quoted(world, world.manager)
      for (const body of [
        { email, permissions: [{ role: "TENANT_MANAGER", on: { kind: "TENANT" } }] },
        // Another policy's customer, whatever else is given.
        { email, customerId }
      ]) {
        const refused = yield* call("/invitations", { tenant, token: north, body })
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "FORBIDDEN"])
      }
    })
  )

  it.effect("of a client give nothing that its scopes do not allow", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant, withoutScopes } = world
      const token = yield* withoutScopes("platform/permissions")
      const invite = (role: string) =>
        call("/invitations", {
          tenant,
          token,
          body: { email, permissions: [{ role, on: { kind: "TENANT" } }] }
        })
      const refused = yield* invite("TENANT_MANAGER")
      assert.deepStrictEqual(
        [refused.status, refused.body.details],
        [403, { requiredScope: "platform/permissions" }]
      )
      assert.strictEqual((yield* invite("BROKER")).status, 201)
    })
  )

  it.effect("are seen by who made them and by managers, and tell no secret", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { body, id, link } = yield* invited(world)
      assert.deepInclude(body, { status: "PENDING", letter: { state: "WAITING" } })
      const listed = yield* send(world, world.manager, "/invitations")
      assert.strictEqual(listed.body.totalCount, 1)
      assert.deepStrictEqual(listed.body.data[0].letter, { state: "WAITING" })
      assert.notInclude(JSON.stringify([body, listed.body]), link)
      assert.strictEqual((yield* send(world, world.north, "/invitations")).body.totalCount, 0)
      const { north, tenant } = world
      const foreign = yield* call(`/invitations/${id}`, { tenant, token: north })
      assert.strictEqual(foreign.status, 403)
    })
  )

  it.effect("AN-04: a session that accepts ends, and another has its policies", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const own = yield* quoted(world, world.session)
      const { link, policyId } = yield* invited(world)
      const { body, status } = yield* accept(world, world.session, link)
      assert.strictEqual(status, 200)
      assert.strictEqual(yield* reads(world, body.accessToken, own.policyId), 200)
      assert.strictEqual(yield* reads(world, body.accessToken, policyId), 200)
      assert.strictEqual(yield* reads(world, world.session, own.policyId), 401)
      assert.strictEqual((yield* accept(world, world.session, link)).status, 401)
    })
  )

  it.effect("AN-05: a link works once, in its tenant, until it is withdrawn or has expired", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* newTenant, yield* newTenant]
      const refused = Effect.fnUntraced(function* (where: World, link: string) {
        const { body, status } = yield* accept(where, where.auditor, link)
        assert.deepStrictEqual([status, body.code], [404, "INVITATION_NOT_FOUND"])
        return JSON.stringify(body)
      })
      const used = yield* invited(world)
      const foreign = yield* refused(other, used.link)
      assert.strictEqual((yield* accept(world, world.north, used.link)).status, 200)
      const answers = [foreign, yield* refused(world, used.link)]
      const withdrawn = yield* invited(world)
      const path = `/invitations/${withdrawn.id}`
      const { manager: token, tenant } = world
      assert.strictEqual((yield* call(path, { tenant, token, method: "DELETE" })).status, 204)
      answers.push(yield* refused(world, withdrawn.link), yield* refused(world, "n".repeat(43)))
      // One answer for all of them.
      assert.lengthOf([...new Set(answers)], 1)
      const again = yield* call(`${path}/resend`, { tenant, token, body: {} })
      assert.deepStrictEqual([again.status, again.body.code], [409, "INVITATION_CLOSED"])
    })
  )

  it.effect("AN-05: a session of one customer does not become another's", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const [first, second] = [yield* invited(world), yield* invited(world)]
      const { body } = yield* accept(world, world.session, first.link)
      const linked = yield* accept(world, body.accessToken, second.link)
      assert.deepStrictEqual([linked.status, linked.body.code], [409, "SESSION_LINKED"])
      // What was refused is not used up.
      assert.strictEqual((yield* accept(world, world.stranger, second.link)).status, 200)
    })
  )

  it.effect("let a user do more, and a visitor become a user without losing anything", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { auditor, manager, session, tenant } = world
      const byUser = yield* invited(world)
      const accepted = yield* accept(world, auditor, byUser.link)
      assert.deepInclude(accepted.body.permissions, {
        role: "POLICYHOLDER",
        on: { kind: "RECORD", recordId: byUser.policyId }
      })
      const own = yield* quoted(world, session)
      const { link, policyId } = yield* invited(world, { firstName: "Camille", lastName: "Martin" })
      const weak = yield* accept(world, session, link, { password: "password1234" })
      assert.deepStrictEqual([weak.status, weak.body.code], [422, "WEAK_PASSWORD"])
      const account = { password: "a harbour with nine cranes" }
      const { body, status } = yield* accept(world, session, link, account)
      assert.strictEqual(status, 200)
      assert.notInclude(JSON.stringify(body), account.password)
      const user = yield* call(`/admin/users/${body.userId}`, { tenant, token: manager })
      assert.deepInclude(user.body, { email, firstName: "Camille", status: "ACTIVE" })
      assert.sameMembers(
        body.permissions.map(({ on }: { on: { recordId: string } }) => on.recordId),
        [own.policyId, policyId]
      )
      assert.strictEqual(yield* reads(world, session, own.policyId), 401)
    })
  )

  it.effect("limit wrong links by the address that tries them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      for (let round = 0; round < 20; round++) yield* accept(world, world.auditor, "n".repeat(43))
      const { header, status } = yield* accept(world, world.auditor, "n".repeat(43))
      assert.strictEqual(status, 429)
      assert.isAbove(Number(header("retry-after")), 0)
    })
  )
})
