/** The treasury's journal of an account, and what its bank is awaited to tell. */
import type { BankAccountNotFound } from "@quittance/domain/payments/BankAccount"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { AwaitedPage } from "@quittance/domain/treasury/AwaitedCash"
import type { TreasuryLedger } from "@quittance/domain/treasury/TreasuryEntry"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import {
  type ServedProducts,
  TreasuryLedgerRepo
} from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Context, Effect, Layer } from "effect"

type Asked = CurrentTenant | CurrentCaller

export class Treasury extends Context.Service<
  Treasury,
  {
    /** The newest entries first, and what each account of the journal sums to. */
    ledger(
      id: BankAccountId,
      page: Page.PageRequest
    ): Effect.Effect<TreasuryLedger, BankAccountNotFound | Forbidden, Asked>
    /** Cash that the books have and no statement yet, or the other way round; the oldest first. */
    awaited(
      id: BankAccountId,
      page: Page.PageRequest
    ): Effect.Effect<AwaitedPage, BankAccountNotFound | Forbidden, Asked>
  }
>()("@quittance/operations/Treasury") {
  static readonly layer = Layer.effect(
    Treasury,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const repo = yield* TreasuryLedgerRepo

      const ledger = Effect.fn("Treasury.ledger")(function* (
        id: BankAccountId,
        page: Page.PageRequest
      ) {
        yield* accounts.authorizeId("collection.read", id)
        const { rows, total } = yield* repo.list(id, page)
        return { ...Page.make(rows, total, page), balances: yield* repo.balances(id) }
      })

      const awaited = Effect.fn("Treasury.awaited")(function* (
        id: BankAccountId,
        page: Page.PageRequest
      ) {
        const account = yield* accounts.authorizeId("collection.read", id)
        const served = servedBy(account, yield* accounts.all)
        const { rows, sum, total } = yield* repo.awaited(id, served, page)
        return { ...Page.make(rows, total, page), sum }
      })

      return Treasury.of({ ledger, awaited })
    })
  ).pipe(Layer.provide([BankAccountsRepo.layer, TreasuryLedgerRepo.layer]))
}

const collects = ({ settings }: StoredBankAccount): boolean => settings.usage.includes("COLLECT")

/** The products whose money comes to an account where no record says to which: those that it collects for. */
const servedBy = (
  account: StoredBankAccount,
  all: ReadonlyArray<StoredBankAccount>
): ServedProducts => {
  const { products } = account.settings
  if (!collects(account)) return { only: [] }
  if (products !== "ALL") return { only: products }
  return {
    allBut: all
      .filter(collects)
      .flatMap(({ settings }) => (settings.products === "ALL" ? [] : settings.products))
  }
}
