/** Sends the letters that acknowledge withdrawals: each by one sender at a time, written from its withdrawal. */
import { writeWithdrawal } from "@quittance/domain/mail/WithdrawalLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import type { Withdrawal, WithdrawalId } from "@quittance/domain/withdrawals/Withdrawal"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import {
  type ClaimedLetter,
  type DueWithdrawalLetter,
  WithdrawalLettersRepo
} from "@quittance/persistence/withdrawals/WithdrawalLettersRepo"
import { WithdrawalsRepo } from "@quittance/persistence/withdrawals/WithdrawalsRepo"
import { Context, Effect, Layer } from "effect"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import type { MailMessage } from "../mail/MailMessage.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

export class WithdrawalLetters extends Context.Service<
  WithdrawalLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each is sent at least once. One that
     * can't be sent is tried ten times; then it is counted as failed, and the log names its withdrawal.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/WithdrawalLetters") {
  static readonly layer = Layer.effect(
    WithdrawalLetters,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const issuers = yield* Issuers
      const mailer = yield* Mailer
      const policies = yield* PoliciesRepo
      const letters = yield* WithdrawalLettersRepo
      const repo = yield* WithdrawalsRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      const message = (
        tenant: Tenant,
        { confirmedAt, refundDueOn, ...withdrawal }: Withdrawal,
        policyNumber: number
      ): MailMessage => {
        const hostname = new URL(issuers.of(tenant.id)).hostname
        return {
          ...writeWithdrawal({
            ...withdrawal,
            tenant,
            policyNumber,
            // Only what is confirmed has a letter.
            confirmedAt: confirmedAt!,
            refundDueOn: refundDueOn!
          }),
          id: `${tenant.id}.${withdrawal.id}`,
          from: { name: tenant.name, address: from ?? `no-reply@${hostname}` },
          to: withdrawal.email
        }
      }

      const failed = Effect.fnUntraced(function* (letter: ClaimedLetter, failure: MailNotSent) {
        const giveUp = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(letters.fail(letter, { giveUp }))
        yield* giveUp
          ? Effect.logError("The acknowledgement of a withdrawal is not tried again", failure)
          : Effect.logWarning("A letter was not sent and is tried again", failure)
      })

      const send = Effect.fn("WithdrawalLetters.send")(function* (id: WithdrawalId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(letters.claim(id))
        if (letter === undefined) return
        yield* Effect.annotateLogsScoped({ withdrawal: id })
        const withdrawal = yield* Effect.orDie(repo.find(id))
        const [policy] = yield* policies.findMany([withdrawal.policyId])
        const { now } = yield* clock.read
        // A withdrawal has its policy, which is never deleted.
        yield* mailer.send(message(tenant, withdrawal, policy!.incrementalId)).pipe(
          Effect.andThen(tenantSql.transaction(letters.sent(letter, now))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      }, Effect.scoped)

      const one = ({ tenantId, withdrawalId }: DueWithdrawalLetter) =>
        runFor(tenantId, send(withdrawalId), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        })

      const round = Effect.gen(function* () {
        const due = yield* letters.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("WithdrawalLetters.round"))

      return WithdrawalLetters.of({ round })
    })
  ).pipe(
    Layer.provide([
      PoliciesRepo.layer,
      TenantClockRepo.layer,
      TenantDirectory.layer,
      WithdrawalLettersRepo.layer,
      WithdrawalsRepo.layer
    ])
  )
}
