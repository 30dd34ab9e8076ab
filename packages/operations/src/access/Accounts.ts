/** What people do with the links of their letters: accept, choose a password, ask for another one. */
import type { StoredLink } from "@quittance/domain/access/StoredLink"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  InvitationNotFound,
  LinkPurpose,
  letterLimit,
  linkLifetimes
} from "@quittance/domain/access/Invitation"
import { WeakPassword } from "@quittance/domain/tokens/Password"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { failureLimit } from "@quittance/domain/tokens/Token"
import { EmailTaken, normalizeEmail, type User } from "@quittance/domain/access/User"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { InvitationsRepo } from "@quittance/persistence/access/InvitationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, type Redacted } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Guesses } from "./Guesses.ts"
import { NewPasswords } from "./NewPasswords.ts"
import { OneTimeLinks } from "./OneTimeLinks.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { sha256 } from "../values/Sha256.ts"
import { SignIns } from "../tokens/SignIns.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What a link is for, as a page shows it. */
export interface LinkView {
  readonly purpose: LinkPurpose
  readonly email: string
  readonly firstName?: string
  readonly lastName?: string
  /** Whether the address has no account yet, or the link is for a password. */
  readonly needsPassword: boolean
}

/** What a user fills in; names count for a new account only. */
export interface AccountForm {
  readonly password?: Redacted.Redacted
  readonly firstName?: string
  readonly lastName?: string
}

export interface HashedForm extends Omit<AccountForm, "password"> {
  readonly passwordHash?: Redacted.Redacted
}

type LinkFailure = InvitationNotFound | RateLimited

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Fails for a link that is used, expired, withdrawn, another tenant's or none, all alike. */
    lookUp(
      token: Redacted.Redacted,
      address: string
    ): Effect.Effect<LinkView, LinkFailure, CurrentTenant>
    /**
     * Uses the link up: sets the password, which ends every sign-in of the user, makes or activates
     * the user, gives the grants. A password that is too weak uses nothing up.
     */
    accept(
      token: Redacted.Redacted,
      form: AccountForm,
      address: string
    ): Effect.Effect<User, LinkFailure | WeakPassword, CurrentTenant>
    /**
     * Uses up a link to this address, within a transaction, and locks its user before. Every transaction that
     * locks both locks the user first, to avoid deadlocks.
     */
    useLink(
      token: Redacted.Redacted,
      email: string,
      purposes: ReadonlyArray<LinkPurpose>
    ): Effect.Effect<StoredLink, InvitationNotFound, CurrentTenant>
    /**
     * The part of `accept` after the link was used up, for callers with more to do in the transaction; the
     * password is hashed. Fails with EmailTaken where another link makes the same user at the moment: the
     * caller tries again.
     */
    acceptLink(
      link: StoredLink,
      form: HashedForm
    ): Effect.Effect<User, EmailTaken | InvitationNotFound | WeakPassword, CurrentTenant>
    /** What a user filled in for a link, with the hash in place of a password that is strong enough. */
    hashed(
      link: StoredLink,
      form: AccountForm
    ): Effect.Effect<HashedForm, WeakPassword, CurrentTenant>
    /**
     * Sends a mail if the address has an account, and answers alike if it has none. A browser that has signed
     * in to the account has a count of mails of its own: strangers use up none of them.
     */
    forgot(
      email: string,
      address: string,
      device: string
    ): Effect.Effect<void, RateLimited, CurrentTenant>
  }
