/**
 * What the permission matrix is played on: two tenants with a record of every kind, and for every
 * action people who have exactly it, all but it, and it elsewhere.
 */
import type { MatrixCaller, Route, Tenancy } from "@quittance/contract/api/PermissionMatrix"
import type { UserId } from "@quittance/domain/requests/Caller"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import { CustomRoleId, type Grant, type GrantTarget } from "@quittance/domain/access/Grant"
import { recentSignIn } from "@quittance/domain/requests/RecentSignIn"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Clock, ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { today } from "./MatrixFixture.ts"
import { areaFixtures } from "./MatrixFixtures.ts"
import { quoted, send, signed } from "./Sales.ts"
import { signInOf } from "./SignedIn.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type Action, actions } from "@quittance/domain/requests/Action"

/** A record of every kind, all sold by the tenant's one anonymous session: it owns each. */
const knownRecordsOf = Effect.fnUntraced(function* (world: World) {
  const owner = world.session
  const inForce = yield* signed(world, owner)
  const clock = { tenant: world.tenant, token: world.client, method: "PUT", body: { now: today } }
  yield* call("/admin/test-clock", clock)
  const later = { startedAt: "2026-06-01T00:00:00+02:00" }
  const draft = yield* quoted(world, owner, later)
  const confirmed = yield* quoted(world, owner, later)
  yield* send(world, owner, `/policies/${confirmed.policyId}/confirm`, {})
  const first = (path: string) =>
    Effect.map(send(world, owner, path), ({ body }) => String(body.data[0].id))
  const last = (path: string) =>
    Effect.map(send(world, owner, path), ({ body }) => String(body.data.at(-1).id))
  const invoicesPath = `/billing/policies/${inForce.policyId}/invoices`
  const invoiceId = yield* first(invoicesPath)
  return {
    policyId: draft.policyId,
    confirmedPolicyId: confirmed.policyId,
    signedPolicyId: inForce.policyId,
    ...(yield* contractsOf(world, inForce.policyId)),
    brokerageFirmId: yield* inTenant(world, firmNamed("South Brokers")),
    northFirmId: yield* inTenant(world, firmNamed("North Brokers")),
    invitationId: yield* invitationOf(world, draft.customerId),
    customerId: draft.customerId,
    signedCustomerId: inForce.customerId,
    assetId: draft.assetId,
    eventId: yield* first(`/policies/${inForce.policyId}/events`),
    quoteId: yield* first(`/quotes/policies/${draft.policyId}`),
    branchId: yield* first(`/policies/${draft.policyId}/branches`),
    invoiceId,
    unpaidInvoiceId: yield* last(invoicesPath),
    holdId: yield* holdOf(world, inForce.policyId),
    paymentId: yield* returnedPaymentOf(world, invoiceId),
    productId: yield* publishedBy(world),
    sharedProductId: motor.productId,
    ...(yield* clientsOf(world)),
    ...(yield* personOf(world)),
    roleId: yield* inTenant(world, addRole(`CLAIMS_${world.tenant.slice(-8).toUpperCase()}`))
  }
})

/** A user with a sign-in that can be ended. */
const personOf = Effect.fnUntraced(function* (world: World) {
  const userId = yield* inTenant(world, addUser([]))
  return { userId, signInId: (yield* signInOf(world.tenant, userId)).id }
})

/** A hold that can be lifted. */
const holdOf = Effect.fnUntraced(function* (world: World, policyId: string) {
  const path = `/billing/policies/${policyId}/holds`
  const from = "2026-06-01T00:00:00Z"
  const placed = yield* send(world, world.manager, path, { from, reason: "x" })
  return String(placed.body.id)
})

/** The oldest invoice of a policy, which was written off. */
const writtenOffOf = Effect.fnUntraced(function* (world: World, policyId: string) {
  const invoices = yield* send(world, world.manager, `/billing/policies/${policyId}/invoices`)
  const id = String(invoices.body.data.at(-1).id)
  yield* send(world, world.manager, `/billing/invoices/${id}/write-off`, { reason: "x" })
  return id
})

