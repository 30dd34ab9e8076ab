/**
 * What a route requires of its caller, as data on the contract: groups and endpoints carry it as
 * annotations, the middlewares and the published document read it, and a route without it does not
 * start.
 */
import type { Caller, Scope } from "@quittance/domain/requests/Caller"
import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { Context } from "effect"
import type { Action } from "@quittance/domain/requests/Action"

/** The scope that a client's token needs for the area; `NONE` where no token is sent. */
export class RequiredScope extends Context.Service<RequiredScope, Scope | "NONE">()(
  "@quittance/contract/Access/RequiredScope"
) {}

export type CallerKind = Exclude<Caller["_tag"], "Signer">

/**
 * The kinds of caller that a route serves; empty where no token is sent. A client on a route that is
 * not for clients is answered USER_NOT_FOUND, any other kind FORBIDDEN.
 */
export class Callers extends Context.Service<Callers, ReadonlyArray<CallerKind>>()(
  "@quittance/contract/Access/Callers"
) {}

/**
 * Where a person needs the action of a route: on the `RECORD` that the path names; on the whole
 * `TENANT`; or `ANYWHERE`, where the answer is made of what the action covers.
 */
export interface Permission {
  readonly action: Action
  readonly on: "RECORD" | "TENANT" | "ANYWHERE"
}

/** What people need a grant for; `NONE` where being who they are is enough. Clients go by scopes. */
export class RequiredPermission extends Context.Service<RequiredPermission, Permission | "NONE">()(
  "@quittance/contract/Access/RequiredPermission"
) {}

/** How often one source may call the route; `NONE` is a decision, an absent annotation is not. */
export class RateLimitPolicy extends Context.Service<RateLimitPolicy, RateLimit | "NONE">()(
  "@quittance/contract/Access/RateLimitPolicy"
) {}

/** What a visitor has a window for: records opened, prices worked out, files sent. */
export class VisitorWindow extends Context.Service<VisitorWindow, "OPEN" | "PRICE" | "UPLOAD">()(
  "@quittance/contract/Access/VisitorWindow"
) {}

/** The annotation of a route on which a visitor opens records. */
export const opens = Context.make(VisitorWindow, "OPEN")
/** The annotation of a route that works out a price. */
export const prices = Context.make(VisitorWindow, "PRICE")
/** The annotation of a route on which a visitor sends a file. */
export const uploads = Context.make(VisitorWindow, "UPLOAD")

/** Whether a write takes an idempotency key. Every write says so, one way or the other. */
export class Idempotent extends Context.Service<Idempotent, boolean>()(
  "@quittance/contract/Access/Idempotent"
) {}

export const everyone: ReadonlyArray<CallerKind> = ["Client", "User", "Anonymous"]
/** On the records of a policy: a client-credentials token belongs to no person. */
export const people: ReadonlyArray<CallerKind> = ["User", "Anonymous"]

export interface AccessRules {
  readonly scope: Scope | "NONE"
  readonly callers: ReadonlyArray<CallerKind>
  readonly rateLimit?: RateLimit
}

/** The annotations of a group or an endpoint: `group.annotateMerge(access({ … }))`. */
export const access = ({ callers, rateLimit, scope }: AccessRules) =>
  Context.make(RequiredScope, scope).pipe(
    Context.add(Callers, callers),
    Context.add(RateLimitPolicy, rateLimit ?? "NONE")
  )

/** The annotation of a route for whose people an action is asked, once the request is known to fit. */
export const needs = (action: Action, on: Permission["on"]) =>
  Context.make(RequiredPermission, { action, on })
/** The annotation of a route that asks its callers for no permission. */
export const needsNothing = Context.make(RequiredPermission, "NONE")

/** The annotation of a write that may be repeated with its key. */
export const idempotent = Context.make(Idempotent, true)
/** The annotation of a write without a key: it leaves no record, or has no caller to keep it for. */
export const unkeyed = Context.make(Idempotent, false)

/** A body that the published document shows; a route whose body has no members needs none. */
export class RequestExample extends Context.Service<RequestExample, unknown>()(
  "@quittance/contract/Access/RequestExample"
) {}
