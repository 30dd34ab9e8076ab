/** Sends the letters that tell payers of debits: each by one sender at a time, written from its debit. */
import { laterDays } from "@quittance/bank/DebitDays"
import { numberText } from "@quittance/domain/billing/InvoiceNumber"
import type { Debit, DebitId } from "@quittance/domain/collections/Debit"
import { writeDebitLetter } from "@quittance/domain/mail/DebitLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { localDate } from "@quittance/domain/values/TimeZone"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type ClaimedDebitLetter,
  DebitLettersRepo,
  type DueDebitLetter
} from "@quittance/persistence/collections/DebitLettersRepo"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { DebitAnnouncing } from "./DebitAnnouncing.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

export class DebitLetters extends Context.Service<
  DebitLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each is sent at least once, and its debit
     * counts its days from then. One that can't be sent is tried ten times; then people have to tell the payer.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/DebitLetters") {
  static readonly layer = Layer.effect(
    DebitLetters,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const announcing = yield* DebitAnnouncing
      const clock = yield* TenantClockRepo
      const debits = yield* DebitsRepo
      const issuers = yield* Issuers
      const letters = yield* DebitLettersRepo
      const mailer = yield* Mailer
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      const failed = Effect.fnUntraced(function* (
        letter: ClaimedDebitLetter,
        failure: MailNotSent
      ) {
        const isLast = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        if (isLast) yield* announcing.leftToPeople(letter.debitId)
        yield* tenantSql.transaction(isLast ? letters.remove(letter) : letters.fail(letter))
        yield* Effect.logWarning("A payer could not be told of a debit by e-mail", failure)
      })

      /** The day of which the payer is told, as of the letter: none comes before it. */
      const dayOf = Effect.fnUntraced(function* (debit: Debit) {
        const { settings } = yield* accounts.find(debit.bankAccountId)
        const { now } = yield* clock.read
        const notifiedOn = debit.notifiedOn ?? localDate(now, settings.timeZone)
        const { collectOn } =
          debit.notifiedOn === undefined ? laterDays(debit, { notifiedOn }, settings, now) : debit
        return { collectOn, notifiedOn }
      })

      const send = Effect.fn("DebitLetters.send")(function* (id: DebitId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(letters.claim(id))
        if (letter === undefined) return
        const debit = yield* debits.find(id)
        const { email, invoices, ...told } = yield* letters.told(id)
        const isWanted = debit.status !== "CANCELLED" && debit.announcement === "EMAIL"
        if (!isWanted) return yield* tenantSql.transaction(letters.remove(letter))
        const { collectOn, notifiedOn } = yield* dayOf(debit)
        const { hostname } = new URL(issuers.of(tenant.id))
        const text = writeDebitLetter({
          ...told,
          tenant,
          name: told.name,
          collectOn,
          invoices: invoices.map(numberText)
        })
        const message = {
          ...text,
          id: `${tenant.id}.${id}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          // Where the payer's address was taken away meanwhile, none is written to.
          to: email ?? ""
        }
        yield* mailer.send(message).pipe(
          Effect.andThen(announcing.told(id, notifiedOn)),
          Effect.andThen(tenantSql.transaction(letters.remove(letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      })

      const one = ({ debitId, tenantId }: DueDebitLetter) =>
        runFor(tenantId, send(debitId), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        }).pipe(Effect.annotateLogs({ debit: debitId }))

      const round = Effect.gen(function* () {
        const due = yield* letters.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("DebitLetters.round"))

      return DebitLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      DebitAnnouncing.layer,
      DebitLettersRepo.layer,
      DebitsRepo.layer,
      TenantClockRepo.layer,
      TenantDirectory.layer
    ])
  )
}
