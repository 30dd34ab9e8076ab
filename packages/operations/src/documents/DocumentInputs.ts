/** What a document is made of: what was known of its policy, and the invoice that it shows. */
import { toInvoice } from "@quittance/domain/billing/InvoiceView"
import type { Customer } from "@quittance/domain/customers/Customer"
import { toCustomer } from "@quittance/domain/customers/CustomerView"
import type { GeneratedDocument } from "@quittance/domain/documents/Document"
import { asIssued } from "@quittance/domain/documents/IssuedInvoice"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { AnyInvoiceId } from "@quittance/domain/values/Ids"
import type { ModelInput } from "@quittance/documents/model/Model"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"
import { AssetViews } from "../assets/AssetViews.ts"
import { CustomerViews } from "../customers/CustomerViews.ts"
import { PolicyReader } from "../policies/PolicyReader.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"

export class DocumentInputs extends Context.Service<
  DocumentInputs,
  {
    /** The same for the same document at any time: nothing recorded after `knownAt` is in it. */
    of(document: GeneratedDocument): Effect.Effect<ModelInput, never, CurrentTenant>
  }
>()("@quittance/operations/DocumentInputs") {
  static readonly layer = Layer.effect(
    DocumentInputs,
    Effect.gen(function* () {
      const assets = yield* AssetViews
      const customers = yield* CustomerViews
      const invoices = yield* InvoicesRepo
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader
      const tenants = yield* TenantsRepo

      const invoiceOf = Effect.fnUntraced(function* (id: AnyInvoiceId | undefined) {
        if (id === undefined) return {}
        const invoice = asIssued(toInvoice((yield* invoices.find(id))!))
        const { creditedInvoiceId } = invoice
        const credited =
          creditedInvoiceId === undefined ? undefined : yield* invoices.find(creditedInvoiceId)
        return credited === undefined
          ? { invoice }
          : { invoice, creditedNumber: toInvoice(credited).number }
      })

      const of = Effect.fn("DocumentInputs.of")(function* (document: GeneratedDocument) {
        const { branchId, customerId, definitionId: _, knownAt, policyId } = document
        const request = { policyId, branchId, knownAt }
        const view = yield* reader.readCovered(request)
        const { branchType } = view.branch
        const seen = yield* customers.of(view, request, everywhere)
        // A payer may have left the policy.
        const payers = yield* seen.some(({ id }) => id === customerId) || customerId === undefined
          ? Effect.succeed([])
          : customers.known([customerId], { coverage: everywhere, knownAt })
        const people = [...seen, ...payers.map((row) => toCustomer(row, undefined))]
        const tenant = yield* tenants.find(yield* CurrentTenant)
        const input: ModelInput = {
          definition: {
            kind: document.kind,
            title: document.title,
            source: { template: document.template.id, version: document.template.version }
          },
          trigger: document.trigger,
          at: document.effectiveAt,
          draft: branchType !== "BASE",
          tenant: tenant!,
          product: view.product,
          policy: yield* quotes.show({ ...view, branchType }),
          customers: holdersFirst(people),
          assets: yield* assets.of(view),
          ...(customerId === undefined ? {} : { customerId }),
          ...(yield* invoiceOf(document.invoiceId))
        }
        return input
      }, asJob)

      return DocumentInputs.of({ of })
    })
  ).pipe(
    Layer.provide([
      AssetViews.layer,
      CustomerViews.layer,
      InvoicesRepo.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer,
      TenantsRepo.layer
    ])
  )
}

/** A document shows all that its policy has: permission to ask for it was judged before. */
const everywhere = { _tag: "Tenant" } as const

/** Reads outside of a request: what a read of a policy tells its request is not used here. */
export const asJob = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, Exclude<R, CurrentRequest>> =>
  Effect.provideService(Effect.orDie(effect), CurrentRequest, {
    id: "documents",
    dryRun: false,
    address: "",
    userAgent: "",
    answer: { replayed: false }
  })

const holdersFirst = (
  customers: ReadonlyArray<Customer>
): readonly [Customer, ...ReadonlyArray<Customer>] => {
  const isHolder = ({ role }: Customer) => role === "POLICYHOLDER"
  const [first, ...others] = [
    ...customers.filter(isHolder),
    ...customers.filter((customer) => !isHolder(customer))
  ]
  // What is quoted or invoiced has its policyholder.
  return [first!, ...others]
}
