/** What a document is made of: what was known of its policy, and the invoice or notice that it shows. */
import type { Customer } from "@quittance/domain/customers/Customer"
import { toCustomer } from "@quittance/domain/customers/CustomerView"
import type { Document } from "@quittance/domain/documents/Document"
import type { DocumentAbout } from "@quittance/domain/documents/DocumentAbout"
import type { DocumentTrigger } from "@quittance/domain/products/documents/DocumentDefinition"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { lastDayBefore, type ModelInput } from "@quittance/documents/model/Model"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"
import { AssetViews } from "../assets/AssetViews.ts"
import { CustomerViews } from "../customers/CustomerViews.ts"
import { PolicyReader, type PolicyView } from "../policies/PolicyReader.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { BilledInputs } from "./BilledInputs.ts"
import { EndorsementInputs } from "./EndorsementInputs.ts"

/** A document that is made of data, with all that says of which. */
export interface DocumentSource extends Pick<
  Document,
  "assetId" | "customerId" | "invoiceId" | "kind" | "number" | "policyId" | "title"
> {
  readonly formalNoticeId?: Document["formalNoticeId"] | undefined
  readonly inForceAt?: Instant | undefined
  readonly branchId: BranchId
  readonly trigger: DocumentTrigger
  readonly effectiveAt: Instant
  readonly knownAt: Instant
  readonly template?: { readonly id: string; readonly version: string } | undefined
  readonly about?: DocumentAbout | undefined
}

export class DocumentInputs extends Context.Service<
  DocumentInputs,
  {
    /**
     * The same for the same document at any time: nothing recorded after `knownAt` is in it.
     *
     * @param locale of its template
     */
    of(document: DocumentSource, locale?: string): Effect.Effect<ModelInput, never, CurrentTenant>
  }
>()("@quittance/operations/DocumentInputs") {
  static readonly layer = Layer.effect(
    DocumentInputs,
    Effect.gen(function* () {
      const assets = yield* AssetViews
      const billed = yield* BilledInputs
      const customers = yield* CustomerViews
      const endorsements = yield* EndorsementInputs
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader
      const records = yield* QuotesRepo
      const tenants = yield* TenantsRepo

      const shown = (view: PolicyView) =>
        quotes.show({ ...view, branchType: view.branch.branchType })

      const peopleOf = Effect.fnUntraced(function* (
        view: PolicyView,
        request: ViewOf,
        customerId: Document["customerId"]
      ) {
        const seen = yield* customers.of(view, request, everywhere)
        // A payer may have left the policy.
        const payers =
          customerId === undefined || seen.some(({ id }) => id === customerId)
            ? []
            : yield* customers.known([customerId], {
                coverage: everywhere,
                knownAt: request.knownAt
              })
        return [...seen, ...payers.map((row) => toCustomer(row, undefined))]
      })

      const validityOf = Effect.fnUntraced(function* ({ product, state }: PolicyView) {
        const rows = yield* records.findMany(state.quoteId === undefined ? [] : [state.quoteId])
        return rows[0] === undefined
          ? {}
          : { validUntil: lastDayBefore(rows[0].expiresAt, product) }
      })

      /** The offer of the next term, beside the term that ends. */
      const nextTerm = Effect.fnUntraced(function* ({
        branchId,
        knownAt,
        policyId
      }: DocumentSource) {
        const offer = yield* shown(yield* reader.readCovered({ policyId, branchId, knownAt }))
        return offer.quote === undefined ? {} : { nextQuote: offer.quote }
      })

      const endorsementOf = Effect.fnUntraced(function* (document: DocumentSource) {
        const sides = yield* endorsements.of(document)
        const modelOf = Effect.fnUntraced(function* (view: PolicyView) {
          const request = { policyId: document.policyId, knownAt: document.knownAt }
          return {
            policy: yield* shown(view),
            customers: holdersFirst(yield* peopleOf(view, request, undefined)),
            assets: yield* assets.of(view)
          }
        })
        return {
          change: {
            ...(document.number === undefined ? {} : { number: String(document.number) }),
            effectiveAt: sides.effectiveAt,
            before: yield* modelOf(sides.before),
            after: yield* modelOf(sides.after),
            restOfTerm: sides.restOfTerm
          }
        }
      })

      const of = Effect.fn("DocumentInputs.of")(function* (
        document: DocumentSource,
        locale?: string
      ) {
        const { assetId, customerId, template, trigger } = document
        const request = viewOf(document)
        const view = yield* reader.readCovered(request)
        const tenant = yield* tenants.find(yield* CurrentTenant)
        const policy = yield* shown(view)
        const isEndorsement = document.kind === "ENDORSEMENT"
        const input: ModelInput = {
          definition: {
            kind: document.kind,
            title: document.title,
            source: { template: template?.id ?? "none", version: template?.version ?? "0" }
          },
          trigger,
          at: document.effectiveAt,
          draft: view.branch.branchType !== "BASE" && trigger !== "RENEWAL_NOTICE",
          tenant: tenant!,
          product: view.product,
          policy,
          customers: holdersFirst(yield* peopleOf(view, request, customerId)),
          assets: yield* assets.of(view),
          ...(customerId === undefined ? {} : { customerId }),
          ...(assetId === undefined ? {} : { assetId }),
          ...(locale === undefined ? {} : { locale }),
          ...(trigger === "QUOTED" ? yield* validityOf(view) : {}),
          ...(trigger === "RENEWAL_NOTICE" ? yield* nextTerm(document) : {}),
          ...(document.about?.certificate === undefined
            ? {}
            : { certificate: document.about.certificate }),
          ...(isEndorsement ? yield* endorsementOf(document) : {}),
          ...(yield* billed.of(document, view))
        }
        return input
      }, asJob)

      return DocumentInputs.of({ of })
    })
  ).pipe(
    Layer.provide([
      AssetViews.layer,
      BilledInputs.layer,
      CustomerViews.layer,
      EndorsementInputs.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer,
      QuotesRepo.layer,
      TenantsRepo.layer
    ])
  )
}

interface ViewOf {
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  readonly knownAt: Instant
  readonly whenAt?: Instant | undefined
}

/** What happens to a contract is shown at its time, which may be to come when it is recorded. */
const ofContract: ReadonlySet<DocumentTrigger> = new Set([
  "STARTED",
  "SUSPENDED",
  "REACTIVATED",
  "STOPPED",
  "REINSTATED"
])

/** What has come into force is shown as it is in force; an offer as it is offered. */
const viewOf = (document: DocumentSource): ViewOf => {
  const { branchId, effectiveAt, inForceAt, knownAt, policyId, trigger } = document
  if (trigger === "MERGED") return { policyId, knownAt, whenAt: inForceAt }
  if (trigger === "RENEWAL_NOTICE") return { policyId, knownAt }
  return ofContract.has(trigger)
    ? { policyId, branchId, knownAt, whenAt: effectiveAt }
    : { policyId, branchId, knownAt }
}

/** A document shows all that its policy has: permission to ask for it was judged before. */
const everywhere = { _tag: "Tenant" } as const

/** Reads outside of a request: what a read of a policy tells its request is not used here. */
const asJob = <A, E, R>(
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
