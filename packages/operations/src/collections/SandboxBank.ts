/** What people ask of the simulated bank of their sandbox; in production there is none. */
import { statementOf } from "@quittance/bank/SimulatedDays"
import { testAccounts } from "@quittance/bank/TestAccounts"
import type {
  SendBankTransfer,
  SimulatedTransfer
} from "@quittance/domain/collections/SimulatedTransfer"
import type { TestAccounts } from "@quittance/domain/collections/TestAccount"
import type { BankAccountNotFound } from "@quittance/domain/payments/BankAccount"
import { lastFourOf } from "@quittance/domain/payments/Iban"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference,
  RouteNotFound
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { SimulatedTransfersRepo } from "@quittance/persistence/collections/SimulatedTransfersRepo"
import {
  BankAccountsRepo,
  type StoredBankAccount
} from "@quittance/persistence/payments/BankAccountsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { AccountSeals } from "../payments/AccountSeals.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller

type TransferFailure =
  | BankAccountNotFound
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidReference
  | RouteNotFound

export class SandboxBank extends Context.Service<
  SandboxBank,
  {
    /** Accounts that each fail in their own way, and one that does not. */
    readonly testAccounts: Effect.Effect<TestAccounts, Forbidden | RouteNotFound, Asked>
    /**
     * Has a payer transfer money to an account at the simulated bank. The statement of the day on which it
     * arrives tells it, as a bank's does.
     */
    transfer(
      input: SendBankTransfer
    ): Effect.Effect<SimulatedTransfer, TransferFailure, Asked | CurrentRequest>
  }
>()("@quittance/operations/SandboxBank") {
  static readonly layer = Layer.effect(
    SandboxBank,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const due = yield* DueItemsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const repo = yield* SimulatedTransfersRepo
      const seals = yield* AccountSeals
      const tenants = yield* TenantsRepo

      const inSandbox = Effect.gen(function* () {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant?.environment === "production") return yield* new RouteNotFound({})
      })

      /** Whether the simulated bank has the account, and takes euros for it: others have a bank of their own. */
      const checked = (
        { id, settings: { channel, closedAt, currency } }: StoredBankAccount,
        now: Instant
      ) =>
        channel === "SIMULATED" && currency === "EUR" && (closedAt === undefined || now < closedAt)
          ? Effect.void
          : new InvalidReference({
              field: "bankAccountId",
              value: id,
              expected: "an account in EUR with the channel SIMULATED that is not closed"
            })

      const received = Effect.fnUntraced(function* (
        account: StoredBankAccount,
        { bankAccountId, debtorIban, on: askedFor, ...told }: SendBankTransfer
      ) {
        const { timeZone } = account.settings
        const { now } = yield* clock.read
        yield* checked(account, now)
        const today = localDate(now, timeZone)
        const on = askedFor ?? today
        const last = addDays(today, mostDaysLater)
        if (on < today || on > last) return yield* outOfReach(on, today, last)
        const transfer: SimulatedTransfer = {
          id: ids.next("bank_transfer"),
          bankAccountId,
          ...told,
          debtorLast4: lastFourOf(Redacted.value(debtorIban)),
          ...statementOf(on, now, timeZone)
        }
        const { sealedIban } = yield* seals.seal(transfer.id, debtorIban)
        yield* repo.insert(transfer, { sealedIban, receivedAt: now })
        // At once, so that what the account tells earlier is not put off: the bank sees when it is next.
        yield* due.schedule([{ kind: "answerAsBank", recordId: bankAccountId, dueAt: now }])
        const { amount, bookedOn, id: recordId } = transfer
        const after = { bankAccountId, amount, bookedOn }
        yield* audit.record({ action: "bankTransfer.receive", recordId, after, businessAt: now })
        return transfer
      })

      const transfer = Effect.fn("SandboxBank.transfer")(function* (input: SendBankTransfer) {
        yield* inSandbox
        return yield* command.run({
          // Its statements are told under the same lock, so that none has left which the day is asked of.
          authorize: accounts.authorizeId("collection.write", input.bankAccountId, { lock: true }),
          decide: (account) => received(account, input)
        })
      })

      return SandboxBank.of({
        testAccounts: Effect.gen(function* () {
          yield* inSandbox
          yield* grants.requireOnTenant("collection.read")
          return { data: testAccounts }
        }).pipe(Effect.withSpan("SandboxBank.testAccounts")),
        transfer
      })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      AuditTrail.layer,
      BankAccountsRepo.layer,
      Command.layer,
      DueItemsRepo.layer,
      GrantsRepo.layer,
      SimulatedTransfersRepo.layer,
      TenantClockRepo.layer,
      TenantsRepo.layer
    ])
  )
}

/** What arrives later than that is sent later. */
const mostDaysLater = 366

const outOfReach = (value: LocalDate, first: LocalDate, last: LocalDate) =>
  new InvalidReference({ field: "on", value, expected: `a day from ${first} to ${last}` })
