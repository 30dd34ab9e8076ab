/** Gathers what rules have to know of some entries, in few reads. */
import {
  type EntryClues,
  type MatchFacts,
  numberOfReference
} from "@quittance/billing/treasury/Matching"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { MatchFactsRepo } from "@quittance/persistence/treasury/MatchFactsRepo"
import { Context, Effect, Layer } from "effect"
import { OwnPayments } from "./OwnPayments.ts"

/** What an entry is looked up by. */
export interface EntryTraces {
  readonly clues: EntryClues
  readonly payerPrint: string | undefined
}

export class MatchFactsReader extends Context.Service<
  MatchFactsReader,
  {
    of(entries: ReadonlyArray<EntryTraces>): Effect.Effect<MatchFacts, never, CurrentTenant>
  }
>()("@quittance/operations/MatchFactsReader") {
  static readonly layer = Layer.effect(
    MatchFactsReader,
    Effect.gen(function* () {
      const own = yield* OwnPayments
      const repo = yield* MatchFactsRepo

      const of = Effect.fn("MatchFacts.of")(function* (entries: ReadonlyArray<EntryTraces>) {
        const numbers = entries.flatMap(({ clues }) => [...clues.identifiers, ...clues.numbers])
        const named = entries.flatMap(({ clues }) => [
          ...clues.references.flat().map(numberOfReference),
          ...clues.invoiceNumbers
        ])
        const prints = entries.flatMap(({ payerPrint }) => payerPrint ?? [])
        const facts: MatchFacts = {
          own: numbers.length === 0 ? new Map() : yield* own.find([...new Set(numbers)]),
          invoices: yield* repo.byNumber(named),
          payers: yield* repo.byAccount(prints)
        }
        return facts
      })

      return MatchFactsReader.of({ of })
    })
  ).pipe(Layer.provide(MatchFactsRepo.layer))
}
