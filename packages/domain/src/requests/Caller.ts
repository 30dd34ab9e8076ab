/** Who is behind a token, and what a refusal says. */
import { Context, Schema } from "effect"
import type { SignerId } from "../values/Ids.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const ClientId = Schema.NonEmptyString.pipe(Schema.brand("ClientId"))
export type ClientId = typeof ClientId.Type
export const UserId = PrefixedId.schema("user")
export type UserId = typeof UserId.Type
export const AnonymousSessionId = PrefixedId.schema("anonymous_session")
export type AnonymousSessionId = typeof AnonymousSessionId.Type

/** The areas of the interface; `internalOnly` ones are never granted to integration clients. */
export const scopes = {
  "platform/account": { internalOnly: false },
  "platform/customers": { internalOnly: false },
  "platform/policies": { internalOnly: false },
  "platform/assets": { internalOnly: false },
  "platform/branches": { internalOnly: false },
  "platform/quotes": { internalOnly: false },
  "platform/documents": { internalOnly: false },
  "platform/signature": { internalOnly: false },
  "platform/billing": { internalOnly: false },
  "platform/payments": { internalOnly: false },
  "platform/claims": { internalOnly: false },
  "platform/external-claims": { internalOnly: false },
  "platform/derogations": { internalOnly: false },
  "platform/comments": { internalOnly: false },
  "platform/internal-notes": { internalOnly: false },
  "platform/invitations": { internalOnly: false },
  "platform/permissions": { internalOnly: true },
  "platform/broker": { internalOnly: false },
  "platform/reportings": { internalOnly: false },
  "platform/analytics": { internalOnly: false },
  "platform/metrics": { internalOnly: true },
  "platform/external": { internalOnly: false },
  "platform/admin": { internalOnly: false }
} as const satisfies Record<`platform/${string}`, { readonly internalOnly: boolean }>

// Object.keys forgets the literal types of a constant record.
export const scopeNames = Object.keys(scopes) as unknown as readonly [Scope, ...Array<Scope>]
export const Scope = Schema.Literals(scopeNames)
export type Scope = keyof typeof scopes

/** Only client-credentials tokens carry scopes. */
export type Caller =
  | { readonly _tag: "Client"; readonly clientId: ClientId; readonly scopes: ReadonlySet<Scope> }
  | {
      readonly _tag: "User"
      readonly userId: UserId
      /** When they signed in, in seconds since 1970; absent where the token does not tell. */
      readonly authTime?: number
      /** The sign-in that the token belongs to: a family of refresh tokens. */
      readonly signInId?: string
      /** Whether they signed in with two factors; absent where they didn't. */
      readonly isTwoFactor?: true
    }
  | { readonly _tag: "Anonymous"; readonly sessionId: AnonymousSessionId }
  /** Who has the link of a signer. They have no token and no grant: the ceremony alone lets them in. */
  | {
      readonly _tag: "Signer"
      readonly signerId: SignerId
      /** Which link of theirs was followed; another one may end it meanwhile. */
      readonly linkNumber: number
    }

/** The identifier behind the token, whatever its kind: the token's `sub`. */
export const subject = (caller: Caller): string => {
  switch (caller._tag) {
    case "Client":
      return caller.clientId
    case "User":
      return caller.userId
    case "Anonymous":
      return caller.sessionId
    case "Signer":
      return caller.signerId
  }
}

export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()(
  "@quittance/domain/CurrentCaller"
) {}

export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {
  override get message() {
    return "Send a bearer token that is not expired and was issued for this tenant."
  }
}

export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  requiredScope: Schema.optionalKey(Scope),
  action: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.requiredScope === undefined
      ? "This identity has no permission for that; ask a manager of the tenant for a grant."
      : `Request a token with the scope ${this.requiredScope}.`
  }
}

/** No user is behind the token, or the tenant has none of this identifier. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {
  /** The identifier that the request names; absent where the caller itself is no user. */
  userId: Schema.optionalKey(UserId)
}) {
  override get message() {
    return this.userId === undefined
      ? "A client-credentials token is not a user: act as a signed-in user or with an anonymous session."
      : `User ${this.userId} does not exist; check the identifier and the tenant.`
  }
}