/** A payment that the bank returned. */
const returnedPaymentOf = Effect.fnUntraced(function* (world: World, invoiceId: string) {
  const money = { amount: 1, method: "CARD", reference: "r" }
  const paid = yield* send(world, world.manager, `/payments/invoices/${invoiceId}`, money)
  const paymentId = String(paid.body.id)
  yield* send(world, world.manager, `/payments/${paymentId}/return`, { reasonCode: "AM04" })
  return paymentId
})

/** Contracts in every state, and endorsements of one of them. */
const contractsOf = Effect.fnUntraced(function* (world: World, signedPolicyId: string) {
  const { manager, session: owner, tenant } = world
  const twoMonths = { periodDuration: { unit: "MONTH", amount: 2 } }
  const [renewing, stopping, stopped, suspended] = yield* Effect.all([
    signed(world, owner, twoMonths),
    // A visitor withdraws only what has not started.
    signed(world, owner, { startedAt: "2026-06-01T00:00:00+02:00" }),
    signed(world, owner),
    signed(world, owner)
  ])
  const soon = "?whenAt=2026-05-20T00:00:00Z"
  yield* send(world, owner, `/policies/${stopping.policyId}/stop${soon}`, { reason: "SALE" })
  yield* send(world, manager, `/policies/${stopped.policyId}/stop`, { reason: "SALE" })
  yield* send(world, manager, `/policies/${suspended.policyId}/suspend`, { reason: "GARAGED" })
  const path = `/policies/${signedPolicyId}`
  yield* call(path, { tenant, token: owner, method: "PATCH", body: { name: "x" } })
  const changes = yield* send(world, owner, `${path}/changes`)
  const endorsement = yield* send(world, owner, `${path}/branches`, { branchType: "MTA" })
  const offers = yield* send(world, owner, `/policies/${renewing.policyId}/branches`)
  const offer = offers.body.data.find(
    ({ branchType }: { branchType: string }) => branchType === "RENEWAL"
  )
  const variant = yield* send(world, owner, `/branches/${offer.id}/fork`, {})
  const variantId = String(variant.body.id)
  const { policyId: renewingId } = renewing
  yield* send(world, owner, `/policies/${renewingId}/quote?branchId=${variantId}`, {})
  yield* send(world, owner, `/policies/${renewingId}/confirm?branchId=${variantId}`, {})
  return {
    stoppingPolicyId: stopping.policyId,
    stoppedPolicyId: stopped.policyId,
    suspendedPolicyId: suspended.policyId,
    writtenOffInvoiceId: yield* writtenOffOf(world, suspended.policyId),
    changeId: String(changes.body.data[0].id),
    endorsementId: String(endorsement.body.id),
    variantId,
    renewingPolicyId: renewingId,
    renewalId: String(offer.id)
  }
})

/** An invitation to be a customer of the tenant. */
const invitationOf = Effect.fnUntraced(function* ({ client, tenant }: World, customerId: string) {
  const body = { email: `${randomUUID()}@example.test`, customerId }
  return String((yield* call("/invitations", { tenant, token: client, body })).body.id)
})

/** A client with one secret and one with two; of those there is one to delete. */
const clientsOf = Effect.fnUntraced(function* ({ client, tenant }: World) {
  const send = Effect.fnUntraced(function* (path: string, body: unknown) {
    const made = yield* call(`/admin/clients${path}`, { tenant, token: client, body })
    return made.body as Readonly<Record<string, string>>
  })
  const made = { name: "Matrix", scopes: [] }
  const { clientId: withRoom } = yield* send("", made)
  const { clientId } = yield* send("", made)
  const { secretId } = yield* send(`/${clientId}/secrets`, {})
  return { clientId: clientId!, secretId: secretId!, clientWithRoomId: withRoom! }
})

/** A product that no other tenant has. */
const publishedBy = Effect.fnUntraced(function* ({ client, tenant }: World) {
  const productId = `motor-${tenant}`
  const body = { ...motor, productId }
  yield* call(`/admin/products/${productId}`, { tenant, token: client, method: "PUT", body })
  return productId
})