>()("@quittance/operations/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const invitations = yield* InvitationsRepo
      const limits = yield* RateLimits
      const links = yield* OneTimeLinks
      const guesses = yield* Guesses
      const newPasswords = yield* NewPasswords
      const signIns = yield* SignIns
      const tenantSql = yield* TenantSql
      const users = yield* UsersRepo

      const lookUp = Effect.fn("Accounts.lookUp")(function* (
        token: Redacted.Redacted,
        address: string
      ) {
        const link = yield* links.guarded(address, links.lookUp(token))
        const known = link.purpose === "INVITATION" ? yield* users.findLogin(link.email) : undefined
        const view: LinkView = {
          purpose: link.purpose,
          email: link.email,
          ...(link.firstName === null ? {} : { firstName: link.firstName }),
          ...(link.lastName === null ? {} : { lastName: link.lastName }),
          needsPassword: known === undefined
        }
        return view
      })

      const hashed = Effect.fn("Accounts.hashed")(function* (
        { email, firstName, lastName }: StoredLink,
        { password, ...form }: AccountForm
      ) {
        if (password === undefined) return form
        const names = [firstName, lastName, form.firstName, form.lastName]
        const owner = { email, names: names.filter((name) => name != null) }
        return { ...form, passwordHash: yield* newPasswords.hash(password, owner) }
      })

      const choose = Effect.fnUntraced(function* (
        user: User,
        { id, purpose: reason }: StoredLink,
        passwordHash: Redacted.Redacted
      ) {
        yield* users.setPassword(user.id, passwordHash)
        yield* signIns.end(user.id)
        yield* guesses.renew(user.email)
        for (const purpose of ["WELCOME", "PASSWORD_RESET"] as const) {
          yield* invitations.revokeOfUser(user.id, purpose)
        }
        const active: User = { ...user, status: "ACTIVE" }
        yield* audit.recordBy(
          { kind: "USER", id: user.id },
          {
            action: "user.password.set",
            recordId: user.id,
            before: user,
            after: active,
            detail: { link: id, reason }
          }
        )
        return active
      })

      const acceptLink = Effect.fn("Accounts.acceptLink")(function* (
        link: StoredLink,
        { firstName, lastName, passwordHash }: HashedForm
      ) {
        const present = yield* users.holdByEmail(link.email)
        if (present?.status === "DISABLED") return yield* new InvitationNotFound({})
        if (present?.status === "ACTIVE" && link.purpose === "INVITATION") {
          yield* grants.giveAll(present.id, link.permissions)
          return present
        }
        if (passwordHash === undefined) return yield* new WeakPassword({ reason: "SHORT" })
        // A link to an account is of no use once the address belongs to another user.
        if (link.userId !== null && present?.id !== link.userId)
          return yield* new InvitationNotFound({})
        if (present !== undefined) {
          yield* grants.giveAll(present.id, link.permissions)
          return yield* choose(present, link, passwordHash)
        }
        const user = yield* users.insert(
          {
            id: ids.next("user"),
            email: link.email,
            // A user without a name is shown by their address.
            firstName: firstName ?? link.firstName ?? link.email,
            lastName: lastName ?? link.lastName ?? link.email
          },
          passwordHash
        )
        yield* grants.giveAll(user.id, link.permissions)
        yield* audit.recordBy(
          { kind: "USER", id: user.id },
          { action: "user.create", recordId: user.id, after: user, detail: { link: link.id } }
        )
        return user
      })

      const useLink = Effect.fn("Accounts.useLink")(function* (
        token: Redacted.Redacted,
        email: string,
        purposes: ReadonlyArray<LinkPurpose>
      ) {
        yield* users.holdByEmail(email)
        return yield* links.use(token, purposes)
      })

      const accept = Effect.fn("Accounts.accept")(function* (
        token: Redacted.Redacted,
        form: AccountForm,
        address: string
      ) {
        const attempt = Effect.gen(function* () {
          const found = yield* links.lookUp(token)
          // Hashing takes its time, so it is not done within the transaction.
          const filled = yield* hashed(found, form)
          return yield* onceMore(
            tenantSql.transaction(
              Effect.gen(function* () {
                const link = yield* useLink(token, found.email, LinkPurpose.literals)
                const user = yield* acceptLink(link, filled)
                if (link.purpose !== "INVITATION") return user
                yield* audit.recordBy(
                  { kind: "USER", id: user.id },
                  { action: "invitation.accept", recordId: link.id, after: { userId: user.id } }
                )
                return user
              })
            )
          )
        })
        return yield* links.guarded(address, attempt)
      })

      const forgot = Effect.fn("Accounts.forgot")(function* (
        email: string,
        address: string,
        device: string
      ) {
        yield* limits.take(`forgot:${SourceAddress.key(address)}`, failureLimit)
        // Apart from invitations: flooding one of them does not delay the other.
        const known = yield* guesses.browser(email, device)
        yield* limits.take(
          known === undefined ? `reset:${sha256(normalizeEmail(email))}` : `reset:${sha256(known)}`,
          letterLimit
        )
        yield* tenantSql.transaction(
          Effect.gen(function* () {
            const user = yield* users.holdByEmail(email)
            if (user === undefined || user.status === "DISABLED") return
            const purpose = user.status === "INVITED" ? "WELCOME" : "PASSWORD_RESET"
            yield* invitations.revokeOfUser(user.id, purpose)
            yield* links.make({
              purpose,
              email: user.email,
              firstName: user.firstName,
              lastName: user.lastName,
              userId: user.id,
              permissions: [],
              invitedBy: user.id,
              expires: { inSeconds: linkLifetimes[purpose] }
            })
          })
        )
      })

      return Accounts.of({ lookUp, accept, useLink, acceptLink, hashed, forgot })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      GrantsRepo.layer,
      InvitationsRepo.layer,
      OneTimeLinks.layer,
      Guesses.layer,
      NewPasswords.layer,
      RateLimits.layer,
      SignIns.layer,
      UsersRepo.layer
    ])
  )
}

/** Repeats what lost against another that made the same user: it finds the user then. */
export const onceMore = <A, E, R>(
  transaction: Effect.Effect<A, E | EmailTaken, R>
): Effect.Effect<A, Exclude<E, EmailTaken>, R> =>
  // The compiler does not see that the failure that is caught is gone.
  transaction.pipe(
    Effect.retry({ times: 1, while: isTaken }),
    Effect.catchIf(isTaken, Effect.die)
  ) as Effect.Effect<A, Exclude<E, EmailTaken>, R>

const isTaken = (error: unknown): error is EmailTaken => error instanceof EmailTaken
