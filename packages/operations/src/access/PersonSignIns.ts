/** The sign-ins of a person, one by one: seen and ended by themselves, or by who looks after people. */
import { type SignIn, type SignInId, SignInNotFound } from "@quittance/domain/tokens/SignIn"
import {
  CurrentCaller,
  type Forbidden,
  type UserId,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SignInsRepo, type StoredSignIn } from "@quittance/persistence/tokens/SignInsRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { idleSeconds } from "../tokens/IdleSignIns.ts"
import { GrantAuthority } from "./GrantAuthority.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Asked = CurrentTenant | CurrentCaller
type WriteFailure = IdempotencyKeyInUse | IdempotencyKeyReused

export class PersonSignIns extends Context.Service<
  PersonSignIns,
  {
    /** The caller's own, the one used last first. */
    readonly listOwn: (page: Page.PageRequest) => Effect.Effect<Page.Page<SignIn>, never, Asked>
    /** Ends one of the caller's own, also the one by which they ask. */
    readonly endOwn: (
      id: SignInId
    ) => Effect.Effect<void, SignInNotFound | WriteFailure, Asked | CurrentRequest>
    /** Those of a user on whom the caller has `user.write`. */
    readonly list: (
      userId: UserId,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<SignIn>, Forbidden | UserNotFound, Asked>
    /**
     * Ends a sign-in of a user, for callers who could disable them: no one ends a sign-in with more rights
     * than their own.
     */
    readonly end: (
      userId: UserId,
      id: SignInId
    ) => Effect.Effect<
      void,
      Forbidden | SignInNotFound | UserNotFound | WriteFailure,
      Asked | CurrentRequest
    >
  }
>()("@quittance/operations/PersonSignIns") {
  static readonly layer = Layer.effect(
    PersonSignIns,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const grants = yield* GrantsRepo
      const idle = yield* idleSeconds
      const repo = yield* SignInsRepo
      const users = yield* UsersRepo

      const pageOf = Effect.fnUntraced(function* (userId: UserId, page: Page.PageRequest) {
        const caller = yield* CurrentCaller
        const current = caller._tag === "User" ? caller.signInId : undefined
        const { signIns, total } = yield* repo.list(userId, idle, page)
        return Page.make(signIns.map(seenFrom(current)), total, page)
      })

      /** Access tokens of it count no more on this instance at once, on others in a second. */
      const endOne = Effect.fnUntraced(function* (userId: UserId, id: SignInId) {
        const before = yield* repo.end(userId, id, idle)
        if (before === undefined) return yield* new SignInNotFound({ signInId: id })
        yield* audit.record({
          action: "user.signIn.end",
          recordId: userId,
          before,
          detail: { reason: "ENDED", clientId: before.clientId }
        })
      })

      const listOwn = Effect.fn("PersonSignIns.listOwn")(function* (page: Page.PageRequest) {
        return yield* pageOf(yield* own, page)
      })

      const endOwn = Effect.fn("PersonSignIns.endOwn")(function* (id: SignInId) {
        yield* command.run({ authorize: own, decide: (userId) => endOne(userId, id) })
        yield* accessTokens.forget
      })

      const list = Effect.fn("PersonSignIns.list")(function* (
        userId: UserId,
        page: Page.PageRequest
      ) {
        yield* users.authorize("user.write", userId)
        return yield* pageOf(userId, page)
      })

      const end = Effect.fn("PersonSignIns.end")(function* (userId: UserId, id: SignInId) {
        const authorize = Effect.andThen(
          users.authorize("user.write", userId, { lock: true }),
          Effect.flatMap(grants.of(userId), (held) => authority.requireToTake("user.write", held))
        )
        yield* command.run({ authorize, decide: () => endOne(userId, id) })
        yield* accessTokens.forget
      })

      return PersonSignIns.of({ listOwn, endOwn, list, end })
    })
  ).pipe(
    Layer.provide([
      AccessTokens.layer,
      AuditTrail.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      SignInsRepo.layer,
      UsersRepo.layer
    ])
  )
}

/** The caller, on a route that serves users alone. */
const own = Effect.flatMap(CurrentCaller, (caller) =>
  caller._tag === "User"
    ? Effect.succeed(caller.userId)
    : Effect.die(new Error("The contract serves people alone here."))
)

const seenFrom =
  (current: string | undefined) =>
  (signIn: StoredSignIn): SignIn => ({ ...signIn, isCurrent: signIn.id === current })
