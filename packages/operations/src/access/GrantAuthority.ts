/** Whether a caller may give or remove grants: no one gives what they do not have. */
import { excessOf } from "@quittance/auth/Authority"
import * as Grants from "@quittance/auth/Grants"
import { AuthorityExceeded, type HeldAuthority } from "@quittance/domain/access/Authority"
import { CurrentCaller, Forbidden, type Scope, subject } from "@quittance/domain/requests/Caller"
import { scopeOf } from "@quittance/domain/requests/Action"
import { type Grant, isCustom } from "@quittance/domain/access/Grant"
import { GrantsRepo, type SubjectId } from "@quittance/persistence/access/GrantsRepo"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { RecordTargets } from "@quittance/persistence/access/RecordTargets"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { Action } from "@quittance/domain/requests/Action"

/**
 * The right to give: to users, by invitations, or to clients by their scopes. Disabling a user removes all
 * that they have, and enabling gives it again (`user.write`).
 */
export type Right = Extract<
  Action,
  "permission.write" | "invitation.write" | "client.write" | "user.write"
>

type Scoped = CurrentTenant | CurrentCaller

export class GrantAuthority extends Context.Service<
  GrantAuthority,
  {
    /**
     * Fails unless the caller may give all these grants: has the right on the target of each and,
     * there, every action and all the authority of its role. A client invites to what its scopes stand for; with
     * `platform/permissions`, which is internal only, it may give anything. Roles, firms and records
     * have to be there. Belongs into the transaction that gives them.
     */
    requireToGive(
      right: Right,
      grants: ReadonlyArray<Grant>
    ): Effect.Effect<void, AuthorityExceeded | Forbidden | InvalidReference, Scoped>

    /** The same for taking away; what a grant names may have gone. */
    requireToTake(
      right: Right,
      grants: ReadonlyArray<Grant>
    ): Effect.Effect<void, Forbidden, Scoped>

    /** Fails where the grants reach further than the caller does; what they name may have gone. */
    requireReach(
      right: Right,
      grants: ReadonlyArray<Grant>
    ): Effect.Effect<void, AuthorityExceeded, Scoped>

    /** Fails unless the caller could give a role of this content on the whole tenant. */
    requireContents(
      contents: Pick<Grants.GivenGrant, "actions" | "authority">
    ): Effect.Effect<void, AuthorityExceeded, Scoped>

    /** Fails unless the caller has all these actions on the whole tenant, and the right. */
    requireActions(actions: Iterable<Action>, right?: Right): Effect.Effect<void, Forbidden, Scoped>
  }
