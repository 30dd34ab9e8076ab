/** The links of letters: made with their secrets, tried within a limit, used up once. */
import type { StoredLink } from "@quittance/domain/access/StoredLink"
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { type Caller, ClientId, CurrentCaller, UserId } from "@quittance/domain/requests/Caller"
import {
  type Invitation,
  InvitationNotFound,
  letterOf,
  type LinkPurpose,
  wrongLinkLimit
} from "@quittance/domain/access/Invitation"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { InvitationsRepo, type NewLink } from "@quittance/persistence/access/InvitationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Cause, Context, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { GrantAuthority } from "./GrantAuthority.ts"
import { OneTimeLinkKey } from "./OneTimeLinkKey.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class OneTimeLinks extends Context.Service<
  OneTimeLinks,
  {
    /** Stores a link and has its letter sent once the transaction is committed. */
    make(link: Omit<NewLink, "id" | "tokenHash">): Effect.Effect<StoredLink, never, CurrentTenant>
    /** What the link with this secret is, unless it can no longer be used; nothing is used up. */
    lookUp(token: Redacted.Redacted): Effect.Effect<StoredLink, InvitationNotFound, CurrentTenant>
    /**
     * Uses a link up; of any number of callers at once exactly one has it. An invitation has no effect while
     * its inviter could not make it: they lost a grant, a role has grown, or the client was deleted.
     */
    use(
      token: Redacted.Redacted,
      purposes: ReadonlyArray<LinkPurpose>
    ): Effect.Effect<StoredLink, InvitationNotFound, CurrentTenant>
    /** Counts wrong links by the address that tries them; belongs around the whole transaction. */
    guarded<A, E, R>(
      address: string,
      attempt: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | RateLimited, R | CurrentTenant>
  }
>()("@quittance/operations/OneTimeLinks") {
  static readonly layer = Layer.effect(
    OneTimeLinks,
    Effect.gen(function* () {
      const authority = yield* GrantAuthority
      const clients = yield* ClientsRepo
      const ids = yield* Ids
      const key = yield* OneTimeLinkKey
      const limits = yield* RateLimits
      const repo = yield* InvitationsRepo
      const tenantSql = yield* TenantSql

      /** Who has made a link, as the caller that they are now. */
      const inviterOf = Effect.fnUntraced(function* (
        invitedBy: string
      ): Effect.fn.Return<Caller | undefined, never, CurrentTenant> {
        if (isUserId(invitedBy)) return { _tag: "User", userId: invitedBy }
        const clientId = ClientId.make(invitedBy)
        const found = yield* clients.find(clientId)
        return found && { _tag: "Client", clientId, scopes: new Set(found.client.scopes) }
      })

      /** Whether the maker of the link could give now what it gives. */
      const stands = Effect.fnUntraced(function* ({ invitedBy, permissions, purpose }: StoredLink) {
        if (purpose !== "INVITATION") return true
        const inviter = yield* inviterOf(invitedBy)
        if (inviter === undefined) return false
        // What it names may have gone meanwhile, as with grants that are taken away.
        return yield* Effect.andThen(
          authority.requireToTake("invitation.write", permissions),
          authority.requireReach("invitation.write", permissions)
        ).pipe(Effect.provideService(CurrentCaller, inviter), Effect.isSuccess)
      })

      const make = Effect.fn("OneTimeLinks.make")(function* (
        link: Omit<NewLink, "id" | "tokenHash">
      ) {
        const id = ids.next("invitation")
        const token = key.token(yield* CurrentTenant, id)
        return yield* repo.insert({ ...link, id, tokenHash: Secret.hash(Redacted.value(token)) })
      })

      /** A link ends with the key of the service that it was made under. */
      const isOurs = Effect.fnUntraced(function* ({ id }: StoredLink, token: Redacted.Redacted) {
        const given = Redacted.value(token)
        const tokens = key.tokens(yield* CurrentTenant, id)
        return tokens.some((one) => Redacted.value(one) === given)
      })

      const lookUp = Effect.fn("OneTimeLinks.lookUp")(function* (token: Redacted.Redacted) {
        const row = yield* repo.usable(Secret.hash(Redacted.value(token)))
        return row !== undefined && (yield* isOurs(row, token)) && (yield* stands(row))
          ? row
          : yield* new InvitationNotFound({})
      }, tenantSql.transaction)

      const use = Effect.fn("OneTimeLinks.use")(function* (
        token: Redacted.Redacted,
        purposes: ReadonlyArray<LinkPurpose>
      ) {
        const row = yield* repo.use(Secret.hash(Redacted.value(token)))
        // What is of no use here is not used up: the failure takes the transaction back.
        return row !== undefined &&
          purposes.includes(row.purpose) &&
          (yield* isOurs(row, token)) &&
          (yield* stands(row))
          ? row
          : yield* new InvitationNotFound({})
      })

      const guarded = Effect.fn("OneTimeLinks.guarded")(function* <A, E, R>(
        address: string,
        attempt: Effect.Effect<A, E, R>
      ) {
        // Taken before the link is looked at: however many tries come at once, no more pass.
        const bucket = `link:${SourceAddress.key(address)}`
        yield* limits.take(bucket, wrongLinkLimit)
        return yield* Effect.onExit(attempt, (exit) =>
          isWrongLink(exit) ? Effect.void : limits.giveBack(bucket)
        )
      })

      return OneTimeLinks.of({ make, lookUp, use, guarded })
    })
  ).pipe(
    Layer.provide([
      ClientsRepo.layer,
      GrantAuthority.layer,
      InvitationsRepo.layer,
      OneTimeLinkKey.layer,
      RateLimits.layer
    ])
  )
}

const isUserId = Schema.is(UserId)

const isWrongLink = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof InvitationNotFound

/** An invitation as the wire shows it. */
export const toInvitation = ({
  customerId,
  firstName,
  invitedBy: _invitedBy,
  lastName,
  letter: unsent,
  purpose: _purpose,
  userId: _userId,
  ...row
}: StoredLink): Invitation => {
  const letter = letterOf(row.status, unsent)
  return {
    ...row,
    ...(letter === undefined ? {} : { letter }),
    ...(customerId === null ? {} : { customerId }),
    ...(firstName === null ? {} : { firstName }),
    ...(lastName === null ? {} : { lastName })
  }
}
