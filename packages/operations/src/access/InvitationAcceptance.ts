/** Invitations accepted by an existing identity: a visitor's session, or a signed-in user. */
import type { StoredLink } from "@quittance/domain/access/StoredLink"
import type { AcceptInvitation } from "@quittance/domain/access/InvitationRequests"
import type {
  AnonymousSession,
  StartedAnonymousSession
} from "@quittance/domain/access/AnonymousSession"
import {
  type AnonymousSessionId,
  CurrentCaller,
  Unauthorized,
  type UserId
} from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import {
  AccountRequired,
  type InvitationNotFound,
  isForSession,
  SessionLinked
} from "@quittance/domain/access/Invitation"
import type { WeakPassword } from "@quittance/domain/tokens/Password"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { lifetimes } from "@quittance/domain/tokens/Token"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, type Redacted } from "effect"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { Accounts, type AccountForm, onceMore } from "./Accounts.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { OneTimeLinks } from "./OneTimeLinks.ts"
import { TokenIssuer } from "../tokens/TokenIssuer.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Whom the invitation has let in: a session that is new, or a user with what they may do now. */
export type Accepted =
  | StartedAnonymousSession
  | { readonly userId: UserId; readonly permissions: ReadonlyArray<Grant> }

type Failure =
  | AccountRequired
  | InvitationNotFound
  | RateLimited
  | SessionLinked
  | Unauthorized
  | WeakPassword

export class InvitationAcceptance extends Context.Service<
  InvitationAcceptance,
  {
    /**
     * Accepts an invitation. A user's grants grow. A session ends, and its grants go to a new one, or to the
     * account that it makes: the old token opens nothing. A session without an account takes a policyholder's
     * grants on records, and no others.
     */
    accept(
      input: AcceptInvitation
    ): Effect.Effect<Accepted, Failure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/InvitationAcceptance") {
  static readonly layer = Layer.effect(
    InvitationAcceptance,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const accounts = yield* Accounts
      const audit = yield* AuditTrail
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const issuer = yield* TokenIssuer
      const links = yield* OneTimeLinks
      const sessions = yield* AnonymousSessionsRepo
      const tenantSql = yield* TenantSql

      const onRecord = (link: StoredLink, after: unknown) =>
        audit.record({ action: "invitation.accept", recordId: link.id, after })

      const byUser = Effect.fnUntraced(function* (userId: UserId, token: Redacted.Redacted) {
        const link = yield* links.use(token, ["INVITATION"])
        yield* grants.giveAll(userId, link.permissions)
        yield* onRecord(link, { userId })
        return { userId, permissions: yield* grants.of(userId) }
      })

      /** The session, held, if the invitation may be its: of one customer, and not ended. */
      const held = Effect.fnUntraced(function* (id: AnonymousSessionId, link: StoredLink) {
        const session = yield* sessions.hold(id)
        if (session === undefined || session.revokedAt !== undefined) {
          return yield* new Unauthorized()
        }
        const { customerId } = session
        const isAnothers =
          customerId !== undefined && link.customerId !== null && customerId !== link.customerId
        return isAnothers ? yield* new SessionLinked({}) : session
      })

      const renewed = Effect.fnUntraced(function* (
        id: AnonymousSessionId,
        token: Redacted.Redacted
      ) {
        const link = yield* links.use(token, ["INVITATION"])
        if (!isForSession(link.permissions)) return yield* new AccountRequired({})
        const session = yield* held(id, link)
        const next = yield* sessions.insert({
          id: ids.next("anonymous_session"),
          productId: session.productId,
          customerId: link.customerId ?? session.customerId,
          lifetimeSeconds: lifetimes.anonymous
        })
        yield* grants.transfer(id, next.id)
        yield* grants.giveAll(next.id, link.permissions)
        yield* sessions.revoke(id)
        yield* onRecord(link, { sessionId: next.id })
        return next
      })

      const bySession = Effect.fnUntraced(function* (
        id: AnonymousSessionId,
        token: Redacted.Redacted
      ) {
        return yield* started(yield* tenantSql.transaction(renewed(id, token)))
      })

      const started = Effect.fnUntraced(function* (session: AnonymousSession) {
        const answer: StartedAnonymousSession = {
          sessionId: session.id,
          accessToken: yield* issuer.anonymous(session),
          tokenType: "Bearer",
          expiresIn: lifetimes.anonymous,
          expiresAt: session.expiresAt
        }
        return answer
      })

      const toAccount = Effect.fnUntraced(function* (
        id: AnonymousSessionId,
        token: Redacted.Redacted,
        form: AccountForm
      ) {
        const found = yield* links.lookUp(token)
        const filled = yield* accounts.hashed(found, form)
        const write = Effect.gen(function* () {
          const link = yield* accounts.useLink(token, found.email, ["INVITATION"])
          yield* held(id, link)
          const user = yield* accounts.acceptLink(link, filled)
          yield* grants.transfer(id, user.id)
          yield* sessions.revoke(id)
          yield* onRecord(link, { userId: user.id })
          return { userId: user.id, permissions: yield* grants.of(user.id) }
        })
        return yield* onceMore(tenantSql.transaction(write))
      })

      const accept = Effect.fn("InvitationAcceptance.accept")(function* ({
        account,
        token
      }: AcceptInvitation) {
        const caller = yield* CurrentCaller
        const { address } = yield* CurrentRequest
        if (caller._tag === "Client" || caller._tag === "Signer") {
          return yield* Effect.die(new Error("The contract serves no client and no signer here."))
        }
        const attempt: Effect.Effect<
          Accepted,
          Failure,
          CurrentTenant | CurrentCaller | CurrentRequest
        > =
          caller._tag === "User"
            ? tenantSql.transaction(byUser(caller.userId, token))
            : account === undefined
              ? bySession(caller.sessionId, token)
              : toAccount(caller.sessionId, token, account)
        const accepted = yield* links.guarded(address, attempt)
        yield* accessTokens.forget
        return accepted
      })

      return InvitationAcceptance.of({ accept })
    })
  ).pipe(
    Layer.provide([
      Accounts.layer,
      AnonymousSessionsRepo.layer,
      AuditTrail.layer,
      GrantsRepo.layer,
      OneTimeLinks.layer,
      TokenIssuer.layer
    ])
  )
}
