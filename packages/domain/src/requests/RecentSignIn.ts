/** What is not done on the strength of a sign-in of long ago (RFC 9470). */
import { Effect, Schema } from "effect"
import type { Caller } from "./Caller.ts"

/** Seconds for which a sign-in is recent. */
export const recentSignIn = 15 * 60

/** The person has to sign in again before they do that. */
export class SignInTooOld extends Schema.TaggedError<SignInTooOld>()("SignInTooOld", {
  /** Seconds that may have passed since the sign-in. */
  maxAge: Schema.Int
}) {
  override get message() {
    return `Sign in again, then repeat the request: send the browser to the authorization server with max_age=${this.maxAge}.`
  }
}

/** What the header `WWW-Authenticate` says then (RFC 9470, section 3). */
export const challenge = ({ maxAge }: SignInTooOld): string =>
  `Bearer error="insufficient_user_authentication", error_description="Sign in again.", max_age="${maxAge}"`

/**
 * Fails for a person who signed in longer ago than `recentSignIn`, or at a time that their token does
 * not tell. `now` is in seconds since 1970, in real time. Programs have no sign-in to be old.
 */
export const requireRecentSignIn = (
  caller: Caller,
  now: number
): Effect.Effect<void, SignInTooOld> =>
  caller._tag !== "User" || (caller.authTime !== undefined && now - caller.authTime <= recentSignIn)
    ? Effect.void
    : Effect.fail(new SignInTooOld({ maxAge: recentSignIn }))
