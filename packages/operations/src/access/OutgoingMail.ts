/** Sends the letters that wait: written from their rows, each by one sender at a time. */
import * as Secret from "@quittance/auth/Secret"
import type { InvitationId, LinkPurpose } from "@quittance/domain/access/Invitation"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { maximumAttempts } from "@quittance/persistence/access/LetterRetries"
import {
  type DueLetter,
  type OutgoingLetter,
  OutgoingMailRepo
} from "@quittance/persistence/access/OutgoingMailRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { EventCauses } from "../requests/EventCauses.ts"
import { runFor } from "../requests/TenantBatch.ts"
import { Issuers } from "../tokens/Issuers.ts"
import * as MailText from "@quittance/domain/mail/MailText"
import { OneTimeLinkKey } from "./OneTimeLinkKey.ts"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import { mailFrom } from "../mail/MailSettings.ts"
import type { MailMessage } from "../mail/MailMessage.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

/** The pages that links of letters open. */
export const linkPaths = {
  INVITATION: "/invitation",
  WELCOME: "/invitation",
  PASSWORD_RESET: "/password/reset"
} as const satisfies Record<LinkPurpose, string>

export class OutgoingMail extends Context.Service<
  OutgoingMail,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each is sent at least once:
     * one that fails, or whose sender dies, is tried again, later each time.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/OutgoingMail") {
  /** `MAIL_FROM`: the address that letters come from; else `no-reply` at the authorization server. */
  static readonly layer = Layer.effect(
    OutgoingMail,
    Effect.gen(function* () {
      const causes = yield* EventCauses
      const issuers = yield* Issuers
      const keys = yield* OneTimeLinkKey
      const mailer = yield* Mailer
      const repo = yield* OutgoingMailRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* mailFrom

      /**
       * The secret of the letter's link: of the key of the service that it was made under. Once that key
       * is no longer given the link has ended, and the letter gets another one.
       */
      const tokenOf = Effect.fnUntraced(function* ({ id, tokenHash }: OutgoingLetter) {
        const tokens = keys.tokens(yield* CurrentTenant, id)
        const made = tokens.find((token) => Secret.matches(Redacted.value(token), [tokenHash]))
        if (made !== undefined) return made
        const hash = Secret.hash(Redacted.value(tokens[0]))
        yield* tenantSql.transaction(repo.relink(id, hash))
        return tokens[0]
      })

      const message = (
        tenant: Tenant,
        letter: OutgoingLetter,
        secret: Redacted.Redacted
      ): MailMessage => {
        const issuer = issuers.of(tenant.id)
        const token = Redacted.value(secret)
        const { inviterFirstName = "", inviterLastName = "" } = letter
        const content = MailText.write({
          kind: letter.purpose,
          tenant,
          firstName: letter.firstName,
          inviter: `${inviterFirstName} ${inviterLastName}`.trim(),
          link: `${issuer}${linkPaths[letter.purpose]}?token=${token}`,
          expiresAt: letter.expiresAt
        })
        return {
          ...content,
          id: `${tenant.id}.${letter.id}`,
          from: { name: tenant.name, address: from ?? `no-reply@${new URL(issuer).hostname}` },
          to: letter.email
        }
      }

      const failed = Effect.fnUntraced(function* (letter: OutgoingLetter, failure: MailNotSent) {
        const { reason } = failure
        const giveUp = reason === "ADDRESS" || letter.attempts >= maximumAttempts
        yield* tenantSql.transaction(repo.fail(letter, reason, { giveUp }))
        yield* giveUp
          ? Effect.logError("An e-mail failed and is not retried", failure)
          : Effect.logWarning("A letter was not sent and is tried again", failure)
      })

      const send = Effect.fn("OutgoingMail.send")(function* (id: InvitationId) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant === undefined) return
        const letter = yield* tenantSql.transaction(repo.claim(id))
        if (letter === undefined) return
        yield* causes.linkToNewest(id)
        const token = yield* tokenOf(letter)
        // A link that was withdrawn or used meanwhile needs no mail.
        const isWanted = letter.status === "PENDING"
        const sending = isWanted ? mailer.send(message(tenant, letter, token)) : Effect.void
        yield* sending.pipe(
          Effect.andThen(tenantSql.transaction(repo.remove(letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      })

      /** One letter; what fails is logged and holds up no other. A letter that has left is also removed. */
      const one = ({ invitationId, tenantId }: DueLetter) =>
        runFor(tenantId, send(invitationId), {
          message: "A letter could not be sent and is tried again",
          answer: undefined
        }).pipe(Effect.annotateLogs({ invitation: invitationId }))

      const round = Effect.gen(function* () {
        const due = yield* repo.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("Letters.round"))

      return OutgoingMail.of({ round })
    })
  ).pipe(
    Layer.provide([
      EventCauses.layer,
      OutgoingMailRepo.layer,
      OneTimeLinkKey.layer,
      TenantDirectory.layer
    ])
  )
}
