import { Schema } from "effect"
import { AnonymousSessionId } from "../requests/Caller.ts"
import { Instant } from "../values/Instant.ts"
import { CustomerId } from "../values/Ids.ts"

/** A visitor's session. It is the authority behind its token: what it may do hangs on its id. */
export const AnonymousSession = Schema.Struct({
  id: AnonymousSessionId,
  productId: Schema.optionalKey(Schema.String),
  /** Whom it has come to speak for, by an invitation. */
  customerId: Schema.optionalKey(CustomerId),
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: Schema.optionalKey(Instant)
})
export type AnonymousSession = typeof AnonymousSession.Type

/** What `POST /anonymous-session` answers. */
export const StartedAnonymousSession = Schema.Struct({
  sessionId: AnonymousSessionId,
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  /** Seconds. */
  expiresIn: Schema.Int,
  expiresAt: Instant
}).annotate({ identifier: "StartedAnonymousSession" })
export type StartedAnonymousSession = typeof StartedAnonymousSession.Type

/** Sessions a client address may start in a tenant. */
export const sessionLimit = { limit: 100, windowSeconds: 3600 }
