/** Invitations: made, listed, withdrawn, sent again. */
import type { StoredLink } from "@quittance/domain/access/StoredLink"
import type { CreateInvitation } from "@quittance/domain/access/InvitationRequests"
import {
  CurrentCaller,
  type Forbidden,
  subject,
  type UserId
} from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import {
  type Invitation,
  InvitationClosed,
  type InvitationId,
  InvitationNotFound,
  letterLimit,
  linkLifetimes,
  longestInvitation
} from "@quittance/domain/access/Invitation"
import * as Page from "@quittance/domain/values/Page"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidEffectiveDate,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { normalizeEmail, type User } from "@quittance/domain/access/User"
import { RecordTargets } from "@quittance/persistence/access/RecordTargets"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { InvitationsRepo } from "@quittance/persistence/access/InvitationsRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { AuthorityExceeded } from "@quittance/domain/access/Authority"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import { OneTimeLinks, toInvitation } from "./OneTimeLinks.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { sha256 } from "../values/Sha256.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Scoped = CurrentTenant | CurrentCaller
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Needs `invitation.write` and every action that it gives, where it gives it. */
    create(
      input: CreateInvitation
    ): Effect.Effect<
      Invitation,
      AuthorityExceeded | InvalidEffectiveDate | InvalidReference | RateLimited | WriteFailure,
      Scoped | CurrentRequest
    >
    /** The newest first: all of the tenant where the caller may invite on all of it, else their own. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<Invitation>, Forbidden, Scoped>
    get(id: InvitationId): Effect.Effect<Invitation, Forbidden | InvitationNotFound, Scoped>
    revoke(
      id: InvitationId
    ): Effect.Effect<void, InvitationNotFound | WriteFailure, Scoped | CurrentRequest>
    /** Sends the letter again; its link is the same, and lasts a week more. */
    resend(
      id: InvitationId
    ): Effect.Effect<
      Invitation,
      InvitationClosed | InvitationNotFound | RateLimited | WriteFailure,
      Scoped | CurrentRequest
    >
    /** Withdraws the invitations of a user who may no longer make them. */
    withdrawOf(userId: UserId): Effect.Effect<void, never, CurrentTenant>
    /** Lets a new user choose their password: belongs into the transaction that makes the user. */
    welcome(user: User): Effect.Effect<StoredLink, never, Scoped>
  }
