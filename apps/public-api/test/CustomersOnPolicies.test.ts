/** One customer on several policies: put there, read, changed and taken off, by those who may. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, send, signed } from "./Sales.ts"

const driver = motor.fields.customer
  .filter(({ roles }) => roles === undefined || roles.includes("DRIVER"))
  .map(({ example, key }) => ({ key, value: example }))

/** A customer of one visitor's policy, and a second policy that is another visitor's. */
const twoPolicies = Effect.gen(function* () {
  const world = yield* newTenant
  const first = yield* prepared(world, world.session)
  const second = yield* prepared(world, world.stranger)
  return { world, first, second, customerId: first.customerId }
})

const request = (world: World, token: string, method: string, path: string, body?: unknown) =>
  call(path, { tenant: world.tenant, token, method, ...(body === undefined ? {} : { body }) })

const put = (
  world: World,
  customerId: string,
  policyId: string,
  body: unknown = { role: "DRIVER", customFields: driver },
  token = world.manager
) => request(world, token, "POST", `/customers/${customerId}/policies/${policyId}`, body)

const takeOff = (world: World, customerId: string, policyId: string, query = "") =>
  request(world, world.manager, "DELETE", `/customers/${customerId}/policies/${policyId}${query}`)

const codeOf = ({ body, status }: { readonly status: number; readonly body: any }) =>
  status < 400 ? status : body.code