const inTenant = <A, E, R>({ tenant }: World, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, CurrentTenant, tenant)

/** A role that no user has. */
const addRole = Effect.fnUntraced(function* (name: string) {
  const roles = yield* RolesRepo
  const sql = yield* TenantSql
  const id = CustomRoleId.make(name)
  yield* sql.transaction(roles.put({ id, name, actions: [] }))
  return id as string
})

export type KnownRecords = Effect.Success<ReturnType<typeof knownRecordsOf>>

/** These, and the records that single areas add. */
export type Records = KnownRecords & Readonly<Record<string, string>>

const recordsOf = Effect.fnUntraced(function* (world: World) {
  const known = yield* knownRecordsOf(world)
  const further = yield* Effect.forEach(areaFixtures, ({ recordsOf }) =>
    recordsOf === undefined ? Effect.succeed({}) : recordsOf(world, known)
  )
  const records: Records = Object.assign({ ...known }, ...further)
  return records
})

/** Another user with these grants at each call. */
const addUser = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant>) {
  const ids = yield* Ids
  const users = yield* UsersRepo
  const repo = yield* GrantsRepo
  const sql = yield* TenantSql
  const id = ids.next("user") as UserId
  const user = { id, email: `${randomUUID()}@example.test`, firstName: "Mo", lastName: "Test" }
  yield* sql.transaction(
    Effect.gen(function* () {
      yield* Effect.orDie(users.insert(user, Redacted.make("$argon2id$none")))
      for (const grant of grants) yield* repo.give(id, grant)
    })
  )
  return id
})

/** The token of a new user with these grants: each call makes another person. */
const person = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant>, secondsAgo = 0) {
  const issuer = yield* TokenIssuer
  const user = yield* addUser(grants)
  const at = Math.floor((yield* Clock.currentTimeMillis) / 1000) - secondsAgo
  const authentication = { at, methods: ["pwd"] }
  return yield* issuer.user(user, firstPartyClientId, randomUUID(), authentication)
})

// Object.keys forgets the literal types of a constant record.
const actionNames = Object.keys(actions) as ReadonlyArray<Action>
const roleName = (action: Action) => action.toUpperCase().replace(".", "_")
const without = (action: Action) => actionNames.filter((other) => other !== action)
const only = (action: Action) => CustomRoleId.make(`ONLY_${roleName(action)}`)
const allBut = (action: Action) => CustomRoleId.make(`ALL_BUT_${roleName(action)}`)

/** A brokerage firm that every test tenant has. */
const firmNamed = Effect.fnUntraced(function* (name: string) {
  const tenantSql = yield* TenantSql
  const sql = yield* SqlClient.SqlClient
  const [firm] = yield* tenantSql.read(sql<{ id: BrokerageFirmId }>`
    SELECT id FROM brokerage_firm WHERE name = ${name}
  `)
  return firm!.id
})

/** The records themselves, of a policy's customers, quotes and so on the policies. */
const onRecords = (records: Records): ReadonlyArray<GrantTarget> => [
  ...[
    records.policyId,
    records.confirmedPolicyId,
    records.signedPolicyId,
    records.stoppingPolicyId,
    records.stoppedPolicyId,
    records.suspendedPolicyId,
    records.renewingPolicyId,
    // The area of withdrawals makes it.
    records["withdrawablePolicyId"]!,
    // The area of signatures makes them.
    records["requestablePolicyId"]!,
    records["openPolicyId"]!,
    // The area of collections makes it.
    records["debitedPolicyId"]!,
    records.userId
  ].map((recordId) => ({ kind: "RECORD", recordId }) as const),
  { kind: "FIRM", brokerageFirmId: records.brokerageFirmId }
]

