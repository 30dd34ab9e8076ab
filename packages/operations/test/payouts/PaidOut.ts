/** A policy with a credit balance, an account that pays out, and an account of its customer. */
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import type { Authority } from "@quittance/domain/access/Authority"
import { CustomRoleId } from "@quittance/domain/access/Grant"
import type { RequestPayout } from "@quittance/domain/payouts/PayoutRequests"
import type { Action } from "@quittance/domain/requests/Action"
import type { Caller } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { byArea } from "@quittance/domain/access/Role"
import { Currency } from "@quittance/domain/values/Amount"
import type { InvoiceId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { Effect, Layer, Redacted } from "effect"
import { Roles } from "../../src/access/Roles.ts"
import { BankAccounts } from "../../src/payments/BankAccounts.ts"
import { PaymentMethods } from "../../src/payments/PaymentMethods.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Approvals } from "../../src/payouts/Approvals.ts"
import { Payouts } from "../../src/payouts/Payouts.ts"
import { Screening } from "../../src/payouts/Screening.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import { onTenant, person } from "../People.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

export const eur = Currency.make("EUR")

export const TestLayer = Layer.mergeAll(
  Approvals.layer,
  BankAccounts.layer,
  BankAccountsRepo.layer,
  PaymentMethods.layer,
  Payouts.layer,
  Reconciliation.layer,
  Roles.layer,
  Screening.layer
).pipe(Layer.provideMerge(Contracts.layer))

const iban = "FR7699999000010000000010106"

/** What an account of the tenant is like. */
const settings = {
  holder: { name: "Acme", address: { town: "Paris", country: "FR" } },
  iban: Redacted.make("FR7699999000010000000000115"),
  timeZone: TimeZone.make("Europe/Paris"),
  usage: ["PAY_OUT"],
  products: "ALL",
  channel: "NONE"
} as const

/** The customer's account, by the name of its holder. */
export const methodOf = (
  world: World.World,
  { customerId }: Pick<Contracts.Contract, "customerId">,
  holderName = "Camille Martin"
) =>
  World.as(
    world,
    world.manager
  )(
    PaymentMethods.use((methods) =>
      methods.add(customerId, { iban: Redacted.make(iban), holderName })
    )
  )

/** A policy that owes its customer 500, and an account that they have had for a month. */
export const make = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  const account = yield* World.as(
    world,
    world.manager
  )(BankAccounts.use((accounts) => accounts.put("payouts", settings)))
  const method = yield* methodOf(world, contract)
  yield* Contracts.moveTo(world, "2026-04-15T12:00:00Z")
  const [invoice] = yield* Contracts.invoices(world, contract)
  yield* World.as(
    world,
    world.manager
  )(
    Payments.use(({ record }) =>
      record(
        // The first invoice of a policy is an invoice.
        invoice!.id as InvoiceId,
        { amount: invoice!.amountDue + 500, method: "CARD", reference: "R" }
      )
    )
  )
  return { world, account, contract, method }
})

export type PaidOut = Effect.Success<typeof make>

/** Runs something in the name of a person. */
export const as = ({ world }: Pick<PaidOut, "world">, caller: Caller = world.manager) =>
  World.as(world, caller)

export const request = (
  made: PaidOut,
  {
    amount = 500,
    caller,
    to = made.method.id
  }: {
    readonly amount?: number
    readonly caller?: Caller
    readonly to?: PaymentMethodId
  } = {}
) => {
  const input: RequestPayout = { kind: "REFUND", amount, paymentMethodId: to }
  return as(made, caller)(Payouts.use((payouts) => payouts.request(made.contract.policyId, input)))
}

/** A person with a role of some actions and authority on the tenant. */
export const deskOf = Effect.fnUntraced(function* (
  made: PaidOut,
  name: string,
  actions: ReadonlyArray<Action>,
  authority: Authority
) {
  const id = CustomRoleId.make(name)
  yield* as(made)(
    Roles.use((roles) => roles.put(id, { name, actions: byArea(actions), authority }))
  )
  return yield* person(made.world, [{ role: id, on: onTenant }])
})

export const balance = ({ contract, world }: PaidOut) =>
  EntriesRepo.use((repo) => repo.sums([contract.policyId], "balance:")).pipe(
    Effect.map(([row]) => 0 - Number(row?.sum ?? 0n)),
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** The first difference in the books; absent where they agree. */
export const difference = ({ world }: PaidOut) =>
  Reconciliation.use(({ reconcile }) => reconcile).pipe(
    Effect.map((reconciled) => reconciled.difference),
    Effect.provideService(CurrentTenant, world.tenant)
  )
