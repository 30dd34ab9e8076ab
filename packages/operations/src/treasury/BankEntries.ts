/** The queue for people: entries of statements, and which invoices they may be for. */
import { openOf } from "@quittance/billing/treasury/AllocationRules"
import { numberOfReference } from "@quittance/billing/treasury/Matching"
import { suggest } from "@quittance/billing/treasury/Suggestions"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type {
  AllocatedEntry,
  BankEntry,
  BankEntryNotFound,
  EntrySuggestion
} from "@quittance/domain/treasury/BankEntry"
import type { EntryFilter } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankEntryId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { BankEntriesRepo } from "@quittance/persistence/treasury/BankEntriesRepo"
import { MatchFactsRepo } from "@quittance/persistence/treasury/MatchFactsRepo"
import { Context, Effect, Layer } from "effect"

type Asked = CurrentTenant | CurrentCaller

/** Words of a name that are looked for; short ones, such as `de`, say little. */
const mostWords = 3
const shortestWord = 3

export class BankEntries extends Context.Service<
  BankEntries,
  {
    /** The newest first. */
    list(
      filter: EntryFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<BankEntry>, Forbidden, Asked>
    get(id: BankEntryId): Effect.Effect<AllocatedEntry, BankEntryNotFound | Forbidden, Asked>
    /** Which invoices an entry may be for, the likeliest first; none where nothing of it is open. */
    suggestions(
      id: BankEntryId
    ): Effect.Effect<
      { readonly data: ReadonlyArray<EntrySuggestion> },
      BankEntryNotFound | Forbidden,
      Asked
    >
  }
>()("@quittance/operations/BankEntries") {
  static readonly layer = Layer.effect(
    BankEntries,
    Effect.gen(function* () {
      const facts = yield* MatchFactsRepo
      const grants = yield* GrantsRepo
      const payments = yield* PaymentsRepo
      const repo = yield* BankEntriesRepo

      const list = Effect.fn("BankEntries.list")(function* (
        filter: EntryFilter,
        page: Page.PageRequest
      ) {
        yield* grants.requireOnTenant("collection.read")
        const { rows, total } = yield* repo.list(filter, page)
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("BankEntries.get")(function* (id: BankEntryId) {
        const { entry } = yield* repo.authorize("collection.read", id)
        const linked = yield* repo.paymentsOf(id)
        const found = yield* payments.findMany(linked.map(({ paymentId }) => paymentId))
        return { ...entry, payments: found }
      })

      const suggestions = Effect.fn("BankEntries.suggestions")(function* (id: BankEntryId) {
        const { clues, entry, partyPrint } = yield* repo.authorize("collection.read", id)
        const open = openOf(entry)
        if (open <= 0 || entry.status !== "UNMATCHED") return { data: [] }
        const referenced = yield* facts.byNumber(clues.references.flat().map(numberOfReference))
        const numbered = yield* facts.byNumber(clues.invoiceNumbers)
        const prints = partyPrint === undefined ? [] : [partyPrint]
        const owners = (yield* facts.byAccount(prints)).get(partyPrint ?? "")
        const owned = yield* facts.byId(owners?.open.map(({ invoiceId }) => invoiceId) ?? [])
        const likely = yield* facts.likely(open, wordsOf(entry.party?.name))
        const candidates = new Map(
          [...referenced.values(), ...numbered.values(), ...owned.values(), ...likely].map(
            (invoice) => [invoice.invoiceId, invoice]
          )
        )
        const ranked = suggest(
          open,
          entry.party?.name,
          [...candidates.values()]
            .filter(({ currency }) => currency === entry.currency)
            .map((invoice) => ({
              invoice,
              isReferenced: referenced.has(invoice.number),
              isNumbered: numbered.has(invoice.number),
              isFromPayer: owners?.customerIds.includes(invoice.customerId) === true,
              payerName: invoice.payerName
            }))
        )
        return {
          data: ranked.map(({ amount, invoice, reasons }) => ({
            invoiceId: invoice.invoiceId,
            invoiceNumber: invoice.number.replace(/^(\D+)(\d)/u, "$1-$2"),
            policyId: invoice.policyId,
            customerId: invoice.customerId,
            due: invoice.due,
            amount,
            reasons
          }))
        }
      })

      return BankEntries.of({ list, get, suggestions })
    })
  ).pipe(
    Layer.provide([
      BankEntriesRepo.layer,
      GrantsRepo.layer,
      MatchFactsRepo.layer,
      PaymentsRepo.layer
    ])
  )
}

/** The longest words of a name. */
const wordsOf = (name = ""): ReadonlyArray<string> =>
  (name.match(/[\p{L}\d]+/gu) ?? [])
    .filter((word) => word.length >= shortestWord)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostWords)
