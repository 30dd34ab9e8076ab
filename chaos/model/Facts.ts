/** What the database says of a policy, as plain rows: what the model starts from, and what it is held to. */
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import {
  type PremiumItemsCodec,
  decodePremiumItems
} from "@quittance/persistence/policies/PremiumItemsCodec"
import { type KeptLines, linesKept } from "@quittance/persistence/billing/InvoiceLinesCodec"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A change of the policy's base branch. */
export interface Change {
  readonly id: string
  readonly seq: number
  readonly kind: string
  readonly effectiveAt: string
  readonly recordedAt: string
  readonly author: string
  readonly reverts: string | null
  readonly patch: ReadonlyArray<{ readonly path: string; readonly value?: unknown }>
}

export interface Document {
  readonly id: string
  readonly customerId: string
  readonly type: "INVOICE" | "CREDIT_NOTE"
  readonly series: string
  readonly number: number
  readonly status: string
  readonly term: number
  readonly periodStart: string
  readonly cause: string
  readonly plannedOn: string
  readonly issuedAt: string
  readonly dueOn: string
  readonly total: number
  readonly paid: number
  readonly lines: ReadonlyArray<BilledLine>
}

export interface Entry {
  readonly kind: string
  readonly customerId: string
  readonly sourceId: string
  readonly accounts: ReadonlyArray<string>
  readonly amounts: ReadonlyArray<number>
  readonly recordedAt: string
}

export interface Payment {
  readonly id: string
  readonly customerId: string
  readonly invoiceId: string
  readonly amount: number
  readonly recordedAt: string
  /** When it was recorded that the bank has taken it back. */
  readonly returnedAt: string | null
  /** When it has; that may have been recorded later. */
  readonly cameBackAt: string | null
  /** What the payer is asked for that, in minor units. */
  readonly fee: number | null
}

/** A credit balance that was paid back. */
export interface Refund {
  readonly id: string
  readonly customerId: string
  readonly amount: number
  readonly recordedAt: string
}

/** A write-off of what was left of an invoice. */
export interface WriteOff {
  readonly invoiceId: string
  readonly recordedAt: string
}

/** A manual credit of what an invoice still charged. */
export type CreditByHand = WriteOff

/** A manual charge. */
export interface Charge {
  readonly id: string
  readonly recordedAt: string
}

export interface Notice {
  readonly id: string
  readonly customerId: string
  readonly invoiceIds: ReadonlyArray<string>
  readonly status: "TO_SEND" | "SENT"
  readonly sentAt: string | null
}

/** When nothing follows from what is unpaid: of the policy alone, of its product, or of the tenant. */
export interface Hold {
  readonly from: string
  /** Absent until it is lifted. */
  readonly to: string | null
}

export interface Receivable {
  readonly customerId: string
  readonly status: string
  readonly unpaidCount: number
  readonly unpaidIssuedAt: ReadonlyArray<string>
  readonly lastFormalNoticeSentAt: string | null
}

/** A policy with everything that there is of it. */
export interface Facts {
  readonly tenantId: string
  readonly policyId: string
  readonly productId: string
  readonly status: string
  readonly nextDueAt: string | null
  readonly changes: ReadonlyArray<Change>
  readonly quotes: Readonly<Record<string, ReadonlyArray<PremiumItem>>>
  readonly invoices: ReadonlyArray<Document>
  readonly entries: ReadonlyArray<Entry>
  readonly payments: ReadonlyArray<Payment>
  readonly refunds: ReadonlyArray<Refund>
  readonly writeOffs: ReadonlyArray<WriteOff>
  readonly writeOffReversals: ReadonlyArray<WriteOff>
  readonly credits: ReadonlyArray<CreditByHand>
  readonly charges: ReadonlyArray<Charge>
  readonly notices: ReadonlyArray<Notice>
  readonly holds: ReadonlyArray<Hold>
  readonly receivables: ReadonlyArray<Receivable>
}

/** What the fold of a policy's changes is at an instant, as far as the model looks at it. */
export interface State {
  readonly startedAt: string
  readonly signedAt?: string
  readonly periodDuration: { readonly amount: number; readonly unit: string }
  readonly invoicingConfig: InvoicingConfig
  readonly quoteId?: string
  readonly contract?: "NOT_STARTED" | "STARTED" | "SUSPENDED" | "STOPPED"
  readonly firstPaidAt?: string
  readonly stop?: { readonly reason: string }
  readonly suspension?: { readonly reason: string }
  readonly terms?: number
  readonly billingAssignment?: {
    readonly defaultPayerId: string
    readonly componentOverrides?: ReadonlyArray<{
      readonly componentId: string
      readonly payerCustomerId: string
    }>
  }
  readonly customers: Readonly<Record<string, { readonly seq: number; readonly role?: string }>>
}

/** The same as rows keep it, who write lines and leaves in few characters. */
interface Kept extends Omit<Facts, "invoices" | "quotes"> {
  readonly quotes: Readonly<Record<string, PremiumItemsCodec>>
  readonly invoices: ReadonlyArray<Omit<Document, "lines"> & { readonly lines: KeptLines }>
}

