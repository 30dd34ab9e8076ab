/** Gives a file its bytes, once and for good: with numbers of accounts, so where the keys are. */
import type {
  Amendment,
  CollectionFile,
  DebitGroup,
  DebitOrder
} from "@quittance/bank/PaymentOrders"
import { writableDebit, writableParty } from "@quittance/bank/PaymentOrders"
import { writeCollection } from "@quittance/bank/Pain008"
import type { ProfileFault } from "@quittance/bank/Profile"
import { bankText, longestName } from "@quittance/bank/Sepa"
import { numberText } from "@quittance/domain/billing/InvoiceNumber"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import type { MandateAmendment } from "@quittance/domain/payments/MandateRecord"
import {
  commandedFile,
  type PaymentFile,
  type PaymentFileGroup,
  type PaymentFileId,
  type PaymentFileNotFound
} from "@quittance/domain/collections/PaymentFile"
import { InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type FiledDebit,
  FiledDebitsRepo
} from "@quittance/persistence/collections/FiledDebitsRepo"
import {
  PaymentFilesRepo,
  type StoredPaymentFile
} from "@quittance/persistence/collections/PaymentFilesRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { Contents } from "../contents/Contents.ts"
import { AccountSeals } from "../payments/AccountSeals.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { worker } from "./DebitFilling.ts"

export class FileSealing extends Context.Service<
  FileSealing,
  {
    /**
     * The file with its bytes, which are made now where it has none yet. Where they break what banks ask for the file
     * says how, and can only be cancelled.
     */
    seal(
      id: PaymentFileId
    ): Effect.Effect<StoredPaymentFile, InvalidTransition | PaymentFileNotFound, CurrentTenant>
  }
