/** A new password for a signed-in user who knows the present one. */
import type { ChangePassword } from "@quittance/domain/access/UserRequests"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { User } from "@quittance/domain/access/User"
import { CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { recentSignIn, SignInTooOld } from "@quittance/domain/requests/RecentSignIn"
import { type WeakPassword, WrongPassword } from "@quittance/domain/tokens/Password"
import { failureLimit } from "@quittance/domain/tokens/Token"
import { InvitationsRepo } from "@quittance/persistence/access/InvitationsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { Context, Effect, Layer, type Redacted } from "effect"
import { actorOf } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { RateLimits } from "../requests/RateLimits.ts"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { Passwords } from "../tokens/Passwords.ts"
import { SignIns } from "../tokens/SignIns.ts"
import { Guesses } from "../access/Guesses.ts"
import { NewPasswords } from "../access/NewPasswords.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Failure = RateLimited | SignInTooOld | WeakPassword | WrongPassword

export class PasswordChange extends Context.Service<
  PasswordChange,
  {
    /**
     * Gives the caller the next password if the present one is right, and ends all their sign-ins but
     * the one by which they ask. A wrong one is counted as a guess and on record. Who has a second
     * factor, or needs one, has signed in with it, or is asked to.
     */
    change(
      input: ChangePassword
    ): Effect.Effect<void, Failure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PasswordChange") {
  static readonly layer = Layer.effect(
    PasswordChange,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const audit = yield* AuditTrail
      const command = yield* Command
      const factors = yield* SecondFactorsRepo
      const guesses = yield* Guesses
      const invitations = yield* InvitationsRepo
      const limits = yield* RateLimits
      const newPasswords = yield* NewPasswords
      const passwords = yield* Passwords
      const signIns = yield* SignIns
      const users = yield* UsersRepo

      /** Fails for a sign-in with one factor of who has two or needs them. */
      const requireFactors = Effect.fnUntraced(function* (userId: UserId, isTwoFactor: boolean) {
        if (isTwoFactor) return
        const has = (yield* factors.of(userId)).length > 0
        if (has || (yield* factors.isRequiredOf(userId))) {
          return yield* new SignInTooOld({ maxAge: recentSignIn })
        }
      })

      /** The hash of the present password, if it is this one. */
      const checked = Effect.fnUntraced(function* (user: User, present: Redacted.Redacted) {
        const { address, id: requestId } = yield* CurrentRequest
        // Taken before the password is looked at: however many tries come at once, no more pass.
        const bucket = `login:${SourceAddress.key(address)}`
        yield* limits.take(bucket, failureLimit)
        const untake = yield* guesses.takeSignedIn(user.id, user.email)
        const login = yield* users.findLogin(user.email)
        const isRight = yield* passwords
          .verify(present, login?.passwordHash)
          // Too many waited, or the caller went away: the password was not verified.
          .pipe(Effect.onError(() => Effect.andThen(limits.giveBack(bucket), untake)))
        if (login !== undefined && isRight) {
          yield* Effect.andThen(limits.giveBack(bucket), untake)
          return login.passwordHash
        }
        const actor = actorOf(yield* CurrentCaller, requestId)
        yield* audit.refused(actor, {
          action: "user.password.set",
          recordId: user.id,
          detail: { lacking: "PASSWORD" }
        })
        return yield* new WrongPassword({})
      })

      const store = Effect.fnUntraced(function* (
        before: User,
        passwordHash: Redacted.Redacted,
        current: string | undefined
      ) {
        const { email, id } = before
        yield* users.setPassword(id, passwordHash)
        yield* signIns.end(id, current)
        yield* guesses.renew(email)
        yield* invitations.revokeOfUser(id, "PASSWORD_RESET")
        const detail = { reason: "CHANGED" }
        yield* audit.record({
          action: "user.password.set",
          recordId: id,
          before,
          after: before,
          detail
        })
      })

      const change = Effect.fn("PasswordChange.change")(function* ({
        newPassword: next,
        presentPassword: present
      }: ChangePassword) {
        const caller = yield* CurrentCaller
        if (caller._tag !== "User") {
          return yield* Effect.die(new Error("The contract serves people alone here."))
        }
        const { isTwoFactor = false, signInId, userId } = caller
        yield* requireFactors(userId, isTwoFactor)
        const user = yield* users.find(userId)
        // Gone a moment ago, and the token with them.
        if (user === undefined) return yield* new WrongPassword({})
        // What is refused whatever the present one is costs no guess.
        const names = [user.firstName, user.lastName]
        const nextHash = yield* newPasswords.hash(next, { email: user.email, names })
        const presentHash = yield* checked(user, present)
        const authorize = Effect.gen(function* () {
          // Alone, or two of them wait for each other; another may have come first, or a letter's link.
          const isActive = yield* users.holdActiveAlone(userId)
          const isStill = isActive && (yield* users.holdActive(userId, presentHash))
          if (!isStill) return yield* new WrongPassword({})
        })
        const decide = () => store(user, nextHash, signInId)
        yield* command.run({ authorize, decide }).pipe(Effect.catchTags(withoutKey))
        yield* accessTokens.forget
      })

      return PasswordChange.of({ change })
    })
  ).pipe(
    Layer.provide([
      AccessTokens.layer,
      AuditTrail.layer,
      Command.layer,
      Guesses.layer,
      InvitationsRepo.layer,
      NewPasswords.layer,
      Passwords.layer,
      RateLimits.layer,
      SecondFactorsRepo.layer,
      SignIns.layer,
      UsersRepo.layer
    ])
  )
}

/** A digest of the request would be one of the passwords, so it takes no key. */
const withoutKey = { IdempotencyKeyInUse: Effect.die, IdempotencyKeyReused: Effect.die }
