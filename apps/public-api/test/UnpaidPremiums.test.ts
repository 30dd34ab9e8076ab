/** Two unpaid invoices, over HTTP and by the test clock: every step at the instant that the law names. */
import { assert, layer } from "@effect/vitest"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { send, signed } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Services = Layer.provideMerge(DunningRepo.layer, TestLayer)

const moveTo = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now: new Date(now).toISOString() }
  })

/** A monthly policy of a tenant whose notices go by the simulated post. */
const unpaid = Effect.fnUntraced(function* (startedAt: string) {
  const world = yield* newTenant
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  const { policyId } = yield* signed(world, world.session, { startedAt })
  return { world, policyId }
})

type Unpaid = Effect.Success<ReturnType<typeof unpaid>>

const policyOf = ({ policyId, world }: Unpaid) =>
  Effect.map(send(world, world.manager, `/policies/${policyId}`), ({ body }) => body)

/** The policy's status just before an instant and at it. */
const around = Effect.fnUntraced(function* (at: Unpaid, instant: string) {
  yield* moveTo(at.world, new Date(Date.parse(instant) - 1).toISOString())
  const before = yield* policyOf(at)
  yield* moveTo(at.world, instant)
  const after = yield* policyOf(at)
  return [before.status, after.status]
})

const noticesOf = Effect.fnUntraced(function* ({ policyId, world }: Unpaid) {
  const path = `/billing/policies/${policyId}/formal-notices?count=100`
  const { body } = yield* send(world, world.manager, path)
  return (body.data as ReadonlyArray<{ readonly sentAt: string; readonly suspendedAt: string }>)
    .toReversed()
    .map(({ sentAt, suspendedAt }) => [sentAt, suspendedAt])
})

const payAll = Effect.fnUntraced(function* ({ policyId, world }: Unpaid) {
  const path = `/billing/policies/${policyId}/invoices?count=100`
  const { body } = yield* send(world, world.manager, path)
  for (const { amountDue, id } of body.data) {
    const payment = { amount: amountDue, method: "BANK_TRANSFER", reference: "R" }
    if (amountDue > 0) yield* send(world, world.manager, `/payments/invoices/${id}`, payment)
  }
})

layer(Services, { excludeTestServices: true })("two unpaid invoices", (it) => {
  it.effect("stop cover over the change to summer time, and a payment brings it back at noon", () =>
    Effect.gen(function* () {
      // Due on 22 February: noticed on 5 March, without cover from 5 April.
      const at = yield* unpaid("2027-02-12T00:00:00+01:00")
      const suspended = yield* around(at, "2027-04-05T00:00:00+02:00")
      assert.deepStrictEqual(suspended, ["POLICY_STARTED", "POLICY_SUSPENDED"])
      assert.deepStrictEqual(yield* noticesOf(at), [
        ["2027-03-04T23:00:00.000Z", "2027-04-04T22:00:00.000Z"],
        ["2027-04-01T22:00:00.000Z", "2027-05-02T22:00:00.000Z"]
      ])
      assert.strictEqual((yield* policyOf(at)).suspendedAt, "2027-04-04T22:00:00.000Z")
      yield* moveTo(at.world, "2027-04-07T09:00:00+02:00")
      yield* payAll(at)
      const resumed = yield* around(at, "2027-04-08T12:00:00+02:00")
      assert.deepStrictEqual(resumed, ["POLICY_SUSPENDED", "POLICY_STARTED"])
      assert.strictEqual((yield* policyOf(at)).reactivatedAt, "2027-04-08T10:00:00.000Z")
    })
  )

  it.effect("bring cover back at noon of the day on which the clocks go back", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("2026-08-01T00:00:00+02:00")
      const suspended = yield* around(at, "2026-09-22T00:00:00+02:00")
      assert.deepStrictEqual(suspended, ["POLICY_STARTED", "POLICY_SUSPENDED"])
      yield* moveTo(at.world, "2026-10-24T22:00:00+02:00")
      yield* payAll(at)
      const resumed = yield* around(at, "2026-10-25T12:00:00+01:00")
      assert.deepStrictEqual(resumed, ["POLICY_SUSPENDED", "POLICY_STARTED"])
      const { reactivatedAt, suspendedAt } = yield* policyOf(at)
      assert.deepStrictEqual(
        [suspendedAt, reactivatedAt],
        ["2026-09-21T22:00:00.000Z", "2026-10-25T11:00:00.000Z"]
      )
    })
  )
})
