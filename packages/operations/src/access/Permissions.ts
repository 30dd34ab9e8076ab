/** What people may do: seen, replaced, explained. */
import type {
  ExplainPermission,
  ReplacePermissions
} from "@quittance/domain/access/PermissionRequests"
import * as Explanation from "@quittance/auth/Explanation"
import * as Grants from "@quittance/auth/Grants"
import {
  AnonymousSessionId,
  CurrentCaller,
  type Forbidden,
  subject,
  type UserId,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import type { AuthorityExceeded } from "@quittance/domain/access/Authority"
import type { Grant, LastManager } from "@quittance/domain/access/Grant"
import {
  Conflict,
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  type InvalidReference,
  InvalidRequest,
  RecordNotFound
} from "@quittance/domain/requests/RequestErrors"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { GrantsRepo, type SubjectId } from "@quittance/persistence/access/GrantsRepo"
import { ManagersRepo } from "@quittance/persistence/access/ManagersRepo"
import { RecordTargets } from "@quittance/persistence/access/RecordTargets"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import { sha256 } from "../values/Sha256.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

/** The answer, with the question as it was understood. */
export interface Explained extends Explanation.Explanation {
  readonly subject: SubjectId
  readonly action: Action
  readonly record?: string
}

type Asked = CurrentTenant | CurrentCaller

export class Permissions extends Context.Service<
  Permissions,
  {
    /** The grants of a user; the etag of the answer stands for this set. */
    of(
      userId: UserId
    ): Effect.Effect<ReadonlyArray<Grant>, Forbidden | UserNotFound, Asked | CurrentRequest>

    /**
     * Makes these the grants of a user. The caller needs every action that is given or removed, on its
     * target; unchanged grants need none. With `if-match` it fails when the set is no longer the one that was
     * read.
     */
    replace(
      userId: UserId,
      input: ReplacePermissions
    ): Effect.Effect<
      ReadonlyArray<Grant>,
      | AuthorityExceeded
      | Conflict
      | Forbidden
      | IdempotencyKeyInUse
      | IdempotencyKeyReused
      | InvalidReference
      | LastManager
      | UserNotFound,
      Asked | CurrentRequest
    >

    /** Tells which grants allow an action, or why none does, by the rules of the check itself. */
    explain(
      question: ExplainPermission
    ): Effect.Effect<Explained, Forbidden | InvalidRequest | RecordNotFound | UserNotFound, Asked>
  }
>()("@quittance/operations/Permissions") {
  static readonly layer = Layer.effect(
    Permissions,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const managers = yield* ManagersRepo
      const repo = yield* GrantsRepo
      const sessions = yield* AnonymousSessionsRepo
      const targets = yield* RecordTargets
      const users = yield* UsersRepo

      const of = Effect.fn("Permissions.of")(function* (userId: UserId) {
        const { user } = yield* users.authorize("permission.read", userId)
        const grants = yield* repo.of(user.id)
        ;(yield* CurrentRequest).answer.etag = etagOf(grants)
        return grants
      })

      const replace = Effect.fn("Permissions.replace")(function* (
        userId: UserId,
        { permissions: grants }: ReplacePermissions
      ) {
        const write = Effect.gen(function* () {
          const { answer, ifMatch } = yield* CurrentRequest
          const before = yield* repo.of(userId)
          const etag = etagOf(before)
          if (ifMatch !== undefined && ifMatch !== etag) return yield* new Conflict({ etag })
          yield* authority.requireToGive("permission.write", without(grants, before))
          yield* authority.requireToTake("permission.write", without(before, grants))
          yield* repo.set(userId, grants)
          const after = yield* repo.of(userId)
          yield* audit.record({ action: "permission.replace", recordId: userId, before, after })
          answer.etag = etagOf(after)
          return after
        })
        return yield* command.run({
          authorize: users.authorize("permission.write", userId, { lock: true }),
          decide: () => managers.keeping(write)
        })
      })

      /** Users may ask about themselves; asking about others needs the permission to see their grants. */
      const subjectOf = Effect.fnUntraced(function* (named: SubjectId | undefined) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return named ?? (yield* unnamed)
        // A client's id is no subject, and was answered above.
        const self = subject(caller) as SubjectId
        return named ?? self
      })

      /** Fails unless the caller may see the grants of the subject; tells what else keeps that one out. */
      const permit = Effect.fnUntraced(function* (asked: SubjectId) {
        const caller = yield* CurrentCaller
        if (subject(caller) === asked) return ""
        if (!isSession(asked)) {
          const { user } = yield* users.authorize("permission.read", asked)
          return user.status === "ACTIVE" ? "" : ` But the user is ${user.status}: no token counts.`
        }
        const session = yield* sessions.find(asked)
        if (session === undefined) return yield* new RecordNotFound({ recordId: asked })
        if (caller._tag !== "Client") yield* repo.require("permission.read", Grants.tenantWide)
        return session.revokedAt === undefined
          ? ""
          : " But the session has ended: its token is dead."
      })

      const explain = Effect.fn("Permissions.explain")(function* ({
        action,
        record,
        subject: named
      }: ExplainPermission) {
        const asked = yield* subjectOf(named)
        const otherwise = yield* permit(asked)
        const target =
          record === undefined ? Grants.tenantWide : (yield* targets.find([record])).get(record)
        if (record !== undefined && target === undefined) {
          return yield* new RecordNotFound({ recordId: record })
        }
        const held = Grants.effective(
          { _tag: isSession(asked) ? "Anonymous" : "User" },
          yield* repo.heldBy(asked)
        )
        const about = record === undefined ? {} : { record }
        const told = Explanation.explain(held, action, target ?? Grants.tenantWide, record)
        return { subject: asked, action, ...about, ...told, reason: told.reason + otherwise }
      })

      return Permissions.of({ of, replace, explain })
    })
  ).pipe(
    Layer.provide([
      AnonymousSessionsRepo.layer,
      AuditTrail.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      ManagersRepo.layer,
      UsersRepo.layer
    ])
  )
}

const isSession = Schema.is(AnonymousSessionId)

const unnamed = new InvalidRequest({
  issues: [
    { in: "query", path: "subject", message: "Name a user or a session: a client has no grants" }
  ]
})

/** The strong etag of a set of grants, which is always read in the same order. */
const etagOf = (grants: ReadonlyArray<Grant>): string =>
  `"${sha256(grants.map(keyOf).join("\n")).slice(0, 32)}"`

/** Those of the grants that are not among the others. */
const without = (
  grants: ReadonlyArray<Grant>,
  others: ReadonlyArray<Grant>
): ReadonlyArray<Grant> => {
  const keys = new Set(others.map(keyOf))
  return grants.filter((grant) => !keys.has(keyOf(grant)))
}

const keyOf = ({ on, role }: Grant): string => {
  const target = on.kind === "TENANT" ? "*" : on.kind === "FIRM" ? on.brokerageFirmId : on.recordId
  return `${role} ${on.kind} ${target}`
}
