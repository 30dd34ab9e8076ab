/** Payment methods of customers: added, read, disabled; their numbers shown to who asks for them on record. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CustomerNotFound } from "@quittance/domain/customers/Customer"
import type { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { countryOf, lastFourOf } from "@quittance/domain/payments/Iban"
import {
  type CustomerPaymentMethod,
  faultOf,
  type PaymentMethodNotFound
} from "@quittance/domain/payments/PaymentMethod"
import type { AddPaymentMethod } from "@quittance/domain/payments/PaymentMethodRequests"
import type { CustomerId, PaymentMethodId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { bankText, longestName } from "@quittance/bank/Sepa"
import { isValid } from "@quittance/identifiers/Identifier"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { AccountSeals } from "./AccountSeals.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Repeated = IdempotencyKeyInUse | IdempotencyKeyReused

export class PaymentMethods extends Context.Service<
  PaymentMethods,
  {
    add(
      customerId: CustomerId,
      input: AddPaymentMethod
    ): Effect.Effect<
      CustomerPaymentMethod,
      CustomerNotFound | Forbidden | InvalidPaymentMethod | Repeated,
      Scoped
    >
    get(
      id: PaymentMethodId
    ): Effect.Effect<CustomerPaymentMethod, Forbidden | PaymentMethodNotFound, Asked>
    /** Those of a customer, the newest first. */
    list(
      customerId: CustomerId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<CustomerPaymentMethod>, CustomerNotFound | Forbidden, Asked>
    /** Nothing is collected from it or paid to it any more; a second time changes nothing. */
    disable(
      id: PaymentMethodId
    ): Effect.Effect<CustomerPaymentMethod, Forbidden | PaymentMethodNotFound | Repeated, Scoped>
    /** Its number; who has asked is on record before it is answered. */
    account(
      id: PaymentMethodId
    ): Effect.Effect<
      { readonly iban: Redacted.Redacted },
      Forbidden | PaymentMethodNotFound,
      Scoped
    >
  }
>()("@quittance/operations/PaymentMethods") {
  static readonly layer = Layer.effect(
    PaymentMethods,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const ids = yield* Ids
      const repo = yield* PaymentMethodsRepo
      const seals = yield* AccountSeals
      const tenantSql = yield* TenantSql

      const add = Effect.fn("PaymentMethods.add")(function* (
        customerId: CustomerId,
        { iban, ...input }: AddPaymentMethod
      ) {
        const text = Redacted.value(iban)
        const write = Effect.gen(function* () {
          const fault = faultOf({
            iban: text,
            isSound: isValid("iban", text),
            writtenName: bankText(input.holderName, longestName, "SEPA_BASIC"),
            hasAddress: input.holderAddress !== undefined,
            active: yield* repo.countLocked(customerId)
          })
          if (fault !== undefined) return yield* fault
          const { now } = yield* clock.read
          const method: CustomerPaymentMethod = {
            id: ids.next("payment_method"),
            customerId,
            type: "BANK_ACCOUNT",
            status: "ACTIVE",
            ...input,
            country: countryOf(text),
            last4: lastFourOf(text),
            createdAt: now
          }
          yield* repo.insert({ method, ...(yield* seals.seal(method.id, iban)) })
          const action = "paymentMethod.add"
          yield* audit.record({ action, recordId: method.id, after: method, businessAt: now })
          return method
        })
        return yield* command.run({
          authorize: repo.authorizeCustomer("payment_method.write", customerId),
          decide: () => write
        })
      })

      const get = Effect.fn("PaymentMethods.get")((id: PaymentMethodId) =>
        repo.authorize("payment_method.read", id)
      )

      const list = Effect.fn("PaymentMethods.list")(function* (
        customerId: CustomerId,
        page: Page.PageRequest
      ) {
        yield* repo.authorizeCustomer("payment_method.read", customerId)
        const { rows, total } = yield* repo.list(customerId, page)
        return Page.make(rows, total, page)
      })

      const disable = Effect.fn("PaymentMethods.disable")((id: PaymentMethodId) =>
        command.run({
          authorize: repo.authorize("payment_method.write", id, "SHARED"),
          decide: Effect.fnUntraced(function* ({ customerId }) {
            yield* repo.countLocked(customerId)
            // Again under the lock: another request may have disabled it meanwhile.
            const before = yield* repo.authorize("payment_method.write", id, "SHARED")
            if (before.status === "DISABLED") return before
            const { now } = yield* clock.read
            yield* repo.disable(id, now)
            const after: CustomerPaymentMethod = { ...before, status: "DISABLED", disabledAt: now }
            const action = "paymentMethod.disable"
            yield* audit.record({ action, recordId: id, before, after, businessAt: now })
            return after
          })
        })
      )

      const account = Effect.fn("PaymentMethods.account")(function* (id: PaymentMethodId) {
        yield* repo.authorize("payment_method.reveal", id)
        yield* tenantSql.transaction(audit.record({ action: "paymentMethod.reveal", recordId: id }))
        return { iban: yield* seals.open(id, yield* repo.sealedIban(id)) }
      })

      return PaymentMethods.of({ add, get, list, disable, account })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      AuditTrail.layer,
      Command.layer,
      PaymentMethodsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