>()("@quittance/operations/GrantAuthority") {
  static readonly layer = Layer.effect(
    GrantAuthority,
    Effect.gen(function* () {
      const repo = yield* GrantsRepo
      const roles = yield* RolesRepo
      const targets = yield* RecordTargets

      /** Each grant with what its role contains and what it is to hold on, where these are there. */
      const resolve = Effect.fnUntraced(function* (grants: ReadonlyArray<Grant>) {
        const custom = yield* roles.contentsOf(grants.map(({ role }) => role).filter(isCustom))
        const found = yield* targets.find(grants.flatMap(({ on }) => nameOf(on) ?? []))
        return grants.map((grant) => {
          const name = nameOf(grant.on)
          const { role } = grant
          return {
            grant,
            actions: isCustom(role) ? custom.get(role)?.actions : Grants.actionsOf(role),
            authority: Grants.authorityOf(
              role,
              isCustom(role) ? custom.get(role)?.authority : undefined
            ),
            on: name === undefined ? Grants.tenantWide : found.get(name)
          }
        })
      })

      const heldBy = (caller: CurrentCaller["Service"]) =>
        // Clients, whose ids are no subjects, have no grants.
        Effect.map(
          caller._tag === "Client" ? Effect.succeed([]) : repo.heldBy(subject(caller) as SubjectId),
          (stored) => Grants.effective(caller, stored)
        )

      /** Fails where something goes further than the caller; a client that gives anything gives this too. */
      const requireWithin = Effect.fnUntraced(function* (
        right: Right,
        given: ReadonlyArray<Grants.GivenGrant>
      ) {
        const caller = yield* CurrentCaller
        const givesAnything =
          caller._tag === "Client" &&
          (right !== "invitation.write" || caller.scopes.has("platform/permissions"))
        if (givesAnything) return
        if (given.every(({ authority = {} }) => !reaches(authority))) return
        const held = yield* heldBy(caller)
        for (const one of given) {
          const excess = excessOf(held, one)
          if (excess !== undefined) return yield* new AuthorityExceeded(excess)
        }
      })

      const requireFor = Effect.fnUntraced(function* (
        right: Right,
        given: ReadonlyArray<Grants.GivenGrant>
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") {
          return right === "invitation.write"
            ? yield* requireScopes(caller.scopes, given)
            : undefined
        }
        if (given.length === 0) return
        const held = yield* heldBy(caller)
        for (const one of given) {
          const action = Grants.lacking(held, right, one)
          if (action !== undefined) return yield* repo.refuse(action)
        }
      })

      const requireToGive = Effect.fn("GrantAuthority.requireToGive")(function* (
        right: Right,
        grants: ReadonlyArray<Grant>
      ) {
        const given: Array<Grants.GivenGrant> = []
        for (const { actions, authority, grant, on } of yield* resolve(grants)) {
          if (actions === undefined) {
            return yield* new InvalidReference({ field: "role", value: grant.role })
          }
          if (on === undefined || !Grants.covers(grant, on)) return yield* invalidTarget(grant.on)
          given.push({ actions, authority, on })
        }
        yield* requireFor(right, given)
        yield* requireWithin(right, given)
      })

      const requireToTake = Effect.fn("GrantAuthority.requireToTake")(function* (
        right: Right,
        grants: ReadonlyArray<Grant>
      ) {
        const taken = (yield* resolve(grants)).map(({ actions, grant, on }) => ({
          actions: actions ?? new Set<Action>(),
          on: on ?? goneTarget(grant)
        }))
        yield* requireFor(right, taken)
      })

      const requireActions = Effect.fn("GrantAuthority.requireActions")(function* (
        actions: Iterable<Action>,
        right: Right = "permission.write"
      ) {
        yield* requireFor(right, [{ actions: new Set(actions), on: Grants.tenantWide }])
      })

      const requireReach = Effect.fn("GrantAuthority.requireReach")(function* (
        right: Right,
        grants: ReadonlyArray<Grant>
      ) {
        const given = (yield* resolve(grants)).map(({ actions, authority, grant, on }) => ({
          actions: actions ?? new Set<Action>(),
          authority,
          on: on ?? goneTarget(grant)
        }))
        yield* requireWithin(right, given)
      })

      const requireContents = Effect.fn("GrantAuthority.requireContents")(
        (contents: Pick<Grants.GivenGrant, "actions" | "authority">) =>
          requireWithin("permission.write", [{ ...contents, on: Grants.tenantWide }])
      )

      return GrantAuthority.of({
        requireToGive,
        requireToTake,
        requireReach,
        requireContents,
        requireActions
      })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, RolesRepo.layer]))
}

/** Whether there is any authority at all. */
const reaches = (authority: HeldAuthority): boolean =>
  authority === "UNLIMITED" || Object.keys(authority).length > 0

/** A client can give nothing of an area outside of its scopes. */
const requireScopes = (
  scopes: ReadonlySet<Scope>,
  given: ReadonlyArray<Grants.GivenGrant>
): Effect.Effect<void, Forbidden> => {
  if (scopes.has("platform/permissions")) return Effect.void
  const needed = given.flatMap(({ actions }) => [...actions].map(scopeOf))
  const requiredScope = needed.find((scope) => !scopes.has(scope))
  return requiredScope === undefined ? Effect.void : Effect.fail(new Forbidden({ requiredScope }))
}

/** The target of a grant on what is no longer there. */
const goneTarget = ({ on }: Grant): Grants.Target => ({ firms: [], records: [nameOf(on) ?? ""] })

/** What a grant names, unless it is on the whole tenant. */
const nameOf = (on: Grant["on"]): string | undefined => {
  switch (on.kind) {
    case "TENANT":
      return undefined
    case "FIRM":
      return on.brokerageFirmId
    case "RECORD":
      return on.recordId
  }
}

const invalidTarget = (on: Grant["on"]) =>
  new InvalidReference({
    field: on.kind === "FIRM" ? "brokerageFirmId" : "recordId",
    value: nameOf(on) ?? ""
  })
