/** The roles of a tenant: the built-in ones, and those that it defines for itself. */
import { Authority, type AuthorityExceeded } from "@quittance/domain/access/Authority"
import type { PutRole } from "@quittance/domain/access/PermissionRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import {
  BuiltInRole,
  type CustomRoleId,
  type LastManager,
  roles as builtIn
} from "@quittance/domain/access/Grant"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import {
  builtInNames,
  byArea,
  type CustomRole,
  type RoleInUse,
  RoleNotFound,
  toActions,
  type RoleView
} from "@quittance/domain/access/Role"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { ManagersRepo } from "@quittance/persistence/access/ManagersRepo"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type WriteFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused

export class Roles extends Context.Service<
  Roles,
  {
    /** All roles, the built-in ones first. */
    readonly list: Effect.Effect<ReadonlyArray<RoleView>, Forbidden, CurrentTenant | CurrentCaller>
    /**
     * Defines a role, or changes it: from the next request on, for everyone who has it. The caller needs, on
     * the whole tenant, every action that the role gains or loses, and the authority that it gets.
     */
    put(
      id: CustomRoleId,
      input: PutRole
    ): Effect.Effect<RoleView, AuthorityExceeded | WriteFailure | LastManager, Scoped>
    /** Deletes a role that no user has. */
    remove(id: CustomRoleId): Effect.Effect<void, WriteFailure | RoleInUse | RoleNotFound, Scoped>
  }
>()("@quittance/operations/Roles") {
  static readonly layer = Layer.effect(
    Roles,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const grants = yield* GrantsRepo
      const managers = yield* ManagersRepo
      const repo = yield* RolesRepo

      const list = Effect.gen(function* () {
        yield* grants.coverage("permission.read")
        return [...builtInRoles, ...(yield* repo.list).map(toView)]
      }).pipe(Effect.withSpan("Roles.list"))

      const put = Effect.fn("Roles.put")(function* (
        id: CustomRoleId,
        { actions, authority: asked = {}, name }: PutRole
      ) {
        const definition = { name, actions: toActions(actions), authority: asked }
        const write = Effect.gen(function* () {
          const before = yield* repo.find(id)
          yield* authority.requireActions(difference(before?.actions ?? [], definition.actions))
          if (goesFurther(before, definition)) {
            yield* authority.requireContents({
              actions: new Set(definition.actions),
              authority: definition.authority
            })
          }
          const after = toView(yield* repo.put({ id, ...definition }))
          yield* audit.record({
            action: "role.put",
            recordId: id,
            ...(before === undefined ? {} : { before: toView(before) }),
            after
          })
          return after
        })
        return yield* command.run({
          authorize: authority.requireActions([]),
          // In turn, so that what was compared is what is replaced.
          decide: () => managers.keeping(write)
        })
      })

      const remove = Effect.fn("Roles.remove")(function* (id: CustomRoleId) {
        const authorize = Effect.gen(function* () {
          const role = yield* repo.find(id)
          // What is not there has no permission on it, but the repetition of a deletion has an answer.
          yield* role === undefined
            ? Effect.mapError(authority.requireActions([]), () => new RoleNotFound({ roleId: id }))
            : authority.requireActions([])
          return role
        })
        const decide = Effect.fnUntraced(function* (role: CustomRole | undefined) {
          if (role === undefined) return yield* new RoleNotFound({ roleId: id })
          yield* authority.requireActions(role.actions)
          yield* repo.remove(id)
          yield* audit.record({ action: "role.remove", recordId: id, before: toView(role) })
          return null
        })
        yield* command.run({ authorize, decide })
      })

      return Roles.of({ list, put, remove })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      ManagersRepo.layer,
      RolesRepo.layer
    ])
  )
}

const builtInRoles: ReadonlyArray<RoleView> = BuiltInRole.literals.map((id) => ({
  id,
  name: builtInNames[id],
  actions: byArea(builtIn[id]),
  builtIn: true
}))

const toView = ({ actions, authority, id, name }: CustomRole): RoleView => ({
  id,
  name,
  actions: byArea(actions),
  ...(Object.keys(authority).length === 0 ? {} : { authority }),
  builtIn: false
})

/** Whether a definition has another authority, or the same for more actions. */
const goesFurther = (
  before: CustomRole | undefined,
  after: Pick<CustomRole, "actions" | "authority">
): boolean =>
  before === undefined ||
  !isSame(before.authority, after.authority) ||
  after.actions.some((action) => !before.actions.includes(action))

const isSame = Schema.toEquivalence(Authority)

/** What one of the two has and the other has not. */
const difference = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...before.filter((one) => !after.includes(one)),
  ...after.filter((one) => !before.includes(one))
]
