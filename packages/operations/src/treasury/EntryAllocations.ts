/** What people say of entries: which invoices they pay, that this was wrong, or that no payment is it. */
import { allocationsOf, openOf } from "@quittance/billing/treasury/AllocationRules"
import { forIgnored } from "@quittance/billing/treasury/TreasuryPostings"
import type { Payment } from "@quittance/domain/payments/Payment"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  Conflict,
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type AllocatedEntry,
  type BankEntry,
  type BankEntryNotFound,
  type BankEntryStatus,
  InvalidAllocation
} from "@quittance/domain/treasury/BankEntry"
import type { AllocateEntry, IgnoreEntry } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankEntryId, PolicyId } from "@quittance/domain/values/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { BankEntriesRepo } from "@quittance/persistence/treasury/BankEntriesRepo"
import { EntryBookingRepo } from "@quittance/persistence/treasury/EntryBookingRepo"
import { MatchFactsRepo } from "@quittance/persistence/treasury/MatchFactsRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { EntrySettling } from "./EntrySettling.ts"

export type EntryFailure =
  | BankEntryNotFound
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidTransition

type Asked = CurrentTenant | CurrentCaller | CurrentRequest

export class EntryAllocations extends Context.Service<
  EntryAllocations,
  {
    /** Pays invoices with an entry that waits for people. */
    allocate(
      id: BankEntryId,
      input: AllocateEntry
    ): Effect.Effect<AllocatedEntry, EntryFailure | InvalidAllocation, Asked>
    /** Undoes what an entry was allocated to, or that it was ignored. */
    unallocate(
      id: BankEntryId
    ): Effect.Effect<AllocatedEntry, Conflict | EntryFailure | InvalidAllocation, Asked>
    /** Sets aside what no payment is. */
    ignore(id: BankEntryId, input: IgnoreEntry): Effect.Effect<AllocatedEntry, EntryFailure, Asked>
  }
