/** Documents that people ask for, such as certificates: written down at once, made when they are read. */
import { certificatePeriod } from "@quittance/documents/CertificatePeriod"
import type { CertificateNotAvailable } from "@quittance/domain/documents/CertificateNotAvailable"
import type { Document } from "@quittance/domain/documents/Document"
import type { DocumentAbout } from "@quittance/domain/documents/DocumentAbout"
import type { RequestDocument } from "@quittance/domain/documents/DocumentRequests"
import { lettersTo } from "@quittance/domain/documents/DocumentPlan"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { inOrder, runningAssets } from "@quittance/domain/policies/PolicyState"
import type { DocumentDefinition } from "@quittance/domain/products/documents/DocumentDefinition"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { localDate } from "@quittance/domain/values/TimeZone"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import type { PlannedDocument } from "@quittance/persistence/documents/DocumentRow"
import { DocumentPlansRepo } from "@quittance/persistence/documents/DocumentPlansRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { PolicyReader, type PolicyView } from "../policies/PolicyReader.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { DocumentConditions } from "./DocumentConditions.ts"

export type RequestFailure =
  | CertificateNotAvailable
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidReference
  | PolicyNotFound
  | UserNotFound

export class DocumentsOnDemand extends Context.Service<
  DocumentsOnDemand,
  {
    /**
     * Has a document made that the product gives on demand. A certificate names the days that are paid for
     * now; where there are none, there is no certificate.
     */
    request(
      policyId: PolicyId,
      input: RequestDocument
    ): Effect.Effect<Document, RequestFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/DocumentsOnDemand") {
  static readonly layer = Layer.effect(
    DocumentsOnDemand,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const conditions = yield* DocumentConditions
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const invoices = yield* InvoicesRepo
      const plans = yield* DocumentPlansRepo
      const policies = yield* PoliciesRepo
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader

      const aboutOf = Effect.fnUntraced(function* ({ kind }: DocumentDefinition, view: PolicyView) {
        const about: DocumentAbout = {}
        if (kind !== "CERTIFICATE") return about
        const { head, now, product } = view
        const policy = yield* quotes.show({ ...view, branchType: view.branch.branchType })
        const end = policy.stoppedAt ?? policy.endedAt
        const issued = yield* invoices.ofPolicies([head.id])
        const certificate = yield* Effect.fromResult(
          certificatePeriod({
            status: policy.status,
            today: localDate(now, product.timeZone),
            ...(end === undefined ? {} : { endsOn: localDate(end, product.timeZone) }),
            invoices: issued.map(({ periodEnd, periodStart, status, type }) => ({
              status,
              type,
              period: { start: periodStart, end: periodEnd }
            }))
          })
        )
        return { certificate }
      })

      const decide = Effect.fnUntraced(function* (
        { head, now }: AuthorizedPolicy,
        { definitionId, ...named }: RequestDocument
      ) {
        const view = yield* Effect.orDie(reader.readCovered({ policyId: head.id }))
        const { branch, product } = view
        const definition = product.documents?.find(
          ({ id, on }) => id === definitionId && on.includes("ON_DEMAND")
        )
        if (definition === undefined) {
          return yield* notThere("definitionId", definitionId, "a document that is made on demand")
        }
        const subject = yield* subjectOf(definition, view, named)
        const { source } = definition
        const document: Omit<PlannedDocument, "letters"> = {
          id: ids.next("document"),
          // It follows from nothing but being asked for.
          eventId: "",
          definitionId,
          kind: definition.kind,
          title: definition.title,
          visibility: definition.visibility,
          trigger: "ON_DEMAND",
          policyId: head.id,
          branchId: branch.id,
          mediaType: "application/pdf",
          effectiveAt: now,
          knownAt: now,
          createdAt: now,
          product: { id: product.productId, version: product.version },
          about: yield* aboutOf(definition, view),
          ...("template" in source
            ? { template: { id: source.template, version: source.version } }
            : { sourceFile: source.file }),
          ...(branch.branchType === "BASE" ? { inForceAt: now, inForceKnownAt: now } : {}),
          ...subject
        }
        if (!(yield* conditions.hold(definition, { ...document, branchId: branch.id }))) {
          return yield* notThere("definitionId", definitionId, "a document that fits the policy")
        }
        const customers = inOrder(view.state.customers).map(([id, { role }]) => ({ id, role }))
        const letters = lettersTo(definition, subject.customerId, customers)
        yield* plans.plan([{ ...document, eventId: document.id, letters }])
        yield* audit.record({
          action: "document.request",
          recordId: document.id,
          after: document,
          detail: { policyId: head.id, definitionId }
        })
        const stored = yield* Effect.orDie(documents.authorize("document.write", document.id))
        return stored.document
      })

      const request = Effect.fn("DocumentsOnDemand.request")(
        (policyId: PolicyId, input: RequestDocument) =>
          command.run({
            authorize: policies.authorize("document.write", policyId, { lock: true }),
            decide: (policy) => decide(policy, input)
          })
      )

      return DocumentsOnDemand.of({ request })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DocumentConditions.layer,
      DocumentPlansRepo.layer,
      DocumentsRepo.layer,
      InvoicesRepo.layer,
      PoliciesRepo.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer
    ])
  )
}

const notThere = (field: string, value: string | undefined, expected: string) =>
  new InvalidReference({ field, value: value ?? "", expected })

/** For whom or what it is: only who and what is on the policy, and nothing that the definition does not ask for. */
const subjectOf = (
  { per }: DocumentDefinition,
  { state }: PolicyView,
  { assetId, customerId }: Omit<RequestDocument, "definitionId">
): Effect.Effect<Pick<Document, "assetId" | "customerId">, InvalidReference> => {
  if (per === "ASSET") {
    const isThere = runningAssets(state).some(([id]) => id === assetId)
    return assetId !== undefined && isThere
      ? Effect.succeed({ assetId })
      : Effect.fail(notThere("assetId", assetId, "a thing insured on the policy"))
  }
  if (per === "CUSTOMER" || per === "PAYER") {
    return customerId !== undefined && customerId in state.customers
      ? Effect.succeed({ customerId })
      : Effect.fail(notThere("customerId", customerId, "a customer on the policy"))
  }
  return Effect.succeed({})
}
