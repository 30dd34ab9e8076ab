/** Every write of the contract, done once over HTTP, and the row that it leaves in the audit trail. */
import { assert, layer } from "@effect/vitest"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { InvitationId } from "@quittance/domain/access/Invitation"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { idOf, signInOf } from "./SignedIn.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { found as registration } from "./matrix/compliance.ts"
import { collectionWrites } from "./CollectionWrites.ts"
import { complianceWrites } from "./ComplianceWrites.ts"
import { documentWrites } from "./DocumentWrites.ts"
import { signatureWrites } from "./SignatureWrites.ts"
import { templateWrites } from "./TemplateWrites.ts"
import { paymentWrites } from "./PaymentWrites.ts"
import { payoutWrites } from "./PayoutWrites.ts"
import { erasureWrites } from "./ErasureWrites.ts"
import { privacyWrites } from "./PrivacyWrites.ts"
import { treasuryWrites } from "./TreasuryWrites.ts"
import { withdrawalWrites } from "./WithdrawalWrites.ts"
import { webhookWrites } from "./WebhookWrites.ts"
import { fleet, prepared, quoted, risk, send, signature, signed } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What changes nothing that is kept, and so leaves no row. */
const leavingNothing = new Set([
  "policies.calculateQuote",
  "quotes.preview",
  "webhooks.test",
  "documentTemplates.preview"
])

