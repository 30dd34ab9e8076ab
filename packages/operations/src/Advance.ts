/**
 * What is due for one policy, decided in memory: the worker, a command and the test clock all come
 * here, and nothing is written before everything is decided.
 */
import { documentsFor, type DocumentDraft } from "@quittance/billing/Documents"
import { nextSteps, type Step } from "@quittance/billing/NextSteps"
import type { PlannedInstalment } from "@quittance/billing/Schedule"
import type { Change } from "@quittance/domain/Change"
import type { Instant } from "@quittance/domain/Instant"
import { type Draft, firstPayment, start } from "@quittance/domain/PolicyCommands"
import type { EntryRow } from "@quittance/persistence/EntriesRepo"
import type { DocumentHead, DocumentRow } from "@quittance/persistence/DocumentsRepo"
import type { Id } from "@quittance/persistence/Ids"
import type { Prefix } from "@quittance/domain/PrefixedId"
import { type Book, billingView, keyOf } from "./BillingView.ts"
import { applied } from "./PolicyLog.ts"

/** The name under which due steps are recorded. */
export const jobName = "due-steps"

/** A job of the worker, as the test clock counts it. */
export type Job = "startPolicies" | "issueInvoices"

/** A document before it has its number, and the day it was planned for. */
export type UnnumberedDocument = Omit<DocumentRow, "number">

/** What was decided: the book as it will be, and what has to be written. */
export interface Advanced {
  readonly book: Book
  readonly lines: LinesOfDocuments
  readonly issued: ReadonlyArray<UnnumberedDocument>
  readonly entries: ReadonlyArray<EntryRow>
  readonly ran: ReadonlyArray<Job>
  /** When there is something to do next; absent where nothing follows by itself. */
  readonly nextDueAt: Instant | undefined
}

/** The lines of documents that stand, as far as they are needed. */
export type LinesOfDocuments = ReadonlyMap<DocumentHead["id"], DocumentRow["lines"]>

type MakeId = <P extends Prefix>(prefix: P) => Id<P>

/** Far more than any policy can owe at once; beyond it a rule is wrong, and the policy is parked. */
const mostRounds = 10

/**
 * The documents that charge days, or what is charged once in a term, of an instalment that is due: the
 * ones whose lines `advance` compares. On a grid that nobody has changed there are none.
 */
export const documentsInTheWay = (book: Book): ReadonlyArray<DocumentHead["id"]> => {
  // A gate that opens on the way lets all of them through.
  const { due } = nextSteps({ ...billingView(book), gated: false }, book.policy.now)
  const instalments = due.flatMap((step) => (step.kind === "ISSUE" ? [step.instalment] : []))
  return book.documents
    .filter((document) =>
      instalments.some(
        ({ key, lines, period }) =>
          key.term === document.term &&
          ((period.start < document.periodEnd && document.periodStart < period.end) ||
            lines.some(({ chargeType }) => chargeType !== "RECURRING"))
      )
    )
    .map(({ id }) => id)
}

/**
 * Runs what is due by the policy's now, step by step, until nothing is.
 *
 * @param lines those of `documentsInTheWay`
 */
export const advance = (book: Book, lines: LinesOfDocuments, makeId: MakeId): Advanced => {
  let result: Advanced = { book, lines, issued: [], entries: [], ran: [], nextDueAt: undefined }
  for (let round = 0; round < mostRounds; round++) {
    const { due, nextDueAt } = nextSteps(billingView(result.book), book.policy.now)
    if (due.length === 0) return { ...result, nextDueAt }
    for (const step of due) result = take(result, step, makeId)
    result = { ...result, book: openGate(result.book, makeId) }
  }
  throw new Error("Steps stay due however often they are taken.")
}

const take = (result: Advanced, step: Step, makeId: MakeId): Advanced => {
  if (step.kind === "ISSUE") return issue(result, step.instalment, makeId)
  const { product, state, now } = result.book.policy
  const draft = start(product, state, now)
  if (draft === undefined) throw new Error("The start is due, but the policy may not start.")
  return {
    ...result,
    book: changed(result.book, draft, makeId),
    ran: [...result.ran, "startPolicies"]
  }
}

