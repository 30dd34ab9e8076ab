/** A policy from its quote to its unpaid invoices and what follows from them, through the public interface alone. */
import { QuittanceClient } from "@quittance/contract/api/Client"
import { Effect, Redacted } from "effect"
import * as Money from "./terminal/Money.ts"
import * as Called from "./Demo/Called.ts"
import * as Heard from "./Demo/Heard.ts"
import { Narrator } from "./Demo/Narrator.ts"
import * as Papers from "./Demo/Papers.ts"
import * as Sale from "./Demo/Sale.ts"
import * as Unpaid from "./Demo/Unpaid.ts"
import * as Year from "./Demo/Year.ts"
import { Tokens } from "./Tokens.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Tells the story in a tenant of the sandbox at this address; fails at the first wrong figure. */
export const run = Effect.fn("Demo.run")(function* (baseUrl: string, tenant: TenantId) {
  const narrator = yield* Narrator
  const tokens = yield* Tokens
  const as = (token: string) =>
    QuittanceClient.make({ baseUrl, tenant, token: Redacted.make(token) })
  const clientOf = Effect.fnUntraced(function* (name: string) {
    const [id, secret] = [`${tenant}-${name}`, Redacted.make(`${tenant}-${name}-secret`)]
    return yield* as(yield* tokens.ofClient(tenant, { id, secret }))
  })
  const admin = yield* clientOf("admin")
  const { now } = yield* admin.testClocks.get()
  yield* narrator.fact("service", baseUrl)
  yield* narrator.fact("tenant", `${tenant}, where it is ${now}`)

  const open = yield* QuittanceClient.make({ baseUrl, tenant })
  const { product, startsAt } = yield* Sale.meet(open, now)
  const visitor = yield* as(yield* tokens.ofVisitor(tenant))
  const { policyId } = yield* Sale.apply(visitor, product, startsAt)
  const tier = yield* Sale.compare(visitor, product, policyId)
  const premium = yield* Sale.quote(visitor, product, policyId, tier.id)
  yield* Sale.sign(visitor, product, policyId)

  const sale = { product, policyId, startsAt, premium }
  yield* Year.plan(visitor, sale)
  const cashier = yield* clientOf("integration")
  const invoices = yield* Year.live(visitor, admin, cashier, sale)
  yield* Year.arrears(admin, yield* clientOf("billing"), sale, invoices)
  const end = yield* Unpaid.follow(visitor, admin, cashier, sale, invoices)
  const last = yield* Heard.hear(visitor, admin, sale)
  if (last !== undefined) yield* Called.call(admin, last)
  yield* Papers.leave(visitor, sale, { invoices, notices: end.notices })

  yield* narrator.chapter("That's it")
  yield* narrator.tell(
    `${Money.format(end.open, product.currency)} are still to be paid. It is now ${end.now} for ` +
      `${tenant}: from here on its clock only moves when it is told to.`
  )
  return end
})
