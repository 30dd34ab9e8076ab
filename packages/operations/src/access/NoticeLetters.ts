/** Sends the letters that tell users of something: each by one sender at a time, written from its row. */
import * as MailText from "@quittance/domain/mail/MailText"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type DueNotice,
  type NoticeLetter,
  NoticeLettersRepo
} from "@quittance/persistence/access/NoticeLettersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import type { MailMessage } from "../mail/MailMessage.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { OneTimeLinkKey } from "./OneTimeLinkKey.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

/** The page on which people ask for another password. */
export const forgotPath = "/password/forgot"

/** The page on which users end letters about webhooks. */
export const refusalPath = "/letters/refuse"

export class NoticeLetters extends Context.Service<
  NoticeLetters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each is sent at least once. One
     * that can't be sent is tried ten times, then abandoned: the log names its user.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/NoticeLetters") {
  static readonly layer = Layer.effect(
    NoticeLetters,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const keys = yield* OneTimeLinkKey
      const mailer = yield* Mailer
      const repo = yield* NoticeLettersRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      const message = (tenant: Tenant, letter: NoticeLetter): MailMessage => {
        const issuer = issuers.of(tenant.id)
        const head = {
          id: `${tenant.id}.${letter.id}`,
          from: { name: tenant.name, address: from ?? `no-reply@${new URL(issuer).hostname}` },
          to: letter.email
        }
        const { firstName, happenedAt: at } = letter
        if (!("webhookId" in letter)) {
          const { kind } = letter
          const link = `${issuer}${forgotPath}`
          return { ...head, ...MailText.writeNotice({ kind, tenant, firstName, at, link }) }
        }
        const { kind, userId, webhookId } = letter
        const token = Redacted.value(keys.token(tenant.id, userId))
        const unsubscribe = `${issuer}${refusalPath}?user=${userId}&token=${token}`
        const content = { kind, tenant, firstName, at, webhookId, unsubscribe }
        return { ...head, ...MailText.writeNotice(content), unsubscribe }
      }

      const failed = Effect.fnUntraced(function* (letter: NoticeLetter, failure: MailNotSent) {
        const isAbandoned = failure.reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(isAbandoned ? repo.remove(letter) : repo.retry(letter))
        yield* isAbandoned
          ? Effect.logError("A letter that tells a user of a change is abandoned", failure)
          : Effect.logWarning("A letter was not sent and is tried again", failure)
      })

      const send = Effect.fn("NoticeLetters.send")(function* (id: string) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(repo.claim(id))
        if (letter === undefined) return
        yield* Effect.annotateLogsScoped({ user: letter.userId, letter: letter.kind })
        // More attempts than that are of senders that it has killed.
        const isTried = letter.isWanted && letter.attempts <= maximumAttempts
        const sending = isTried ? mailer.send(message(tenant, letter)) : Effect.void
        yield* sending.pipe(
          Effect.andThen(tenantSql.transaction(repo.remove(letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      }, Effect.scoped)

      const one = ({ id, tenantId }: DueNotice) =>
        runFor(tenantId, send(id), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        })

      const round = Effect.gen(function* () {
        const due = yield* repo.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("NoticeLetters.round"))

      return NoticeLetters.of({ round })
    })
  ).pipe(Layer.provide([NoticeLettersRepo.layer, OneTimeLinkKey.layer, TenantDirectory.layer]))
}