const changed = (book: Book, draft: Draft, makeId: MakeId): Book => {
  const { policy } = book
  const recorded = { command: jobName, changes: [{ branchId: policy.branch.id, draft }] }
  const nextId = (): Change["id"] => makeId("change")
  return { ...book, policy: applied(policy, recorded, jobName, nextId) }
}

const issue = (result: Advanced, instalment: PlannedInstalment, makeId: MakeId): Advanced => {
  const { balances, documents, policy } = result.book
  const { now, product } = policy
  const [draft] = documentsFor([instalment], {
    issuedAt: now,
    timeZone: product.timeZone,
    dueDays: product.invoicing.dueDays,
    currency: product.currency,
    issued: documents.map((document) => ({
      key: keyOf(document),
      lines: result.lines.get(document.id) ?? []
    })),
    balances
  })
  if (draft === undefined) {
    throw new Error(`The instalment from ${instalment.period.start} is due, but already invoiced.`)
  }
  const document = documentOf(result.book, instalment, draft, makeId)
  const balance = (balances.get(document.customerId) ?? 0) + draft.balanceChange
  return {
    ...result,
    book: {
      ...result.book,
      // Its number is given when everything is decided; no decision depends on it.
      documents: [...documents, { ...document, number: 0 }],
      balances: new Map(balances).set(document.customerId, balance)
    },
    lines: new Map(result.lines).set(document.id, document.lines),
    issued: [...result.issued, document],
    entries: [
      ...result.entries,
      ...draft.entries.map((entry) =>
        entryRow(entry, document, document.id, { occurredAt: now, recordedAt: now }, makeId)
      )
    ],
    ran: [...result.ran, "issueInvoices"]
  }
}

const documentOf = (
  { policy }: Book,
  { isFirst, issueOn }: PlannedInstalment,
  { amountPaid, dueOn, key, lines, period, total, ...draft }: DocumentDraft,
  makeId: MakeId
): UnnumberedDocument => ({
  id: key.type === "INVOICE" ? makeId("invoice") : makeId("credit_note"),
  policyId: policy.head.id,
  customerId: key.payerCustomerId,
  type: key.type,
  series: series[key.type],
  status: draft.status,
  currency: draft.currency,
  term: key.term,
  periodStart: period.start,
  periodEnd: period.end,
  cause: key.cause,
  isFirst,
  plannedOn: issueOn,
  issuedAt: draft.issuedAt,
  dueOn,
  total: total.amountWithFeesAndTaxes,
  paid: amountPaid,
  amount: total,
  lines,
  paidAt: draft.paidAt ?? null,
  creditedInvoiceId: null
})

const series = { INVOICE: "INV", CREDIT_NOTE: "CRN" } as const

/** The row of an entry: who it concerns, what it posts, and when. */
export const entryRow = (
  { currency, kind, postings }: DocumentDraft["entries"][number],
  { customerId, policyId }: Pick<DocumentRow, "customerId" | "policyId">,
  sourceId: string,
  at: Pick<EntryRow, "occurredAt" | "recordedAt">,
  makeId: MakeId
): EntryRow => ({
  id: makeId("entry"),
  policyId,
  customerId,
  kind,
  sourceId,
  ...at,
  currency,
  accounts: postings.map(({ account }) => account),
  amounts: postings.map(({ amount }) => amount)
})

/** Records the first payment that a product waits for, once the whole first invoice is paid. */
export const openGate = (book: Book, makeId: MakeId): Book => {
  const { documents, policy } = book
  const first = documents.filter(({ isFirst, type }) => isFirst && type === "INVOICE")
  const paidAt = first.reduce<Instant | undefined>(
    (latest, document) =>
      document.paidAt !== null && (latest === undefined || document.paidAt > latest)
        ? document.paidAt
        : latest,
    undefined
  )
  if (paidAt === undefined || first.some(({ status }) => status !== "PAID")) return book
  const draft = firstPayment(policy.product, policy.state, paidAt)
  return draft === undefined ? book : changed(book, draft, makeId)
}
