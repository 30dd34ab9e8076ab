/** Mandates that begin: to be signed here, or signed elsewhere before. */
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { accountFor } from "@quittance/domain/payments/BankAccount"
import type { DebitScheme } from "@quittance/domain/payments/Mandate"
import type { KeptEvidence } from "@quittance/domain/payments/MandateEvidence"
import {
  DuplicateMandateReference,
  type Mandate,
  shownOn,
  signedOnFault,
  type StoredMandate
} from "@quittance/domain/payments/MandateRecord"
import type { CreateMandate, ImportMandate } from "@quittance/domain/payments/MandateRequests"
import type { CustomerPaymentMethod } from "@quittance/domain/payments/PaymentMethod"
import type { Instant } from "@quittance/domain/values/Instant"
import { localDate } from "@quittance/domain/values/TimeZone"
import { numberText } from "@quittance/bank/References"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Failure = InvalidPaymentMethod | InvalidReference

export class NewMandates extends Context.Service<
  NewMandates,
  {
    /** Writes a mandate to be signed, inside a transaction. */
    create(
      method: CustomerPaymentMethod,
      input: CreateMandate
    ): Effect.Effect<Mandate, Failure, Scoped>
    /** Writes one that was signed elsewhere, inside a transaction. */
    importSigned(
      method: CustomerPaymentMethod,
      input: ImportMandate
    ): Effect.Effect<Mandate, DuplicateMandateReference | Failure, Scoped>
  }
>()("@quittance/operations/NewMandates") {
  static readonly layer = Layer.effect(
    NewMandates,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const ids = yield* Ids
      const methods = yield* PaymentMethodsRepo
      const numbers = yield* PaymentNumbersRepo
      const repo = yield* MandatesRepo

      /** The account that collects for a product, by whose days its mandates live. */
      const collecting = Effect.fnUntraced(function* (productId: string, now: Instant) {
        const serving = (yield* accounts.all).map((account) => ({
          id: account.id,
          name: account.name,
          ...account.settings
        }))
        const account = accountFor(serving, "COLLECT", productId, now)
        if (account?.creditorIdentifier === undefined || account.currency !== "EUR") {
          const expected = "a product for which an account with a creditor identifier collects EUR"
          return yield* new InvalidReference({ field: "productId", value: productId, expected })
        }
        return { ...account, creditorIdentifier: account.creditorIdentifier }
      })

      /** What every new mandate needs: an active payment method, and a company for B2B. */
      const begun = Effect.fnUntraced(function* (
        method: CustomerPaymentMethod,
        {
          productId,
          scheme = "CORE"
        }: { readonly productId: string; readonly scheme?: DebitScheme }
      ) {
        // Locked, so that it is not disabled meanwhile.
        yield* methods.countLocked(method.customerId)
        if (!(yield* methods.isActiveOf(method.customerId, method.id))) {
          return yield* new InvalidPaymentMethod({ reason: "NOT_THEIRS" })
        }
        if (scheme === "B2B" && !(yield* methods.isOfCompany(method.id))) {
          const expected = "CORE: B2B is for companies alone"
          return yield* new InvalidReference({ field: "scheme", value: scheme, expected })
        }
        const { now } = yield* clock.read
        const account = yield* collecting(productId, now)
        return {
          now,
          today: localDate(now, account.timeZone),
          of: {
            id: ids.next("mandate"),
            paymentMethodId: method.id,
            customerId: method.customerId,
            bankAccountId: account.id,
            creditorIdentifier: account.creditorIdentifier,
            scheme,
            amendments: [],
            createdAt: now
          }
        }
      })

      const create = Effect.fn("NewMandates.create")(function* (
        method: CustomerPaymentMethod,
        { locale, type = "RECURRENT", ...input }: CreateMandate
      ) {
        const { now, of, today } = yield* begun(method, input)
        const add = Effect.gen(function* () {
          const umr = numberText("QM", yield* numbers.next("QM"))
          const mandate: StoredMandate = { ...of, umr, type, status: "DRAFT", locale }
          return (yield* repo.insert(mandate)) ? mandate : undefined
        })
        // A mandate that was imported may have the next number.
        const mandate = yield* Effect.repeat(add, {
          until: (added): added is StoredMandate => added !== undefined
        })
        const { id: recordId } = of
        const action = "mandate.create"
        yield* audit.record({ action, recordId, after: mandate, businessAt: now })
        return shownOn(mandate, today)
      })

      const importSigned = Effect.fn("NewMandates.importSigned")(function* (
        method: CustomerPaymentMethod,
        {
          evidence: reference,
          lastPresentedOn,
          signedOn,
          type = "RECURRENT",
          umr,
          ...input
        }: ImportMandate
      ) {
        const { now, of, today } = yield* begun(method, input)
        const fault = signedOnFault(signedOn, lastPresentedOn, today)
        if (fault !== undefined) return yield* fault
        const mandate: StoredMandate = {
          ...of,
          umr,
          type,
          status: "ACTIVE",
          signedOn,
          ...(lastPresentedOn === undefined ? {} : { lastPresentedOn }),
          evidence: yield* evidenceAt(now, { reference })
        }
        if (!(yield* repo.insert(mandate))) return yield* new DuplicateMandateReference({ umr })
        const action = "mandate.import"
        yield* audit.record({ action, recordId: of.id, after: mandate, businessAt: now })
        return shownOn(mandate, today)
      })

      return NewMandates.of({ create, importSigned })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      MandatesRepo.layer,
      PaymentMethodsRepo.layer,
      PaymentNumbersRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

/** What shows who has done something, when and from where. */
export const evidenceAt = Effect.fnUntraced(function* (
  at: Instant,
  said: Pick<KeptEvidence, "place" | "reference">
) {
  const { address, userAgent } = yield* CurrentRequest
  const evidence: KeptEvidence = {
    by: subject(yield* CurrentCaller),
    at,
    ...said,
    address,
    userAgent
  }
  return evidence
})