interface Done {
  readonly token: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const post = (token: string, path: string, body: unknown = {}): Done => ({
  token,
  method: "POST",
  path,
  body
})
const patch = (token: string, path: string, body: unknown): Done => ({
  token,
  method: "PATCH",
  path,
  body
})
const put = (token: string, path: string, body: unknown): Done => ({
  token,
  method: "PUT",
  path,
  body
})
const remove = (token: string, path: string): Done => ({ token, method: "DELETE", path })

/** The first invoice of a policy, as if it had not been issued yet. */
const draftOf = Effect.fnUntraced(function* ({ policyId }: { readonly policyId: string }) {
  const sql = yield* SuperuserSql
  const [draft] = yield* sql<{ readonly id: string }>`
    UPDATE invoice SET status = 'DRAFTED' WHERE policy_id = ${policyId} RETURNING id
  `
  return draft!.id
})

/** A policy as the worker leaves it that can't bill it. */
const parkedOf = Effect.fnUntraced(function* ({ policyId }: { readonly policyId: string }) {
  const sql = yield* SuperuserSql
  yield* sql`
    INSERT INTO parked (tenant_id, policy_id, reason, at)
    SELECT tenant_id, id, 'x', clock_timestamp() FROM policy WHERE id = ${policyId}
  `
  return policyId
})

/** A policy in force with an invoice, and others on their way there. */
const policiesOf = Effect.fnUntraced(function* (world: World) {
  const { client, session, tenant } = world
  const inForce = yield* signed(world, session)
  const unpaid = yield* signed(world, session)
  const body = { now: "2026-04-02T09:00:00Z" }
  yield* call("/admin/test-clock", { tenant, token: client, method: "PUT", body })
  const later = { startedAt: "2026-06-01T00:00:00+02:00" }
  const confirmedOne = Effect.gen(function* () {
    const { policyId } = yield* quoted(world, session, later)
    yield* send(world, session, `/policies/${policyId}/confirm`, {})
    return policyId
  })
  const invoices = yield* send(world, session, `/billing/policies/${inForce.policyId}/invoices`)
  const invoiceId = String(invoices.body.data[0].id)
  const money = { amount: 1, method: "CARD", reference: "r" }
  const toWriteOff = yield* signed(world, session)
  const drafted = yield* signed(world, session)
  const given = yield* send(world, session, `/billing/policies/${toWriteOff.policyId}/invoices`)
  const { amountDue } = invoices.body.data[0]
  const paid = yield* send(world, world.manager, `/payments/invoices/${invoiceId}`, money)
  const path = `/billing/policies/${unpaid.policyId}`
  const owed = yield* send(world, session, `${path}/invoices`)
  const hold = yield* send(world, world.manager, `${path}/holds`, { reason: "x" })
  yield* send(world, world.manager, `/payments/invoices/${invoiceId}`, {
    ...money,
    amount: amountDue + 1
  })
  return {
    dunningPath: path,
    holdId: String(hold.body.id),
    unpaidInvoiceId: String(owed.body.data[0].id),
    payerCustomerId: unpaid.customerId,
    paymentId: String(paid.body.id),
    creditorId: inForce.policyId,
    owedId: String(given.body.data[0].id),
    draftId: yield* draftOf(drafted),
    parkedId: yield* parkedOf(drafted),
    invoiceId,
    quotedId: (yield* quoted(world, session, later)).policyId,
    toSignId: yield* confirmedOne,
    toReopenId: yield* confirmedOne,
    fresh: yield* prepared(world, session, later)
  }
})

const person = () => ({ email: `${randomUUID()}@example.test`, firstName: "Mo", lastName: "Test" })

const invitation = () => ({
  email: `${randomUUID()}@example.test`,
  permissions: [{ role: "AUDITOR", on: { kind: "TENANT" } }]
})

/** Firms, people, clients, invitations and a role that are there to be changed and removed. */
const peopleOf = Effect.fnUntraced(function* (world: World) {
  const { client, manager, tenant } = world
  const made = (key: string, token: string, path: string, body: unknown = {}) =>
    Effect.map(send(world, token, path, body), ({ body }) => String(body[key]))
  const newUser = Effect.suspend(() => made("id", client, "/admin/users", person()))
  const newClient = made("clientId", client, "/admin/clients", { name: "x", scopes: [] })
  const newInvitation = Effect.suspend(() => made("id", manager, "/invitations", invitation()))
  const disabledId = yield* newUser
  yield* send(world, client, `/admin/users/${disabledId}/disable`, {})
  const removedClientId = yield* newClient
  const role = { tenant, token: manager, method: "PUT", body: { name: "x", actions: {} } }
  yield* call("/permissions/roles/GONE", role)
  const keys = yield* OneTimeLinkKey
  const firm = { name: "North", firmType: "RETAIL" }
  const south = yield* idOf(tenant, "south")
  const signIn = signInOf(tenant, south)
  return {
    signedIn: `/admin/users/${south}`,
    signIns: yield* Effect.all([signIn, signIn, signIn]),
    firmId: yield* made("id", client, "/brokerage-firms", firm),
    userId: yield* newUser,
    disabledId,
    clientId: yield* newClient,
    removedClientId,
    secretId: yield* made("secretId", client, `/admin/clients/${removedClientId}/secrets`),
    invitationId: yield* newInvitation,
    revokedId: yield* newInvitation,
    link: Redacted.value(keys.token(tenant, InvitationId.make(yield* newInvitation)))
  }
})

/** The steps of a contract and of its endorsements, in an order in which each succeeds. */
const contractsOf = Effect.fnUntraced(function* (world: World) {
  const { manager } = world
  const { policyId } = yield* signed(world, manager)
  const path = `/policies/${policyId}`
  const branch = { branchType: "MTA" }
  const made = Effect.map(send(world, manager, `${path}/branches`, branch), ({ body }) =>
    String(body.id)
  )
  const [toMerge, toGiveUp] = [yield* made, yield* made]
  yield* call(path, { tenant: world.tenant, token: manager, method: "PATCH", body: { name: "x" } })
  const { body } = yield* send(world, manager, `${path}/changes`)
  const changeId = String(body.data[0].id)
  const stopped = yield* signed(world, manager)
  yield* send(world, manager, `/policies/${stopped.policyId}/stop`, { reason: "SALE" })
  const twoMonths = { periodDuration: { unit: "MONTH", amount: 2 } }
  const renewing = yield* signed(world, manager, twoMonths)
  const offers = yield* send(world, manager, `/policies/${renewing.policyId}/branches`)
  const offer = offers.body.data.find(
    ({ branchType }: { branchType: string }) => branchType === "RENEWAL"
  )
  const variant = yield* send(world, manager, `/branches/${offer.id}/fork`, {})
  const unsigned = String(variant.body.id)
  const renewingPath = `/policies/${renewing.policyId}`
  yield* send(world, manager, `${renewingPath}/quote?branchId=${unsigned}`, {})
  yield* send(world, manager, `${renewingPath}/confirm?branchId=${unsigned}`, {})
  const soon = "?whenAt=2026-04-20T00:00:00Z"
  return {
    "branches.open": post(manager, `${path}/branches`, branch),
    "branches.fork": post(manager, `/branches/${toGiveUp}/fork`),
    "branches.invalidate": post(manager, `/branches/${toGiveUp}/invalidate`, {
      reason: "CUSTOMER_REQUEST"
    }),
    "branches.rebase": post(manager, `/branches/${toMerge}/rebase`, { resolutions: [] }),
    "policyLifecycle.revert": post(manager, `${path}/changes/${changeId}/revert`),
    "policyLifecycle.suspend": post(manager, `${path}/suspend`, { reason: "GARAGED" }),
    "policyLifecycle.reactivate": post(manager, `${path}/reactivate`),
    "policyLifecycle.stop": post(manager, `${path}/stop${soon}`, { reason: "SALE" }),
    "policyLifecycle.withdrawStop": remove(manager, `${path}/stop`),
    "policyLifecycle.reinstate": post(manager, `/policies/${stopped.policyId}/reinstate`, {
      gap: "COVERED"
    }),
    "branches.accept": post(manager, `/branches/${offer.id}/accept`),
    "branches.merge": post(manager, `/branches/${unsigned}/merge`)
  }
})

/** The same for what is recorded of unpaid premiums, a month later. */
const dunningOf = ({ token, ...there }: OnDunning) => {
  const { dunningPath, holdId, payerCustomerId, unpaidInvoiceId } = there
  return {
    "dunning.recordNotice": post(token, `${dunningPath}/formal-notices`, {
      invoiceIds: [unpaidInvoiceId],
      payerCustomerId,
      sentAt: "2026-05-02T09:00:00Z",
      channel: "LETTER",
      evidence: { carrier: "x", reference: "x" }
    }),
    "dunning.placeHold": post(token, `${dunningPath}/holds`, { reason: "x" }),
    "dunning.liftHold": remove(token, `${dunningPath}/holds/${holdId}`)
  }
}
type OnDunning = Readonly<
  Record<"dunningPath" | "holdId" | "payerCustomerId" | "token" | "unpaidInvoiceId", string>
>

/** For each write on policies and what hangs on them a request that succeeds. */
const salesOf = Effect.fnUntraced(function* (world: World) {
  const { manager, session } = world
  const { fresh, quotedId, toReopenId, toSignId, ...inForce } = yield* policiesOf(world)
  const { creditorId, draftId, invoiceId, owedId, parkedId, paymentId } = inForce
  const { assetId, customerId, policyId } = fresh
  const payment = { amount: 1, method: "CARD", reference: "r" }
  const charge = { componentId: "COPY", label: "Copy", amount: 1 }
  return {
    "policies.create": post(session, "/policies", { productId: "motor-fr" }),
    "policies.update": patch(session, `/policies/${quotedId}`, { name: "x" }),
    "policies.calculateQuote": post(session, `/policies/${quotedId}/calculate-quote`),
    "policies.quote": post(session, `/policies/${quotedId}/quote`),
    "policies.confirm": post(session, `/policies/${quotedId}/confirm`),
    "policies.reopen": post(session, `/policies/${toReopenId}/reopen`),
    "policies.sign": post(session, `/policies/${toSignId}/sign`, signature),
    ...(yield* contractsOf(world)),
    "customers.addToPolicy": post(session, `/customers/policies/${policyId}`, { role: "DRIVER" }),
    "customers.putOnPolicy": post(manager, `/customers/${customerId}/policies/${quotedId}`, {
      role: "PAYER"
    }),
    "customers.takeOffPolicy": remove(manager, `/customers/${customerId}/policies/${quotedId}`),
    "customers.update": patch(session, `/customers/${customerId}`, { name: "x" }),
    "customers.confirm": post(session, `/customers/${customerId}/confirm`),
    "assets.addToPolicy": post(session, `/assets/policies/${policyId}`, { customFields: [] }),
    "assets.update": patch(session, `/assets/${assetId}`, { name: "x" }),
    "assets.importCsv": {
      ...post(session, `/assets/policies/${policyId}/import`, fleet),
      headers: { "content-type": "text/csv" }
    },
    "assets.stop": post(session, `/assets/${assetId}/stop`),
    "assets.remove": remove(session, `/assets/${assetId}`),
    "quotes.preview": post(session, "/quotes/preview", risk),
    "payments.record": post(manager, `/payments/invoices/${invoiceId}`, payment),
    "billing.charge": post(manager, `/billing/policies/${creditorId}/charges`, charge),
    "billing.retryParked": post(manager, `/billing/parked/${parkedId}/retry`),
    "billing.writeOff": post(manager, `/billing/invoices/${owedId}/write-off`, { reason: "x" }),
    "billing.reverseWriteOff": post(manager, `/billing/invoices/${owedId}/reverse-write-off`, {
      reason: "x"
    }),
    "billing.credit": post(manager, `/billing/invoices/${invoiceId}/credit`, { reason: "x" }),
    "billing.cancel": post(manager, `/billing/invoices/${draftId}/cancel`, { reason: "x" }),
    "payments.recordRefund": post(manager, `/payments/policies/${creditorId}/refunds`, payment),
    "payments.recordReturn": post(manager, `/payments/${paymentId}/return`, {
      reasonCode: "AM04",
      fee: 1
    }),
    "testClocks.move": put(world.client, "/admin/test-clock", { now: "2026-05-03T09:00:00Z" }),
    ...dunningOf({ token: manager, ...inForce })
  }
})

/** The same for all others. */
const administrationOf = Effect.fnUntraced(function* (world: World) {
  const { client, manager, north } = world
  const there = yield* peopleOf(world)
  const user = `/admin/users/${there.userId}`
  const { permissions } = invitation()
  const product = { ...motor, version: "again" }
  const role = { name: "Claims", actions: { policy: ["read"] } }
  const removed = `/admin/clients/${there.removedClientId}`
  return {
    "firms.create": post(client, "/brokerage-firms", { name: "x", firmType: "RETAIL" }),
    "firmRegistrations.put": put(
      manager,
      `/brokerage-firms/${there.firmId}/registration`,
      registration
    ),
    "firms.update": patch(manager, `/brokerage-firms/${there.firmId}`, { name: "y" }),
    "users.create": post(client, "/admin/users", person()),
    "users.update": patch(client, user, { firstName: "Ada" }),
    "users.disable": post(client, `${user}/disable`),
    "users.enable": post(client, `/admin/users/${there.disabledId}/enable`),
    "users.resetSecondFactor": post(client, `${user}/reset-second-factor`),
    "users.endSignIn": remove(client, `${there.signedIn}/sign-ins/${there.signIns[1].id}`),
    "account.endSignIn": remove(there.signIns[0].token, `/account/sign-ins/${there.signIns[2].id}`),
    "account.changePassword": post(there.signIns[0].token, "/account/password", {
      presentPassword: "sandbox-password",
      newPassword: "a harbour with nine cranes"
    }),
    "clients.create": post(client, "/admin/clients", { name: "x", scopes: [] }),
    "clients.addSecret": post(client, `/admin/clients/${there.clientId}/secrets`),
    "clients.putKeys": put(client, `/admin/clients/${there.clientId}/keys`, { keys: [] }),
    "clients.removeSecret": remove(client, `${removed}/secrets/${there.secretId}`),
    "clients.remove": remove(client, removed),
    "invitations.create": post(manager, "/invitations", invitation()),
    "invitations.revoke": remove(manager, `/invitations/${there.revokedId}`),
    "invitations.resend": post(manager, `/invitations/${there.invitationId}/resend`),
    "invitations.accept": post(north, "/invitations/accept", { token: there.link }),
    "permissions.putRole": put(manager, "/permissions/roles/CLAIMS", role),
    "permissions.removeRole": remove(manager, "/permissions/roles/GONE"),
    "permissions.replace": put(manager, `${user}/permissions`, { permissions }),
    "bankAccounts.put": put(manager, "/admin/bank-accounts/main", bankAccount),
    "products.publish": put(client, `/admin/products/${motor.productId}`, product)
  }
})

interface Row {
  readonly actorId: string
  readonly outcome: string
  readonly hasDigest: boolean
}

const rowsOf = Effect.fnUntraced(function* (requestId: string) {
  const sql = yield* SuperuserSql
  return yield* sql<Row>`
    SELECT actor_id, outcome, detail ? 'before' OR detail ? 'after' AS has_digest FROM audit
    WHERE tenant_id = ${yield* CurrentTenant} AND request_id = ${requestId}
  `
})

const TestLayerWithLinks = Layer.provideMerge(
  Layer.merge(OneTimeLinkKey.layer, RefreshTokensRepo.layer),
  TestLayer
)

layer(TestLayerWithLinks, { excludeTestServices: true })("every write of the contract", (it) => {
  it.effect("is on record with its caller, and digests of what it changed", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const made: Readonly<Record<string, Done>> = {
        // Before the clock is moved on, which ends the time for an answer.
        ...templateWrites(world),
        ...(yield* privacyWrites(world)),
        ...(yield* erasureWrites(world)),
        ...(yield* salesOf(world)),
        ...(yield* administrationOf(world)),
        ...(yield* webhookWrites(world)),
        ...(yield* documentWrites(world)),
        ...(yield* complianceWrites(world)),
        ...(yield* paymentWrites(world)),
        ...(yield* treasuryWrites(world)),
        ...(yield* payoutWrites(world)),
        ...(yield* collectionWrites(world)),
        ...(yield* withdrawalWrites(world)),
        ...(yield* signatureWrites(world))
      }
      // Before the clock is moved on, too, which puts them into files.
      const planned = Object.entries(made).filter(([route]) => route.startsWith("debits."))
      const done = { ...Object.fromEntries(planned), ...made }
      const routes = routesOf(PublicApi).filter(({ method }) => method !== "GET")
      const names = routes.map(({ id }) => id)
      assert.sameMembers(Object.keys(done), names, "add a request that succeeds to this test")

      const wrong: Array<string> = []
      for (const [route, { token, ...request }] of Object.entries(done)) {
        const account = yield* call("/account", { tenant, token })
        const requestId = randomUUID()
        const headers = { "x-request-id": requestId, ...request.headers }
        const { body, status } = yield* call(request.path, { ...request, tenant, token, headers })
        if (status >= 300) wrong.push(`${route}: ${status} ${JSON.stringify(body)}`)
        const rows = yield* Effect.provideService(rowsOf(requestId), CurrentTenant, tenant)
        const expected = { actorId: account.body.id, outcome: "DONE", hasDigest: true }
        const left = JSON.stringify([...new Set(rows.map((row) => JSON.stringify(row)))])
        const wanted = leavingNothing.has(route) ? [] : [JSON.stringify(expected)]
        if (left !== JSON.stringify(wanted)) wrong.push(`${route} left ${left}, not ${wanted}`)
      }
      assert.deepStrictEqual(wrong, [])
    })
  )
})
