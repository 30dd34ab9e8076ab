/** The people of a tenant: invited, changed, disabled, enabled again. */
import type { CreateUser, ListUsers, PatchUser } from "@quittance/domain/access/UserRequests"
import {
  CurrentCaller,
  type Forbidden,
  subject,
  type UserId,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import type { LastManager } from "@quittance/domain/access/Grant"
import * as Page from "@quittance/domain/values/Page"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { type EmailTaken, OwnAccount, type User } from "@quittance/domain/access/User"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ManagersRepo } from "@quittance/persistence/access/ManagersRepo"
import { type AuthorizedUser, UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import { Invitations } from "./Invitations.ts"
import { SignIns } from "../tokens/SignIns.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Asked = CurrentTenant | CurrentCaller
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused

export class Users extends Context.Service<
  Users,
  {
    /** Needs `user.write` on the firm, without one on the whole tenant. They can do nothing yet. */
    create(
      input: CreateUser
    ): Effect.Effect<User, EmailTaken | InvalidReference | WriteFailure, Asked | CurrentRequest>
    get(id: UserId): Effect.Effect<User, Forbidden | UserNotFound, Asked>
    /** The users that the caller may see, in the order of their addresses. */
    list(query: ListUsers, page: Page.PageRequest): Effect.Effect<Page.Page<User>, Forbidden, Asked>
    /** Changes a user; another firm needs `user.write` on the one they leave and on the one they join. */
    update(
      id: UserId,
      patch: PatchUser
    ): Effect.Effect<User, InvalidReference | UserNotFound | WriteFailure, Asked | CurrentRequest>
    /**
     * Ends all sign-ins of a user and withdraws their invitations; they can't sign in any more. The caller
     * needs every action that the user has, on the same targets.
     */
    disable(
      id: UserId
    ): Effect.Effect<
      User,
      LastManager | OwnAccount | UserNotFound | WriteFailure,
      Asked | CurrentRequest
    >
    /** Undoes `disable`, for a caller who may give all that the user has. */
    enable(id: UserId): Effect.Effect<User, UserNotFound | WriteFailure, Asked | CurrentRequest>
  }
>()("@quittance/operations/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const firms = yield* FirmsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const invitations = yield* Invitations
      const managers = yield* ManagersRepo
      const repo = yield* UsersRepo
      const signIns = yield* SignIns

      /** Fails unless the caller may have people in the firm, or in none. */
      const checkPlace = Effect.fnUntraced(function* (firm: BrokerageFirmId | null | undefined) {
        if (firm == null) return yield* grants.requireOnTenant("user.write")
        yield* Effect.catchTag(
          firms.authorize("user.write", firm),
          "BrokerageFirmNotFound",
          () => new InvalidReference({ field: "brokerageFirmId", value: firm })
        )
      })

      const create = Effect.fn("Users.create")(function* (input: CreateUser) {
        const write = Effect.gen(function* () {
          const after = yield* repo.insert({ id: ids.next("user"), ...input })
          yield* invitations.welcome(after)
          yield* audit.record({ action: "user.create", recordId: after.id, after })
          return after
        })
        return yield* command.run({
          authorize: checkPlace(input.brokerageFirmId),
          decide: () => write
        })
      })

      const get = Effect.fn("Users.get")(function* (id: UserId) {
        return (yield* repo.authorize("user.read", id)).user
      })

      const list = Effect.fn("Users.list")(function* (
        { queryString, ...only }: ListUsers,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("user.read")
        const filter = { ...only, words: queryString }
        const { total, users } = yield* repo.list({ filter, coverage, page })
        return Page.make(users, total, page)
      })

      const update = Effect.fn("Users.update")(function* (id: UserId, patch: PatchUser) {
        const { brokerageFirmId: firm } = patch
        const write = Effect.fnUntraced(function* ({ user: before }: AuthorizedUser) {
          if (firm !== undefined && firm !== (before.brokerageFirmId ?? null)) {
            yield* checkPlace(firm)
            yield* checkPlace(before.brokerageFirmId)
          }
          const after = patched(before, patch)
          yield* repo.update(after)
          yield* audit.record({ action: "user.update", recordId: id, before, after })
          return after
        })
        return yield* command.run({
          authorize: repo.authorize("user.write", id, { lock: true }),
          decide: write
        })
      })

      /** The user after a change of their status; nothing is on record of a change that is none. */
      const changed = Effect.fnUntraced(function* (action: string, before: User) {
        // The row is locked, so it is still there.
        const after = (yield* repo.find(before.id))!
        if (after.status !== before.status) {
          yield* audit.record({ action, recordId: before.id, before, after })
        }
        return after
      })

      /** Fails unless the caller has what the user has; the user's row is locked, so it stays so. */
      const authorizeAll = Effect.fnUntraced(function* (id: UserId) {
        const found = yield* repo.authorize("user.write", id, { lock: true })
        yield* authority.requireToTake("user.write", yield* grants.of(id))
        return found
      })

      const disable = Effect.fn("Users.disable")(function* (id: UserId) {
        const caller = yield* CurrentCaller
        const write = Effect.fnUntraced(function* ({ user }: AuthorizedUser) {
          if (subject(caller) === id) return yield* new OwnAccount({})
          yield* managers.keeping(repo.disable(id))
          yield* signIns.end(id)
          yield* invitations.withdrawOf(id)
          return yield* changed("user.disable", user)
        })
        return yield* command.run({ authorize: authorizeAll(id), decide: write })
      })

      const enable = Effect.fn("Users.enable")(function* (id: UserId) {
        return yield* command.run({
          authorize: authorizeAll(id),
          decide: ({ user }) => Effect.andThen(repo.enable(id), changed("user.enable", user))
        })
      })

      return Users.of({ create, get, list, update, disable, enable })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      FirmsRepo.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      Invitations.layer,
      ManagersRepo.layer,
      SignIns.layer,
      UsersRepo.layer
    ])
  )
}

const patched = (
  { brokerRole, brokerageFirmId, ...user }: User,
  { brokerRole: role, brokerageFirmId: firm, ...patch }: PatchUser
): User => {
  const roleAfter = role === undefined ? brokerRole : role
  const firmAfter = firm === undefined ? brokerageFirmId : firm
  return {
    ...user,
    ...patch,
    ...(roleAfter == null ? {} : { brokerRole: roleAfter }),
    ...(firmAfter == null ? {} : { brokerageFirmId: firmAfter })
  }
}
