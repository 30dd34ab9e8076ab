import { RecentSignIn } from "@quittance/contract/requests/RecentSignIn"
import { requireRecentSignIn } from "@quittance/operations/requests/RecentSignIn"
import { Effect, Layer } from "effect"

/** Asks people to sign in again before a route that says so. */
export const RecentSignInLayer = Layer.succeed(
  RecentSignIn,
  RecentSignIn.of((handler) => Effect.andThen(requireRecentSignIn, handler))
)