>()("@quittance/operations/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const grants = yield* GrantsRepo
      const limits = yield* RateLimits
      const links = yield* OneTimeLinks
      const repo = yield* InvitationsRepo
      const targets = yield* RecordTargets

      /** What the invitation gives, once the caller was found to be allowed to give it. */
      const given = Effect.fnUntraced(function* ({ customerId, permissions }: CreateInvitation) {
        if (customerId === undefined) {
          yield* authority.requireToGive("invitation.write", permissions ?? [])
          return permissions ?? []
        }
        const policies = (yield* targets.find([customerId])).get(customerId)?.records ?? []
        // Claiming a customer who is on no policy would need no permission at all.
        if (policies.length === 0) {
          return yield* new InvalidReference({ field: "customerId", value: customerId })
        }
        const ofCustomer = policies.map((recordId): Grant => ({
          role: "POLICYHOLDER",
          on: { kind: "RECORD", recordId }
        }))
        // Naming a customer needs the permission to let a user be that customer.
        yield* authority.requireToGive("invitation.write", [...ofCustomer, ...(permissions ?? [])])
        return permissions ?? ofCustomer
      })

      const expiry = Effect.fnUntraced(function* (expiresAt: Instant | undefined) {
        if (expiresAt === undefined) return { inSeconds: linkLifetimes.INVITATION }
        const now = yield* Clock.currentTimeMillis
        const [earliest, latest] = [now, now + longestInvitation * 1000].map(fromEpochMillis)
        return expiresAt > earliest! && expiresAt <= latest!
          ? { at: expiresAt }
          : yield* new InvalidEffectiveDate({
              field: "expiresAt",
              earliest: earliest!,
              latest: latest!
            })
      })

      /** No address is flooded with mails, over all inviters. */
      const takeLetter = (email: string) =>
        limits.take(`letter:${sha256(normalizeEmail(email))}`, letterLimit)

      const create = Effect.fn("Invitations.create")(function* (input: CreateInvitation) {
        const decide = Effect.fnUntraced(function* () {
          const permissions = yield* given(input)
          const expires = yield* expiry(input.expiresAt)
          yield* takeLetter(input.email)
          const caller = yield* CurrentCaller
          const { email, firstName, lastName, customerId } = input
          const row = yield* links.make({
            purpose: "INVITATION",
            email,
            firstName,
            lastName,
            customerId,
            permissions,
            invitedBy: subject(caller),
            expires
          })
          const after = toInvitation(row)
          yield* audit.record({ action: "invitation.create", recordId: row.id, after })
          return after
        })
        return yield* command.run({ authorize: grants.coverage("invitation.write"), decide })
      })

      const list = Effect.fn("Invitations.list")(function* (page: Page.PageRequest) {
        const coverage = yield* grants.coverage("invitation.write")
        const mine = coverage._tag === "Tenant" ? undefined : subject(yield* CurrentCaller)
        const { rows, total } = yield* repo.list(mine, page)
        return Page.make(rows.map(toInvitation), total, page)
      })

      /** An invitation, and the permission to look after it: on the tenant, or by having made it. */
      const authorize = Effect.fnUntraced(function* (id: InvitationId, lock: boolean) {
        const row = yield* repo.find(id, { lock })
        if (row?.purpose !== "INVITATION")
          return yield* new InvitationNotFound({ invitationId: id })
        const caller = yield* CurrentCaller
        const coverage = yield* grants.coverage("invitation.write")
        const isIts = coverage._tag === "Tenant" || row.invitedBy === subject(caller)
        return isIts ? row : yield* grants.refuse("invitation.write")
      })

      const get = Effect.fn("Invitations.get")(function* (id: InvitationId) {
        return toInvitation(yield* authorize(id, false))
      })

      const revoke = Effect.fn("Invitations.revoke")(function* (id: InvitationId) {
        const decide = Effect.fnUntraced(function* (before: StoredLink) {
          if (before.status === "PENDING") {
            yield* repo.revoke(id)
            const after = toInvitation({ ...before, status: "REVOKED" })
            yield* audit.record({
              action: "invitation.revoke",
              recordId: id,
              before: toInvitation(before),
              after
            })
          }
          return null
        })
        yield* command.run({ authorize: authorize(id, true), decide })
      })

      const resend = Effect.fn("Invitations.resend")(function* (id: InvitationId) {
        const decide = Effect.fnUntraced(function* (before: StoredLink) {
          const { status } = before
          if (status === "ACCEPTED" || status === "REVOKED") {
            return yield* new InvitationClosed({ status })
          }
          yield* takeLetter(before.email)
          const after = toInvitation(yield* repo.renew(id, linkLifetimes.INVITATION))
          yield* audit.record({
            action: "invitation.resend",
            recordId: id,
            before: toInvitation(before),
            after
          })
          return after
        })
        return yield* command.run({ authorize: authorize(id, true), decide })
      })

      const welcome = Effect.fn("Invitations.welcome")(function* (user: User) {
        const { email, firstName, id: userId, lastName } = user
        return yield* links.make({
          purpose: "WELCOME",
          email,
          firstName,
          lastName,
          userId,
          permissions: [],
          invitedBy: subject(yield* CurrentCaller),
          expires: { inSeconds: linkLifetimes.WELCOME }
        })
      })

      return Invitations.of({
        create,
        list,
        get,
        revoke,
        resend,
        withdrawOf: repo.revokeBy,
        welcome
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      InvitationsRepo.layer,
      OneTimeLinks.layer,
      RateLimits.layer
    ])
  )
}
