import { Effect } from "effect"
import { call, motor, type World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { quoted, send, signature } from "../Sales.ts"
import { bankAccount } from "./bank-accounts.ts"
import { imported } from "./mandates.ts"
import { account } from "./payment-methods.ts"

export const fixtures: Fixtures = {
  "debits.notify": { ...dryRun, body: {} },
  "debits.postpone": { ...dryRun, body: { collectOn: "2027-01-04" } },
  "debits.cancel": { ...dryRun, body: {} }
}

const payments = {
  modes: ["DIRECT_DEBIT", "BANK_TRANSFER"],
  directDebit: {
    schemes: ["CORE"],
    notificationDays: 14,
    announce: "INVOICE",
    retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
  }
}

/** A debit of a policy that the tenant's anonymous session has bought. */
export const recordsOf = Effect.fnUntraced(function* (world: World) {
  const { client: token, manager, session, tenant } = world
  const put = (path: string, body: unknown) => call(path, { tenant, token, method: "PUT", body })
  const name = `of-${tenant}`.slice(0, 40)
  yield* put(`/admin/bank-accounts/${name}`, bankAccount)
  const productId = `debited-${tenant}`
  yield* put(`/admin/products/${productId}`, { ...motor, productId, payments })
  const { customerId, policyId } = yield* quoted(world, session, { productId })
  const { body: method } = yield* send(
    world,
    manager,
    `/payment-methods/customers/${customerId}`,
    account
  )
  yield* call(`/customers/${customerId}`, {
    tenant,
    token: session,
    method: "PATCH",
    body: { preferredPaymentMethodId: method.id }
  })
  yield* send(world, manager, `/mandates/payment-methods/${method.id}/import`, {
    ...imported,
    productId,
    umr: "OLD-2024-000003"
  })
  yield* send(world, session, `/policies/${policyId}/confirm`, {})
  yield* send(world, session, `/policies/${policyId}/sign`, signature)
  const { body } = yield* send(world, manager, `/debits?policyId=${policyId}`)
  return { debitId: String(body.data[0].id), debitedPolicyId: policyId }
})
