/** Holds the caller to a sign-in of a moment ago, in real time. */
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import * as RecentSignIn from "@quittance/domain/requests/RecentSignIn"
import { Clock, Effect } from "effect"

/** Fails for a person who signed in too long ago; programs and sessions pass. */
export const requireRecentSignIn = Effect.gen(function* () {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  yield* RecentSignIn.requireRecentSignIn(yield* CurrentCaller, now)
})
