/** Entries become payments of policies, and no longer are: within a transaction that holds both. */
import { forAllocation, forAllocationUndone } from "@quittance/billing/treasury/TreasuryPostings"
import type { Payment } from "@quittance/domain/payments/Payment"
import type { InvalidAmount, InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankEntry } from "@quittance/domain/treasury/BankEntry"
import type { InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { type Instant, max, min } from "@quittance/domain/values/Instant"
import { startOfDay, type TimeZone } from "@quittance/domain/values/TimeZone"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { BankEntriesRepo } from "@quittance/persistence/treasury/BankEntriesRepo"
import { EntryBookingRepo } from "@quittance/persistence/treasury/EntryBookingRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import { PaymentReceipts } from "../payments/PaymentReceipts.ts"
import { ReturnDecisions } from "../payments/ReturnDecisions.ts"
import type { Actor } from "../requests/Actor.ts"

/** What an invoice is to get of an entry. */
export interface PolicyAllocation {
  readonly invoiceId: InvoiceId
  readonly policyId: PolicyId
  /** In minor units. */
  readonly amount: number
}

export class EntrySettling extends Context.Service<
  EntrySettling,
  {
    /** Locks the heads of policies, in the order of their ids: entries come after. */
    holdHeads(policyIds: ReadonlyArray<PolicyId>): Effect.Effect<void, never, CurrentTenant>
    /** Records a payment for each allocation. Too much for a policy's book fails. */
    pay(
      entry: BankEntry,
      allocations: ReadonlyArray<PolicyAllocation>,
      actor: Actor
    ): Effect.Effect<ReadonlyArray<Payment>, InvalidAmount, CurrentTenant>
    /** Takes a payment that people had recorded for the entry. */
    link(entry: BankEntry, paymentId: PaymentId): Effect.Effect<void, never, CurrentTenant>
    /** Undoes what the entry was allocated to; a payment that was returned already stays so. */
    undo(
      entry: BankEntry,
      payments: ReadonlyArray<Payment>,
      actor: Actor
    ): Effect.Effect<void, InvalidAmount, CurrentTenant>
  }
>()("@quittance/operations/EntrySettling") {
  static readonly layer = Layer.effect(
    EntrySettling,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const booking = yield* EntryBookingRepo
      const clock = yield* TenantClockRepo
      const command = yield* BillingCommand
      const entries = yield* BankEntriesRepo
      const ids = yield* Ids
      const policies = yield* PoliciesRepo
      const receipts = yield* PaymentReceipts
      const returns = yield* ReturnDecisions

      const holdHeads = Effect.fn("EntrySettling.holdHeads")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        for (const id of [...new Set(policyIds)].toSorted()) yield* policies.hold(id)
      })

      const post = Effect.fnUntraced(function* (
        entry: BankEntry,
        fact: ReturnType<typeof forAllocation>,
        recordId: PaymentId
      ) {
        const { now } = yield* clock.read
        yield* booking.post([
          {
            id: ids.next("entry"),
            bankAccountId: entry.bankAccountId,
            ...fact,
            bankEntryId: entry.id,
            recordId,
            bookedOn: entry.bookedOn,
            recordedAt: now,
            currency: entry.currency
          }
        ])
      })

      const payOne = Effect.fnUntraced(function* (
        entry: BankEntry,
        { amount, invoiceId, policyId }: PolicyAllocation,
        zone: TimeZone,
        actor: Actor
      ) {
        const { head, now } = yield* policies.hold(policyId)
        const payment = yield* command
          .write({ action: "payment.record", actor, head, now }, (account) => {
            const issuedAt = account.invoices.find(({ id }) => id === invoiceId)?.issuedAt ?? now
            return receipts.receive(account, invoiceId, {
              amount,
              method: "BANK_TRANSFER",
              reference: entry.bankReference ?? entry.endToEndId ?? entry.id,
              paidAt: paidAtOf(entry, zone, issuedAt, now)
            })
          })
          // Both are of an invoice and a day that were looked up.
          .pipe(Effect.catchTags({ InvalidEffectiveDate: Effect.die, InvoiceNotFound: Effect.die }))
        yield* entries.addPayment(entry.id, { paymentId: payment.id, amount, isMade: true })
        yield* post(entry, forAllocation(entry.bankAccountId, amount), payment.id)
        return payment
      })

      const pay = Effect.fn("EntrySettling.pay")(function* (
        entry: BankEntry,
        allocations: ReadonlyArray<PolicyAllocation>,
        actor: Actor
      ) {
        const { settings } = yield* accounts.find(entry.bankAccountId)
        return yield* Effect.forEach(allocations, (allocation) =>
          payOne(entry, allocation, settings.timeZone, actor)
        )
      })

      const link = Effect.fn("EntrySettling.link")(function* (
        entry: BankEntry,
        paymentId: PaymentId
      ) {
        const { amount } = entry
        yield* entries.addPayment(entry.id, { paymentId, amount, isMade: false })
        yield* post(entry, forAllocation(entry.bankAccountId, amount), paymentId)
      })

      const undo = Effect.fn("EntrySettling.undo")(function* (
        entry: BankEntry,
        payments: ReadonlyArray<Payment>,
        actor: Actor
      ) {
        const { now } = yield* clock.read
        for (const { amount, isMade, paymentId } of yield* entries.paymentsOf(entry.id)) {
          const payment = payments.find(({ id }) => id === paymentId)
          if (payment === undefined) return yield* Effect.die(`No payment ${paymentId} to undo`)
          if (isMade && payment.returned === undefined) {
            const held = yield* policies.hold(payment.policyId)
            yield* command
              .write({ action: "payment.return", actor, ...held }, (account) =>
                returns.undo(account, paymentId, { reasonCode: unallocated })
              )
              .pipe(Effect.catchTags(notHere))
          }
          yield* post(entry, forAllocationUndone(entry.bankAccountId, amount), paymentId)
        }
        yield* entries.undoPayments(entry.id, now)
      })

      return EntrySettling.of({ holdHeads, pay, link, undo })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      BankEntriesRepo.layer,
      BillingCommand.layer,
      EntryBookingRepo.layer,
      PaymentReceipts.layer,
      PoliciesRepo.layer,
      ReturnDecisions.layer,
      TenantClockRepo.layer
    ])
  )
}

/** The reason of a return by which people undo an allocation. */
const unallocated = "UNALLOCATED"

/** The payment is there, not returned, and older than now. */
const notHere = {
  InvalidEffectiveDate: Effect.die,
  InvalidTransition: (error: InvalidTransition) => Effect.die(error),
  PaymentNotFound: Effect.die
}

/** The day on which the bank booked it; no payment is older than its invoice or later than now. */
const paidAtOf = (
  { bookedOn }: BankEntry,
  zone: TimeZone,
  issuedAt: Instant,
  now: Instant
): Instant => min(now, max(issuedAt, startOfDay(bookedOn, zone)))
