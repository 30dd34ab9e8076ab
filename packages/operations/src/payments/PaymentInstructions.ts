/** What a payer needs to transfer what an invoice asks for. */
import { epcQrText } from "@quittance/bank/EpcQr"
import { invoiceReference } from "@quittance/bank/References"
import { bankText, longestName } from "@quittance/bank/Sepa"
import { amountDue } from "@quittance/billing/billing/Settlement"
import { openInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import { numberText } from "@quittance/domain/billing/InvoiceNumber"
import { accountFor } from "@quittance/domain/payments/BankAccount"
import {
  NoCollectingAccount,
  type PaymentInstructions as Instructions
} from "@quittance/domain/payments/PaymentInstructions"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { AccountSeals } from "./AccountSeals.ts"

/** The most that one SEPA transfer may move, in cents. */
const largestTransfer = 99_999_999_999

export class PaymentInstructions extends Context.Service<
  PaymentInstructions,
  {
    /** To which account an invoice is paid, how much, and under which reference. */
    of(
      id: InvoiceId
    ): Effect.Effect<
      Instructions,
      Forbidden | InvoiceNotFound | NoCollectingAccount,
      CurrentTenant | CurrentCaller
    >
  }
>()("@quittance/operations/PaymentInstructions") {
  static readonly layer = Layer.effect(
    PaymentInstructions,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const invoices = yield* InvoicesRepo
      const seals = yield* AccountSeals

      const of = Effect.fn("PaymentInstructions.of")(function* (id: InvoiceId) {
        const { invoice, policy } = yield* invoices.authorize("billing.read", id)
        const { productId } = policy.head
        const inCurrency = (yield* accounts.all).filter(
          ({ settings }) => settings.currency === invoice.currency
        )
        const serving = inCurrency.map(({ settings, ...stored }) => ({ ...stored, ...settings }))
        const account = accountFor(serving, "COLLECT", productId, policy.now)
        if (account === undefined) return yield* new NoCollectingAccount({ productId })
        const iban = Redacted.value(yield* seals.open(account.id, account.sealedIban))
        const amount = amountDue(openInvoice(invoice))
        const reference = invoiceReference(numberText(invoice))
        const holder = bankText(account.holder.name, longestName, account.profile.characters)
        const bic = account.bic === undefined ? {} : { bic: account.bic }
        const isTransferable =
          invoice.currency === "EUR" && amount >= 1 && amount <= largestTransfer
        const instructions: Instructions = {
          iban,
          ...bic,
          holder,
          amount,
          currency: invoice.currency,
          reference,
          ...(isTransferable
            ? { epcQr: epcQrText({ holder, account: { iban, ...bic }, amount, reference }) }
            : {})
        }
        return instructions
      })

      return PaymentInstructions.of({ of })
    })
  ).pipe(Layer.provide([AccountSeals.layer, BankAccountsRepo.layer, InvoicesRepo.layer]))
}
