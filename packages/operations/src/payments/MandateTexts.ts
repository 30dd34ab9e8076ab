/** The text of a mandate as its debtor would read it now. */
import type { MandateLocale, StoredMandate } from "@quittance/domain/payments/MandateRecord"
import { mandateText } from "@quittance/domain/payments/MandateText"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "../values/Sha256.ts"

export interface ShownText {
  readonly locale: MandateLocale
  readonly text: string
  /** SHA-256 of the text, in lower-case hex: by it the debtor says what they agree to. */
  readonly hash: string
}

export class MandateTexts extends Context.Service<
  MandateTexts,
  { of(mandate: StoredMandate): Effect.Effect<ShownText, never, CurrentTenant> }
>()("@quittance/operations/MandateTexts") {
  static readonly layer = Layer.effect(
    MandateTexts,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const methods = yield* PaymentMethodsRepo

      const of = Effect.fn("MandateTexts.of")(function* (mandate: StoredMandate) {
        const { creditorIdentifier: identifier, scheme, type, umr } = mandate
        const all = yield* accounts.all
        // Accounts and payment methods are never deleted.
        const account = all.find(({ id }) => id === mandate.bankAccountId)!
        const method = yield* methods.find(mandate.paymentMethodId)
        // What was imported was written elsewhere; here it would read like this.
        const locale = mandate.locale ?? "en"
        const text = mandateText({
          locale,
          scheme,
          type,
          umr,
          creditor: { ...account.settings.holder, identifier },
          debtor: {
            name: method.holderName,
            address: method.holderAddress,
            last4: method.last4
          }
        })
        return { locale, text, hash: sha256(text) }
      })

      return MandateTexts.of({ of })
    })
  ).pipe(Layer.provide([BankAccountsRepo.layer, PaymentMethodsRepo.layer]))
}