/** Every signed policy of every tenant, the tenants one after the other. */
export const all = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly facts: Kept }>`
    SELECT json_build_object(
      'tenantId', p.tenant_id, 'policyId', p.id, 'productId', p.product_id, 'status', p.status,
      'nextDueAt', p.next_due_at,
      'changes', (SELECT json_agg(json_build_object('id', c.id, 'seq', c.seq, 'kind', c.kind,
          'effectiveAt', c.effective_at, 'recordedAt', c.recorded_at, 'author', c.author,
          'reverts', c.reverts, 'patch', c.patch) ORDER BY c.seq)
        FROM policy_change c WHERE c.tenant_id = p.tenant_id AND c.policy_id = p.id
          AND c.branch_id = p.default_branch_id),
      'quotes', (SELECT json_object_agg(q.id, q.premium_items) FROM quote q
        WHERE q.tenant_id = p.tenant_id AND q.policy_id = p.id),
      'invoices', (SELECT coalesce(json_agg(json_build_object('id', d.id,
          'customerId', d.customer_id, 'type', d.type, 'series', d.series, 'number', d.number,
          'status', d.status, 'term', d.term, 'periodStart', d.period_start, 'cause', d.cause,
          'plannedOn', d.planned_on, 'issuedAt', d.issued_at, 'dueOn', d.due_on, 'total', d.total,
          'paid', d.paid, 'lines', d.lines) ORDER BY d.issued_at, d.series, d.number), '[]')
        FROM invoice d WHERE d.tenant_id = p.tenant_id AND d.policy_id = p.id),
      'entries', (SELECT coalesce(json_agg(json_build_object('kind', e.kind,
          'customerId', e.customer_id, 'sourceId', e.source_id, 'accounts', e.accounts,
          'amounts', e.amounts, 'recordedAt', e.recorded_at) ORDER BY e.recorded_at), '[]')
        FROM entry e WHERE e.tenant_id = p.tenant_id AND e.policy_id = p.id),
      'payments', (SELECT coalesce(json_agg(json_build_object('id', m.id,
          'customerId', m.customer_id, 'invoiceId', m.invoice_id, 'amount', m.amount,
          'recordedAt', m.recorded_at, 'returnedAt', r.recorded_at, 'cameBackAt', r.returned_at, 'fee', r.fee) ORDER BY m.recorded_at), '[]')
        FROM payment m LEFT JOIN payment_return r ON r.tenant_id = m.tenant_id AND r.payment_id = m.id
        WHERE m.tenant_id = p.tenant_id AND m.policy_id = p.id),
      'refunds', (SELECT coalesce(json_agg(json_build_object('id', f.id,
          'customerId', f.customer_id, 'amount', f.amount, 'recordedAt', f.recorded_at)), '[]')
        FROM refund f WHERE f.tenant_id = p.tenant_id AND f.policy_id = p.id),
      'writeOffs', (SELECT coalesce(json_agg(json_build_object('invoiceId', v.payload ->> 'invoiceId',
          'recordedAt', v.recorded_at)), '[]')
        FROM event v WHERE v.tenant_id = p.tenant_id AND v.policy_id = p.id
          AND v.kind = 'invoice.written_off'),
      'writeOffReversals', (SELECT coalesce(json_agg(json_build_object(
          'invoiceId', v.payload ->> 'invoiceId', 'recordedAt', v.recorded_at)), '[]')
        FROM event v WHERE v.tenant_id = p.tenant_id AND v.policy_id = p.id
          AND v.kind = 'invoice.write_off_reversed'),
      'credits', (SELECT coalesce(json_agg(json_build_object('invoiceId', v.payload ->> 'invoiceId',
          'recordedAt', v.recorded_at)), '[]')
        FROM event v WHERE v.tenant_id = p.tenant_id AND v.policy_id = p.id
          AND v.kind = 'invoice.credited'),
      'charges', (SELECT coalesce(json_agg(json_build_object('id', v.payload ->> 'chargeId',
          'recordedAt', v.recorded_at)), '[]')
        FROM event v WHERE v.tenant_id = p.tenant_id AND v.policy_id = p.id
          AND v.kind = 'policy.charged'),
      'notices', (SELECT coalesce(json_agg(json_build_object('id', n.id, 'customerId', n.customer_id,
          'invoiceIds', n.invoice_ids, 'status', n.status, 'sentAt', n.sent_at)), '[]')
        FROM notice n WHERE n.tenant_id = p.tenant_id AND n.policy_id = p.id),
      'holds', (SELECT coalesce(json_agg(json_build_object('from', h.from_at, 'to', h.to_at)), '[]')
        FROM hold h WHERE h.tenant_id = p.tenant_id AND (h.policy_id = p.id
          OR h.policy_id IS NULL AND (h.product_ids IS NULL OR p.product_id = ANY (h.product_ids)))),
      'receivables', (SELECT coalesce(json_agg(json_build_object('customerId', r.customer_id,
          'status', r.status, 'unpaidCount', r.unpaid_count,
          'unpaidIssuedAt', r.unpaid_issued_at,
          'lastFormalNoticeSentAt', r.last_formal_notice_sent_at)), '[]')
        FROM receivable r WHERE r.tenant_id = p.tenant_id AND r.policy_id = p.id)
    ) AS facts
    FROM policy p WHERE EXISTS (SELECT FROM policy_change s WHERE s.tenant_id = p.tenant_id
      AND s.policy_id = p.id AND s.branch_id = p.default_branch_id AND s.kind = 'SIGN')
    ORDER BY p.tenant_id, p.id
  `
  return rows.map(({ facts }): Facts => ({
    ...facts,
    quotes: Object.fromEntries(
      Object.entries(facts.quotes).map(([id, premiumItems]) => [
        id,
        decodePremiumItems(premiumItems)
      ])
    ),
    invoices: facts.invoices.map((invoice) => ({
      ...invoice,
      lines: linesKept(invoice.lines)
    }))
  }))
})