>()("@quittance/operations/EntryAllocations") {
  static readonly layer = Layer.effect(
    EntryAllocations,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const booking = yield* EntryBookingRepo
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const entries = yield* BankEntriesRepo
      const facts = yield* MatchFactsRepo
      const ids = yield* Ids
      const payments = yield* PaymentsRepo
      const settling = yield* EntrySettling

      const run = <E>(
        id: BankEntryId,
        decide: (entry: BankEntry) => Effect.Effect<AllocatedEntry, E, Asked>
      ) =>
        command.run({
          authorize: entries.authorize("collection.write", id),
          decide: ({ entry }) => decide(entry)
        })

      /** The entry, locked behind the heads, in a status in which the command makes sense. */
      const held = Effect.fnUntraced(function* (
        id: BankEntryId,
        name: keyof typeof allowed,
        policyIds: ReadonlyArray<PolicyId> = []
      ) {
        yield* settling.holdHeads(policyIds)
        const { entry } = yield* entries.hold(id)
        const { status } = entry
        if (!allowed[name].includes(status)) {
          const commands = Object.entries(allowed).filter(([, from]) => from.includes(status))
          return yield* new InvalidTransition({
            status,
            command: name,
            allowed: commands.map(([command]) => command)
          })
        }
        return entry
      })

      const written = Effect.fnUntraced(function* (
        name: keyof typeof allowed,
        before: BankEntry,
        after: BankEntry,
        paid: ReadonlyArray<Payment>
      ) {
        yield* entries.update(after)
        yield* entries.settled(after.id)
        yield* audit.record({ action: `bankEntry.${name}`, recordId: after.id, before, after })
        const entry: AllocatedEntry = { ...after, payments: paid }
        return entry
      })

      const allocate = Effect.fn("EntryAllocations.allocate")(function* (
        id: BankEntryId,
        input: AllocateEntry
      ) {
        return yield* run(id, () =>
          Effect.gen(function* () {
            const invoices = yield* facts.byId(input.allocations.map(({ invoiceId }) => invoiceId))
            const policyIds = [...invoices.values()].map(({ policyId }) => policyId)
            const before = yield* held(id, "allocate", policyIds)
            const asked = yield* Effect.fromResult(allocationsOf(before, input, invoices))
            const actor = yield* requestActor
            const paid = yield* orTooMuch(before, settling.pay(before, asked, actor))
            const allocated = asked.reduce((sum, { amount }) => sum + amount, before.allocated)
            const status = allocated === before.amount ? "MATCHED" : "UNMATCHED"
            const after = { ...before, rule: "BY_HAND", allocated, status } as const
            return yield* written("allocate", before, after, paid)
          })
        )
      })

      const paymentsOf = Effect.fnUntraced(function* (id: BankEntryId) {
        const linked = yield* entries.paymentsOf(id)
        return yield* payments.findMany(linked.map(({ paymentId }) => paymentId))
      })

      const unallocate = Effect.fn("EntryAllocations.unallocate")(function* (id: BankEntryId) {
        return yield* run(id, () =>
          Effect.gen(function* () {
            const policyIds = (yield* paymentsOf(id)).map(({ policyId }) => policyId)
            const before = yield* held(id, "unallocate", policyIds)
            // Others may have allocated more, or returned a payment, before the locks were held.
            const found = yield* paymentsOf(id)
            if (found.some(({ policyId }) => !policyIds.includes(policyId))) {
              return yield* new Conflict({})
            }
            const { flag: _, ignored, recordId: __, rule, ...rest } = before
            const isOwn = rule?.startsWith("OWN_") === true || rule === "BANK_CHARGE"
            if (before.allocated === 0 || isOwn) {
              const { status } = before
              return yield* new InvalidTransition({ status, command: "unallocate", allowed: [] })
            }
            const sum = (yield* entries.paymentsOf(id)).reduce((all, { amount }) => all + amount, 0)
            if (ignored !== undefined) {
              yield* setAside(before, sum - before.allocated, ignored.account)
            }
            yield* orTooMuch(before, settling.undo(before, found, yield* requestActor))
            const after: BankEntry = { ...rest, allocated: 0, status: "UNMATCHED" }
            return yield* written("unallocate", before, after, [])
          })
        )
      })

      const setAside = Effect.fnUntraced(function* (
        entry: BankEntry,
        amount: number,
        account: IgnoreEntry["account"]
      ) {
        const { now } = yield* clock.read
        yield* booking.post([
          {
            id: ids.next("entry"),
            bankAccountId: entry.bankAccountId,
            ...forIgnored(entry.bankAccountId, amount, account),
            bankEntryId: entry.id,
            bookedOn: entry.bookedOn,
            recordedAt: now,
            currency: entry.currency
          }
        ])
      })

      const ignore = Effect.fn("EntryAllocations.ignore")(function* (
        id: BankEntryId,
        { account, reason }: IgnoreEntry
      ) {
        return yield* run(id, () =>
          Effect.gen(function* () {
            const before = yield* held(id, "ignore")
            yield* setAside(before, openOf(before), account)
            const after: BankEntry = {
              ...before,
              rule: "BY_HAND",
              status: "IGNORED",
              allocated: before.amount,
              ignored: { account, reason }
            }
            return yield* written("ignore", before, after, [])
          })
        )
      })

      return EntryAllocations.of({ allocate, unallocate, ignore })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankEntriesRepo.layer,
      Command.layer,
      EntryBookingRepo.layer,
      EntrySettling.layer,
      MatchFactsRepo.layer,
      PaymentsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

/** From which statuses people do what. */
const allowed: Readonly<
  Record<"allocate" | "ignore" | "unallocate", ReadonlyArray<BankEntryStatus>>
> = {
  allocate: ["UNMATCHED"],
  unallocate: ["MATCHED", "UNMATCHED", "IGNORED"],
  ignore: ["UNMATCHED"]
}

const orTooMuch = <A, R>(
  entry: BankEntry,
  settle: Effect.Effect<A, { readonly _tag: "InvalidAmount" }, R>
) =>
  Effect.catchTag(settle, "InvalidAmount", () =>
    Effect.fail(new InvalidAllocation({ reason: "TOO_MUCH", open: openOf(entry) }))
  )
