/** A pending sign-in, locked while its user continues it. */
import { SignInOver } from "@quittance/domain/authorization-server/SecondFactor"
import { IdentityProvidersRepo } from "@quittance/persistence/access/IdentityProvidersRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { SignInAttemptsRepo } from "@quittance/persistence/tokens/SignInAttemptsRepo"
import { Effect } from "effect"

/**
 * Holds the attempt with this hash until the transaction ends, and its user with it: two answers of one
 * person come one after the other. Fails with `SignInOver` if the attempt may not go on.
 */
export const makeHold = Effect.gen(function* () {
  const attempts = yield* SignInAttemptsRepo
  const factors = yield* SecondFactorsRepo
  const identityProviders = yield* IdentityProvidersRepo
  const users = yield* UsersRepo

  return Effect.fnUntraced(function* (hash: Uint8Array) {
    const found = yield* attempts.find(hash)
    // The user is locked before the attempt, in the same order as when all sign-ins of a user are ended.
    const isActive = found !== undefined && (yield* users.holdActiveAlone(found.userId))
    const attempt = isActive ? yield* attempts.find(hash, { lock: true }) : undefined
    if (attempt === undefined) return yield* new SignInOver()
    const { methods, stage, userId } = attempt
    // Since it began, the person may have enrolled a factor, which it has not asked for.
    const adds = stage === "ENROL" || stage === "MANAGE"
    if (adds && !methods.includes("mfa") && (yield* factors.of(userId)).length > 0) {
      return yield* new SignInOver()
    }
    // Or the tenant has come to send everybody to its provider.
    if (!methods.includes("fed") && (yield* identityProviders.find)?.mode === "REQUIRED") {
      return yield* new SignInOver()
    }
    return attempt
  })
})