/** People around one action: with it alone, in one place or another, and with everything else. */
const peopleOf = Effect.fnUntraced(function* (action: Action, records: Records) {
  const repo = yield* RolesRepo
  const sql = yield* TenantSql
  const roles = [
    { id: only(action), name: "One action", actions: [action] },
    { id: allBut(action), name: "All but one", actions: without(action) }
  ]
  yield* sql.transaction(Effect.forEach(roles, repo.put))
  const onTenant = { kind: "TENANT" } as const
  const elsewhere = { kind: "FIRM", brokerageFirmId: yield* firmNamed("North Brokers") } as const
  const role = only(action)
  return {
    USER: yield* person([{ role, on: onTenant }]),
    USER_ON_RECORD: yield* person(onRecords(records).map((on) => ({ role, on }))),
    USER_ELSEWHERE: yield* person([{ role, on: elsewhere }]),
    USER_WITHOUT: yield* person([{ role: allBut(action), on: onTenant }]),
    USER_OF_LONG_AGO: yield* person([{ role, on: onTenant }], recentSignIn + 1)
  }
})

/** A clock that went two hours ago: what is issued by it has expired. */
const twoHoursAgo = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const millis = () => clock.currentTimeMillisUnsafe() - 7_200_000
    const earlier = { currentTimeMillisUnsafe: millis, currentTimeMillis: Effect.sync(millis) }
    // Object.create knows nothing of what it inherits: the rest of the clock.
    const slow = Object.assign(Object.create(clock) as Clock.Clock, earlier)
    return Effect.provideService(effect, Clock.Clock, slow)
  })

const Needed = Layer.provideMerge(
  Layer.mergeAll(GrantsRepo.layer, RefreshTokensRepo.layer, RolesRepo.layer),
  TestLayer
)

export type MatrixServices = Layer.Success<typeof Needed>

/** Two sessions are refused by every route that isn't for them: more than visitors ever are. */
const patience = ConfigProvider.layer(ConfigProvider.fromUnknown({ VISITOR_REFUSALS: "100000" }))

const make = Effect.gen(function* () {
  const [own, other] = [yield* newTenant, yield* newTenant]
  const inOwn = Effect.provideService(CurrentTenant, own.tenant)
  const context = yield* Effect.context<Layer.Success<typeof Needed>>()
  const records = { OWN: yield* recordsOf(own), FOREIGN: yield* recordsOf(other) }

  const issuer = yield* TokenIssuer
  const expired = yield* issuer.client("expired" as never, "").pipe(twoHoursAgo, inOwn)
  const stranger = yield* inOwn(person([]))
  const strangerOfLongAgo = yield* inOwn(person([], recentSignIn + 1))
  const people = new Map<Action, Effect.Success<ReturnType<typeof peopleOf>>>()
  const around = Effect.fnUntraced(function* (action: Action) {
    const known = people.get(action)
    if (known !== undefined) return known
    const made = yield* inOwn(peopleOf(action, records.OWN))
    people.set(action, made)
    return made
  })

  const token = Effect.fnUntraced(function* ({ permission, scope }: Route, caller: MatrixCaller) {
    switch (caller) {
      case "NO_TOKEN":
        return undefined
      case "MALFORMED":
        return "x.y.z"
      case "EXPIRED":
        return expired
      case "FOREIGN":
        return other.manager
      case "CLIENT_WITHOUT_SCOPE":
        return scope === "NONE" ? own.client : yield* own.withoutScopes(scope)
      case "CLIENT":
        return own.client
      case "OWNER":
        return own.session
      case "STRANGER":
        return own.stranger
      default:
        if (permission !== "NONE") return (yield* around(permission.action))[caller]
        return caller === "USER_OF_LONG_AGO" ? strangerOfLongAgo : stranger
    }
  })

  const tenants = {
    OWN: own.tenant,
    OTHER: other.tenant,
    UNKNOWN: "no-such-tenant",
    MALFORMED: "-",
    ABSENT: undefined
  } as const satisfies Record<Tenancy, string | undefined>

  return {
    own,
    tenants,
    records,
    token: (route: Route, caller: MatrixCaller) =>
      Effect.provideContext(token(route, caller), context)
  }
})

export class MatrixWorld extends Context.Service<MatrixWorld, Effect.Success<typeof make>>()(
  "@quittance/public-api/test/MatrixWorld"
) {
  static readonly layer = Layer.effect(MatrixWorld, Effect.orDie(make)).pipe(
    Layer.provideMerge(Needed),
    Layer.provide(patience)
  )
}
