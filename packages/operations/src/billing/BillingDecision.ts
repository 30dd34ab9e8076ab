/** What was decided about one policy, and what its events and its audit record say of it. */
import type { InvoiceSettlement } from "@quittance/domain/billing/StoredInvoice"
import type { StoredEntry } from "@quittance/domain/billing/Entry"
import { advanceAction } from "@quittance/domain/audit/Audit"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { happeningsOf } from "@quittance/domain/policies/aggregate/PolicyHappenings"
import type { PolicyEvent } from "@quittance/persistence/requests/EventsRepo"
import type { RecordedWrite } from "../requests/AuditTrail.ts"
import type { UnnumberedInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import {
  audited,
  type PolicyAggregate,
  validityOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import { membershipsOf } from "@quittance/domain/policies/aggregate/PolicyMembers"
import type { CollectedInvoice } from "./InvoiceCollections.ts"
import type { AuditDetail } from "@quittance/domain/requests/Actor"

/** An event of the policy, and what the audit record says of it. */
export interface BillingEvent extends Pick<PolicyEvent, "kind"> {
  readonly at: Instant
  readonly payload: AuditDetail
  /** The reason as free text: for the event alone, since the audit trail holds nothing personal. */
  readonly reason?: string
}

/** What was decided about one policy whose head the transaction holds. */
export interface BillingDecision {
  readonly before: PolicyAggregate
  readonly after: PolicyAggregate
  /** What the audit record calls it. */
  readonly action: string
  readonly issued: ReadonlyArray<UnnumberedInvoice>
  readonly entries: ReadonlyArray<StoredEntry>
  readonly nextDueAt: Instant | undefined
  /** What happened beside changes and invoices: a payment, a return, a formal notice, … */
  readonly happened?: ReadonlyArray<BillingEvent>
  readonly settlements?: ReadonlyArray<InvoiceSettlement>
}

/** The changes that were decided. */
export const changesOf = ({ after, before }: BillingDecision) =>
  after.changes.slice(before.changes.length)

/** What happened, numbered on from the policy's last event. */
export const eventsOf = (decided: BillingDecision): ReadonlyArray<PolicyEvent> => {
  const { after, before, happened: others = [], issued } = decided
  const { id: policyId } = after.head
  const recordedAt = after.now
  const happened = [
    ...others.map(({ payload, reason, ...other }) => ({
      ...other,
      payload: reason === undefined ? payload : { ...payload, reason }
    })),
    ...happeningsOf(decided),
    ...issued.map((invoice): BillingEvent => ({
      kind: invoice.type === "INVOICE" ? "invoice.issued" : "credit_note.issued",
      at: invoice.issuedAt,
      payload: { invoiceId: invoice.id }
    }))
  ]
  return happened.map(({ at, kind, payload }, index) => ({
    policyId,
    seq: before.head.eventSeq + 1 + index,
    kind,
    occurredAt: at,
    recordedAt,
    payload
  }))
}

/** The invoices that a product has collected in a way of its own, and of which something is due. */
export const collectedOf = ({
  after,
  issued
}: BillingDecision): ReadonlyArray<CollectedInvoice> => {
  if (issued.length === 0) return []
  const { head, now } = after
  const { payments: terms } = after.productOf(baseState(after))
  if (terms === undefined) return []
  return issued
    .filter(({ paid, total, type }) => type === "INVOICE" && total > paid)
    .map((invoice) => ({ invoice, productId: head.productId, terms, now }))
}

/** Whether it leads to nothing that an audit trail has to say: only the next due instant may move. */
export const isNothing = (decided: BillingDecision): boolean =>
  decided.after.head.status === decided.before.head.status &&
  changesOf(decided).length === 0 &&
  (decided.happened ?? []).length === 0 &&
  decided.issued.length === 0 &&
  decided.entries.length === 0 &&
  (decided.settlements ?? []).length === 0

/** The audit record of it. */
export const writeOf = (decided: BillingDecision, head: PolicyHead): RecordedWrite => ({
  businessAt: decided.after.now,
  action: decided.action,
  recordId: head.id,
  // An invoice that the worker issues leaves the policy as it was; its identifier says enough.
  ...(decided.action === advanceAction &&
  decided.after.state === decided.before.state &&
  head.status === decided.before.head.status
    ? {}
    : { before: audited(decided.before), after: audited({ ...decided.after, head }) }),
  detail: {
    changeIds: changesOf(decided).map(({ id }) => id),
    invoiceIds: decided.issued.map(({ id }) => id),
    ...detailOf(decided.happened ?? [])
  }
})

/** All that payloads say, each once; where they say several things of one name these are a list. */
const detailOf = (happened: ReadonlyArray<BillingEvent>): AuditDetail => {
  const facts = Map.groupBy(
    happened.flatMap(({ payload }) => Object.entries(payload)),
    ([name]) => name
  )
  return Object.fromEntries(
    [...facts].map(([name, said]) => {
      const [, first] = said[0]!
      const isOne = said.every(([, value]) => value === first)
      return [name, isOne ? first : [...new Set(said.flatMap(([, value]) => value))]]
    })
  )
}

/** What the log keeps of it. */
export const recordingOf = (decided: BillingDecision) => {
  const { after, before } = decided
  const changes = changesOf(decided)
  const touched = new Set(changes.map(({ branchId }) => branchId))
  const validity = validityOf(after, touched)
  return {
    policyId: after.head.id,
    branches: after.branches.filter((branch) => !before.branches.includes(branch)),
    changes,
    validity,
    memberships: membershipsOf(before, after, validity)
  }
}
