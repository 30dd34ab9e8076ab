/** Sends the letters that wait: written anew from their rows, each by one sender at a time. */
import type { InvitationId, LinkPurpose } from "@quittance/domain/access/Invitation"
import { CurrentTenant, type Tenant } from "@quittance/domain/tenants/Tenant"
import {
  type DueLetter,
  type Letter,
  LettersRepo,
  maximumAttempts
} from "@quittance/persistence/access/OutgoingMailRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import { Issuers } from "../tokens/Issuers.ts"
import * as LetterText from "./MailText.ts"
import { LinkKey } from "./OneTimeLinkKey.ts"
import { Mailer, type MailNotSent } from "../mail/Mailer.ts"
import type { MailMessage } from "../mail/MailMessage.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"

/** Letters of one round, and of them as many at a time. */
const lettersOfRound = 100
const lettersAtOnce = 4

/** The pages that links of letters open. */
export const linkPaths = {
  INVITATION: "/invitation",
  WELCOME: "/invitation",
  PASSWORD_RESET: "/password/reset"
} as const satisfies Record<LinkPurpose, string>

export class Letters extends Context.Service<
  Letters,
  {
    /**
     * Sends the letters that are due, of all tenants; whether more may be. Each is sent at least once:
     * one that fails, or whose sender dies, is tried again, later each time.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/Letters") {
  /** `MAIL_FROM`: the address that letters come from; else `no-reply` at the authorization server. */
  static readonly layer = Layer.effect(
    Letters,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const keys = yield* LinkKey
      const mailer = yield* Mailer
      const repo = yield* LettersRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const from = yield* Config.String("MAIL_FROM").pipe(Config.withDefault(undefined))

      const message = (tenant: Tenant, letter: Letter): MailMessage => {
        const issuer = issuers.of(tenant.id)
        const token = Redacted.value(keys.token(tenant.id, letter.id))
        const { inviterFirstName = "", inviterLastName = "" } = letter
        const content = LetterText.write({
          purpose: letter.purpose,
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

      const failed = Effect.fnUntraced(function* (letter: Letter, failure: MailNotSent) {
        if (failure.reason === "TRANSPORT" && letter.attempts < maximumAttempts) {
          return yield* Effect.logWarning("A letter was not sent and is tried again", failure)
        }
        yield* tenantSql.transaction(repo.giveUp(letter))
        yield* Effect.logError("A letter is given up", failure)
      })

      const send = Effect.fn("Letters.send")(function* (id: InvitationId) {
        const letter = yield* tenantSql.transaction(repo.claim(id))
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (letter === undefined || tenant === undefined) return
        // Whoever withdrew the link meanwhile, or used it, wants no letter.
        const isWanted = letter.status === "PENDING"
        const sending = isWanted ? mailer.send(message(tenant, letter)) : Effect.void
        yield* sending.pipe(
          Effect.andThen(tenantSql.transaction(repo.remove(letter))),
          Effect.catchTag("MailNotSent", (failure) => failed(letter, failure))
        )
      })

      /** One letter; what fails is logged and holds up no other. */
      const one = ({ invitationId, tenantId }: DueLetter) =>
        send(invitationId).pipe(
          Effect.catchCause((cause) =>
            Effect.logError("A letter could not be sent and is tried again", cause)
          ),
          Effect.provideService(CurrentTenant, tenantId),
          Effect.annotateLogs({ tenant: tenantId, invitation: invitationId }),
          // A letter that has left is also removed, when the process is told to stop meanwhile.
          Effect.uninterruptible
        )

      const round = Effect.gen(function* () {
        const due = yield* repo.due(lettersOfRound)
        yield* Effect.forEach(due, one, { concurrency: lettersAtOnce, discard: true })
        return due.length === lettersOfRound
      }).pipe(Effect.withSpan("Letters.round"))

      return Letters.of({ round })
    })
  ).pipe(Layer.provide([LettersRepo.layer, LinkKey.layer, TenantDirectory.layer]))
}