layer(TestLayer, { excludeTestServices: true })("a customer on another policy", (it) => {
  it.effect("is added by callers who may write it and read the customer, and by no others", () =>
    Effect.gen(function* () {
      const { customerId, second, world } = yield* twoPolicies
      const other = yield* newTenant
      const refused = [
        [world.session, "FORBIDDEN"],
        // Owns the policy, but does not know the customer.
        [world.stranger, "FORBIDDEN"],
        [world.auditor, "FORBIDDEN"],
        [world.client, "USER_NOT_FOUND"]
      ] as const
      for (const [token, code] of refused) {
        const answer = yield* put(world, customerId, second.policyId, { role: "DRIVER" }, token)
        assert.strictEqual(codeOf(answer), code)
      }
      const abroad = yield* prepared(other, other.session)
      const foreign = put(world, abroad.customerId, second.policyId)
      assert.strictEqual(codeOf(yield* foreign), "CUSTOMER_NOT_FOUND")
      const elsewhere = put(world, customerId, abroad.policyId)
      assert.strictEqual(codeOf(yield* elsewhere), "POLICY_NOT_FOUND")
      const unknown = put(world, customerId, second.policyId, { role: "UNKNOWN" })
      assert.strictEqual(codeOf(yield* unknown), "INVALID_ROLE")
      assert.strictEqual(codeOf(yield* put(world, customerId, second.policyId)), 204)
      const again = yield* put(world, customerId, second.policyId)
      assert.strictEqual(codeOf(again), "CUSTOMER_ALREADY_ON_POLICY")
    })
  )

  it.effect(
    "has a role and fields on each, and is shown with policies that the caller may read only",
    () =>
      Effect.gen(function* () {
        const { customerId, first, second, world } = yield* twoPolicies
        yield* put(world, customerId, second.policyId)
        const read = (token: string, query = "") =>
          request(world, token, "GET", `/customers/${customerId}${query}`)
        const seen = (answer: { readonly body: any }) => [answer.body.policies, answer.body.role]
        const both = [first.policyId, second.policyId]
        assert.deepStrictEqual(seen(yield* read(world.manager)), [both, "POLICYHOLDER"])
        const onSecond = `?policyId=${second.policyId}`
        assert.deepStrictEqual(seen(yield* read(world.manager, onSecond)), [both, "DRIVER"])
        assert.deepStrictEqual(seen(yield* read(world.stranger)), [[second.policyId], "DRIVER"])
        assert.deepStrictEqual(seen(yield* read(world.session)), [[first.policyId], "POLICYHOLDER"])
        const hidden = yield* read(world.stranger, `?policyId=${first.policyId}`)
        assert.strictEqual(codeOf(hidden), "INVALID_REFERENCE")

        const list = Effect.fnUntraced(function* (token: string, query = "") {
          const { body } = yield* request(world, token, "GET", `/customers${query}`)
          return body.data
            .filter(({ id }: { readonly id: string }) => id === customerId)
            .map((customer: any) => [customer.policies, customer.role])
        })
        assert.deepStrictEqual(yield* list(world.manager), [[both, "POLICYHOLDER"]])
        assert.deepStrictEqual(yield* list(world.manager, onSecond), [[both, "DRIVER"]])
        assert.deepStrictEqual(yield* list(world.stranger), [[[second.policyId], "DRIVER"]])
        assert.deepStrictEqual(yield* list(world.stranger, `?policyId=${first.policyId}`), [])
        const policy = yield* send(world, world.manager, `/policies/${second.policyId}`)
        assert.deepStrictEqual(policy.body.customers, [second.customerId, customerId])
      })
  )

  it.effect("is changed on the policy that is named, and shared data only from the first", () =>
    Effect.gen(function* () {
      const { customerId, first, second, world } = yield* twoPolicies
      yield* put(world, customerId, second.policyId)
      const patch = (token: string, query: string, body: unknown) =>
        request(world, token, "PATCH", `/customers/${customerId}${query}`, body)
      const phone = (value: string) => ({ customFields: [{ key: "phone", value }] })
      yield* patch(world.manager, "", phone("+33100000001"))
      yield* patch(world.stranger, "", phone("+33100000002"))
      yield* patch(world.manager, `?policyId=${second.policyId}`, {
        role: "PAYER",
        customFields: [
          { key: "birthDate", value: null },
          { key: "licenceDate", value: null }
        ]
      })
      const fields = Effect.fnUntraced(function* (policyId: string) {
        const path = `/customers/${customerId}?policyId=${policyId}`
        const { body } = yield* send(world, world.manager, path)
        const field = body.customFields.find(({ key }: { key: string }) => key === "phone")
        return [body.role, field.value]
      })
      assert.deepStrictEqual(yield* fields(first.policyId), ["POLICYHOLDER", "+33100000001"])
      assert.deepStrictEqual(yield* fields(second.policyId), ["PAYER", "+33100000002"])
      // Who has come to know the customer through the second policy does not rename him.
      assert.strictEqual(codeOf(yield* patch(world.stranger, "", { name: "x" })), "FORBIDDEN")
      const confirm = request(world, world.stranger, "POST", `/customers/${customerId}/confirm`, {})
      assert.strictEqual(codeOf(yield* confirm), "FORBIDDEN")
      assert.strictEqual(codeOf(yield* patch(world.session, "", { name: "y" })), 200)
    })
  )

  it.effect("is taken off it again, and its history stays", () =>
    Effect.gen(function* () {
      const { customerId, first, second, world } = yield* twoPolicies
      yield* put(world, customerId, second.policyId)
      const dry = yield* takeOff(world, customerId, second.policyId, "?dryRun=true")
      assert.strictEqual(codeOf(dry), 204)
      assert.strictEqual(codeOf(yield* takeOff(world, customerId, second.policyId)), 204)
      const twice = yield* takeOff(world, customerId, second.policyId)
      assert.strictEqual(codeOf(twice), "CUSTOMER_NOT_FOUND")
      const read = (token: string) => request(world, token, "GET", `/customers/${customerId}`)
      assert.deepStrictEqual((yield* read(world.manager)).body.policies, [first.policyId])
      assert.strictEqual(codeOf(yield* read(world.stranger)), "FORBIDDEN")
      assert.strictEqual(codeOf(yield* put(world, customerId, second.policyId)), 204)
      assert.strictEqual(codeOf(yield* read(world.stranger)), 200)

      const changes = yield* send(world, world.manager, `/policies/${second.policyId}/changes`)
      const added = changes.body.data.find(({ patch }: { patch: Array<{ path: string }> }) =>
        patch.some(({ path }) => path === `/customers/${customerId}`)
      )
      const revert = `/policies/${second.policyId}/changes/${added.id}/revert`
      assert.strictEqual(codeOf(yield* request(world, world.manager, "POST", revert, {})), 200)
      assert.strictEqual(codeOf(yield* read(world.stranger)), "FORBIDDEN")
    })
  )

  it.effect("that is on no policy any more is shown on the whole tenant only", () =>
    Effect.gen(function* () {
      const { customerId, first, second, world } = yield* twoPolicies
      assert.strictEqual(codeOf(yield* takeOff(world, customerId, first.policyId)), 204)
      const path = `/customers/${customerId}`
      const { body } = yield* send(world, world.manager, path)
      assert.deepInclude(body, { policies: [], role: "" })
      assert.strictEqual(codeOf(yield* request(world, world.session, "GET", path)), "FORBIDDEN")
      const { body: listed } = yield* send(world, world.manager, "/customers")
      assert.include(
        listed.data.map(({ id }: { id: string }) => id),
        customerId
      )
      assert.strictEqual(codeOf(yield* put(world, customerId, second.policyId)), 204)
    })
  )

  it.effect("stays where a signed policy needs it", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { customerId, policyId } = yield* signed(world, world.manager)
      const needed = yield* takeOff(world, customerId, policyId)
      assert.strictEqual(needed.body.code, "CUSTOMER_NEEDED")
      const other = yield* prepared(world, world.manager)
      const payer = { role: "PAYER" }
      assert.strictEqual(codeOf(yield* put(world, other.customerId, policyId, payer)), 204)
      const priced = { role: "DRIVER", customFields: driver }
      const third = yield* prepared(world, world.manager)
      const risk = yield* put(world, third.customerId, policyId, priced)
      assert.strictEqual(codeOf(risk), "BRANCH_REQUIRED")
      assert.strictEqual(codeOf(yield* takeOff(world, other.customerId, policyId)), 204)
    })
  )

  it.effect("put on a branch is on the policy while the branch is open", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* signed(world, world.manager)
      const { customerId } = yield* prepared(world, world.manager)
      const branch = yield* send(world, world.manager, `/policies/${policyId}/branches`, {
        branchType: "MTA"
      })
      const path = `/customers/${customerId}/policies/${policyId}?branchId=${branch.body.id}`
      const body = { role: "DRIVER", customFields: driver }
      assert.strictEqual(codeOf(yield* request(world, world.manager, "POST", path, body)), 204)
      const policies = Effect.map(
        send(world, world.manager, `/customers/${customerId}`),
        ({ body }) => body.policies
      )
      assert.include(yield* policies, policyId)
      const phone = { key: "phone", value: "+33600000000" }
      // On the base branch they have no role yet: data about them there would be lost.
      const patched = (query: string) =>
        request(
          world,
          world.manager,
          "PATCH",
          `/customers/${customerId}?policyId=${policyId}${query}`,
          {
            customFields: [phone]
          }
        )
      assert.strictEqual(codeOf(yield* patched("")), "CUSTOMER_NOT_FOUND")
      assert.deepInclude((yield* patched(`&branchId=${branch.body.id}`)).body.customFields, phone)
      const end = `/branches/${branch.body.id}/invalidate`
      yield* send(world, world.manager, end, { reason: "CUSTOMER_REQUEST" })
      assert.notInclude(yield* policies, policyId)
    })
  )

  it.effect("keeps what two people change at once on two of its policies", () =>
    Effect.gen(function* () {
      const { customerId, first, second, world } = yield* twoPolicies
      yield* put(world, customerId, second.policyId)
      const patch = (policyId: string, body: unknown) =>
        request(
          world,
          world.manager,
          "PATCH",
          `/customers/${customerId}?policyId=${policyId}`,
          body
        )
      for (let round = 0; round < 20; round++) {
        const answers = yield* Effect.all(
          [
            patch(first.policyId, { name: `Name ${round}` }),
            patch(second.policyId, { email: `round-${round}@example.test` })
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(codeOf), [200, 200])
        const { body } = yield* send(world, world.manager, `/customers/${customerId}`)
        assert.deepInclude(body, { name: `Name ${round}`, email: `round-${round}@example.test` })
      }
      const puts = yield* Effect.all(
        [0, 1, 2].map(() => put(world, second.customerId, first.policyId)),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(puts.map(codeOf), [
        204,
        "CUSTOMER_ALREADY_ON_POLICY",
        "CUSTOMER_ALREADY_ON_POLICY"
      ])
    })
  )
})
