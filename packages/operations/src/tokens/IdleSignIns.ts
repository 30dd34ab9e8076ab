/** How long an unused sign-in lasts. */
import { lifetimes } from "@quittance/domain/tokens/Token"
import * as Settings from "@quittance/domain/values/Settings"
import { Config } from "effect"

/**
 * Seconds: `SIGN_IN_IDLE_SECONDS`. Longer than an access token lives, or a front end that refreshes when its token is
 * over would always come too late; as long as a sign-in lasts at most, or it would mean nothing.
 */
export const idleSeconds = Settings.count("SIGN_IN_IDLE_SECONDS", {
  minimum: lifetimes.user + 60,
  maximum: lifetimes.refreshFamily
}).pipe(Config.withDefault(lifetimes.refreshIdle))
