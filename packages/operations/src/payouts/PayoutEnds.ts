/** Where the money of a payout comes from, and where it goes. */
import { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import { accountFor } from "@quittance/domain/payments/BankAccount"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { Currency } from "@quittance/domain/values/Amount"
import type { PaymentMethodId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { Effect } from "effect"

export const payoutEnds = Effect.gen(function* () {
  const accounts = yield* BankAccountsRepo
  const methods = yield* PaymentMethodsRepo

  /** The account that pays out for a product. */
  const paying = Effect.fnUntraced(function* (productId: string, currency: Currency, now: Instant) {
    const serving = (yield* accounts.all).map((account) => ({
      id: account.id,
      name: account.name,
      ...account.settings
    }))
    const account = accountFor(serving, "PAY_OUT", productId, now)
    if (account === undefined || account.currency !== currency || currency !== "EUR") {
      const expected = "a product for which an account of the tenant pays out EUR"
      return yield* new InvalidReference({ field: "productId", value: productId, expected })
    }
    return account
  })

  /** A payment method that the caller may see and that can be paid to. */
  const payable = Effect.fnUntraced(function* (id: PaymentMethodId) {
    const refused = new InvalidPaymentMethod({ reason: "NOT_THEIRS" })
    const method = yield* Effect.mapError(
      methods.authorize("payment_method.read", id),
      () => refused
    )
    return method.status === "ACTIVE" ? method : yield* refused
  })

  return { paying, payable }
})