>()("@quittance/operations/FileSealing") {
  static readonly layer = Layer.effect(
    FileSealing,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const filed = yield* FiledDebitsRepo
      const repo = yield* PaymentFilesRepo
      const seals = yield* AccountSeals
      const tenantSql = yield* TenantSql

      const written = Effect.fnUntraced(function* (file: PaymentFile) {
        const account = yield* accounts.find(file.bankAccountId)
        const iban = Redacted.value(yield* seals.open(account.id, account.sealedIban))
        const debits = yield* Effect.forEach(yield* filed.ofFile(file.id), (debit) =>
          Effect.map(seals.open(debit.paymentMethodId, debit.sealedIban), (number) => ({
            ...debit,
            iban: Redacted.value(number)
          }))
        )
        return writtenFile(file, { iban, settings: account.settings }, debits)
      })

      const seal = Effect.fn("FileSealing.seal")(function* (id: PaymentFileId) {
        const before = yield* repo.find(id)
        if (before.contentAddress !== undefined) return before
        yield* Effect.fromResult(commandedFile(before.status, "seal"))
        const { bytes, count, faults, groups, sum } = yield* written(before)
        const content = faults.length > 0 ? undefined : yield* contents.put(bytes)
        const kept = yield* tenantSql.transaction(
          Effect.gen(function* () {
            const held = yield* repo.hold(id)
            // Another one was faster: what was kept first is the file.
            if (held.contentAddress !== undefined) return held
            yield* Effect.fromResult(commandedFile(held.status, "seal"))
            const totals = yield* repo.totals(id)
            if (totals.count !== count || totals.sum !== sum || held.sum !== sum) {
              return yield* Effect.die(new Error(`The debits of ${id} are not what its text says`))
            }
            const known: StoredPaymentFile = { ...held, groups, faults }
            if (content === undefined) {
              yield* repo.update(known)
              return known
            }
            const { now } = yield* clock.read
            const { address: contentAddress, sha256 } = content
            const sealed = { ...known, contentAddress, sha256, sealedAt: now }
            const after: StoredPaymentFile = { ...sealed, status: "SEALED" }
            yield* repo.update(after)
            yield* audit.recordAll(worker, [
              { action: "paymentFile.seal", recordId: id, businessAt: now }
            ])
            return after
          })
        )
        if (kept.contentAddress !== undefined) return kept
        const { status } = kept
        return yield* new InvalidTransition({ status, command: "seal", allowed: ["cancel"] })
      })

      return FileSealing.of({ seal })
    })
  ).pipe(
    Layer.provide([
      AccountSeals.layer,
      AuditTrail.layer,
      BankAccountsRepo.layer,
      Contents.layer,
      FiledDebitsRepo.layer,
      PaymentFilesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

/** A debit whose account's number was opened. */
interface OpenedDebit extends FiledDebit {
  readonly iban: string
}

interface WrittenFile {
  readonly bytes: Uint8Array
  readonly groups: ReadonlyArray<PaymentFileGroup>
  readonly count: number
  readonly sum: number
  readonly faults: ReadonlyArray<ProfileFault>
}

/** Writes a file with these debits, in their order. */
const writtenFile = (
  { message, messageId, openedAt, scheme }: PaymentFile,
  { iban, settings }: { readonly iban: string; readonly settings: BankAccountSettings },
  debits: ReadonlyArray<OpenedDebit>
): WrittenFile => {
  const { characters, maxTransactions } = settings.profile
  const grouped = [
    ...Map.groupBy(debits, (one) => `${one.sequence} ${one.collectOn} ${one.creditorIdentifier}`)
  ]
  const groups = grouped.map(([, own], index): DebitGroup => ({
    paymentInformationId: `${messageId}-${index + 1}`,
    scheme,
    // A group has at least one debit, and they have these in common.
    sequence: own[0]!.sequence,
    collectOn: own[0]!.collectOn,
    batchBooking: settings.profile.batchBooking,
    creditor: writableParty(settings.holder, characters),
    account: { iban, bic: settings.bic },
    creditorIdentifier: own[0]!.creditorIdentifier,
    count: own.length,
    sum: sumOf(own),
    orders: own.map((debit) => writableDebit(orderOf(debit), characters))
  }))
  const file: CollectionFile = {
    messageId,
    createdAt: openedAt,
    initiator: bankText(settings.holder.name, longestName, characters),
    count: debits.length,
    sum: sumOf(debits),
    groups
  }
  const texts: Array<string> = []
  const faults: Array<ProfileFault> = []
  // The account says which of the two messages it takes.
  for (const slice of writeCollection(file, message as "pain.008.001.02" | "pain.008.001.08", {
    characters,
    maxTransactions
  })) {
    texts.push(slice.text)
    faults.push(...slice.faults)
  }
  return {
    bytes: Buffer.from(texts.join("")),
    groups: groups.map(({ collectOn, count, paymentInformationId, sequence, sum }) => ({
      paymentInformationId,
      // No mandate is told as at its last debit.
      sequence: sequence as PaymentFileGroup["sequence"],
      collectOn,
      count,
      sum
    })),
    count: file.count,
    sum: file.sum,
    faults
  }
}

const sumOf = (debits: ReadonlyArray<FiledDebit>): number =>
  debits.reduce((sum, { amount }) => sum + amount, 0)

const orderOf = (debit: OpenedDebit): DebitOrder => ({
  endToEndId: debit.endToEndId,
  amount: debit.amount,
  currency: debit.currency,
  umr: debit.umr,
  signedOn: debit.signedOn,
  amendment: amendmentOf(debit.amendments),
  debtor: { name: debit.holderName, address: debit.holderAddress },
  account: { iban: debit.iban, bic: debit.bic },
  remittance: debit.invoiceNumbers.map(numberText).join(", ")
})

/** What the debtor's bank does not know yet: told with each debit until one was not rejected. */
const amendmentOf = (amendments: ReadonlyArray<MandateAmendment>): Amendment | undefined => {
  const untold = amendments.filter(({ status }) => status !== "DONE")
  const from = (kind: MandateAmendment["kind"]) => untold.find((one) => one.kind === kind)?.from
  return untold.length === 0
    ? undefined
    : {
        originalUmr: from("UMR"),
        originalCreditorIdentifier: from("CREDITOR"),
        isNewAccount: from("ACCOUNT") !== undefined
      }
}
