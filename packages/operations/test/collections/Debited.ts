/** A tenant that collects by debit: a product, an account, and payers with mandates. */
import type { PutBankAccount } from "@quittance/domain/payments/BankAccountRequests"
import type { Product } from "@quittance/domain/products/Product"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { Effect, Layer, Redacted } from "effect"
import { Debits } from "../../src/collections/Debits.ts"
import { BankAccounts } from "../../src/payments/BankAccounts.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import { PaymentMethods } from "../../src/payments/PaymentMethods.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { Customers } from "../../src/customers/Customers.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

export const layerUseCases = Layer.mergeAll(
  BankAccounts.layer,
  Debits.layer,
  ManualCharges.layer,
  Mandates.layer,
  PaymentMethods.layer
)

export const layer = Layer.provideMerge(layerUseCases, Contracts.layer)

/** The same product, collected by debit. */
export const product: Product = {
  ...World.motor,
  productId: "motor-debited",
  payments: {
    modes: ["DIRECT_DEBIT", "BANK_TRANSFER"],
    directDebit: {
      schemes: ["CORE"],
      notificationDays: 14,
      announce: "INVOICE",
      retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
    }
  }
}

export const opened = (world: World.World, more: Partial<PutBankAccount> = {}) =>
  World.as(
    world,
    world.manager
  )(
    BankAccounts.use((accounts) =>
      accounts.put("collections", {
        holder: { name: "Acme Assurances", address: { town: "Paris", country: "FR" } },
        iban: Redacted.make("FR7699999000010000000000115"),
        creditorIdentifier: "FR72ZZZ123456",
        timeZone: TimeZone.make("Europe/Paris"),
        usage: ["COLLECT"],
        products: "ALL",
        ...more
      })
    )
  )

let references = 0

/** Lets the customer of a policy pay from an account, by a mandate that they have signed. */
export const withMandate = Effect.fnUntraced(function* (
  world: World.World,
  { customerId }: Pick<Contracts.Contract, "customerId">,
  iban = "FR7699999000010000000010106"
) {
  const run = World.as(world, world.manager)
  const method = yield* run(
    PaymentMethods.use((methods) =>
      methods.add(customerId, {
        iban: Redacted.make(iban),
        holderName: "Camille Martin"
      })
    )
  )
  yield* run(
    Customers.use((customers) =>
      customers.update({ customerId }, { preferredPaymentMethodId: method.id })
    )
  )
  const mandate = yield* run(
    Mandates.use((mandates) =>
      mandates.importSigned(method.id, {
        productId: product.productId,
        umr: `OLD-${++references}`,
        signedOn: LocalDate.make("2026-01-12"),
        evidence: "Box 12"
      })
    )
  )
  return { method, mandate }
})

/** A policy whose invoices are collected by debit, from the signature on. */
export const signed = Effect.fnUntraced(function* (
  world: World.World,
  {
    iban,
    ...signing
  }: Pick<Contracts.Signing, "customer" | "product" | "startedAt"> & {
    readonly iban?: string
  } = {}
) {
  const contract = yield* Contracts.confirmed(world, { product, ...signing })
  const { mandate, method } = yield* withMandate(world, contract, iban)
  yield* Contracts.sign(world, contract, { product, ...signing })
  return { ...contract, mandate, method }
})

/** The debits of a policy, the earliest first. */
export const debits = (world: World.World, { policyId }: Pick<Contracts.Contract, "policyId">) =>
  World.as(
    world,
    world.manager
  )(Debits.use((all) => all.list({ policyId }, { count: 100, page: 1 }))).pipe(
    Effect.map(({ data }) => [...data].reverse())
  )
