/** Writes on payment methods and mandates that succeed. */
import { Effect } from "effect"
import { call, type World } from "./Api.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { imported, recordsOf as mandatesOf } from "./matrix/mandates.ts"
import { account, recordsOf } from "./matrix/payment-methods.ts"
import { quoted, send } from "./Sales.ts"

export const paymentWrites = Effect.fnUntraced(function* (world: World) {
  const { manager, tenant } = world
  const collecting = "/admin/bank-accounts/main"
  yield* call(collecting, { tenant, token: manager, method: "PUT", body: bankAccount })
  const { customerId } = yield* quoted(world, world.session)
  const { paymentMethodId } = yield* recordsOf(world, { customerId })
  const toDisable = yield* recordsOf(world, { customerId })
  const { activeMandateId, mandateId } = yield* mandatesOf(world, { customerId })
  const { body: wording } = yield* send(world, manager, `/mandates/${mandateId}/text`)
  const signature = { consent: { textHash: wording.hash, accepted: true } }
  const write = (path: string, body: unknown = {}) => ({
    token: manager,
    method: "POST",
    path,
    body
  })
  const onMethod = `/mandates/payment-methods/${paymentMethodId}`
  return {
    "paymentMethods.add": write(`/payment-methods/customers/${customerId}`, account),
    "paymentMethods.disable": write(`/payment-methods/${toDisable.paymentMethodId}/disable`),
    "mandates.create": write(onMethod, { productId: "motor-fr", locale: "fr" }),
    "mandates.importSigned": write(`${onMethod}/import`, imported),
    "mandates.sign": write(`/mandates/${mandateId}/sign`, signature),
    "mandates.confirmBank": write(`/mandates/${yield* companyMandate(world)}/confirm-bank`, {
      evidence: "Letter"
    }),
    "mandates.amend": write(`/mandates/${activeMandateId}/amend`, { paymentMethodId }),
    "mandates.cancel": write(`/mandates/${activeMandateId}/cancel`)
  }
})

/** A B2B mandate that its debtor has signed. */
export const companyMandate = Effect.fnUntraced(function* (world: World) {
  const { manager, tenant } = world
  const { customerId } = yield* quoted(world, world.session)
  yield* call(`/customers/${customerId}`, {
    tenant,
    token: manager,
    method: "PATCH",
    body: { type: "COMPANY" }
  })
  const { paymentMethodId } = yield* recordsOf(world, { customerId })
  const made = yield* send(world, manager, `/mandates/payment-methods/${paymentMethodId}`, {
    productId: "motor-fr",
    scheme: "B2B",
    locale: "fr"
  })
  const mandate = `/mandates/${made.body.id}`
  const { body: wording } = yield* send(world, manager, `${mandate}/text`)
  yield* send(world, manager, `${mandate}/sign`, {
    consent: { textHash: wording.hash, accepted: true }
  })
  return String(made.body.id)
})
