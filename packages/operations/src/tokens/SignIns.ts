/** What a user has signed in with: codes that wait to be redeemed, and families of refresh tokens. */
import type { UserId } from "@quittance/domain/requests/Caller"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { SignInAttemptsRepo } from "@quittance/persistence/tokens/SignInAttemptsRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class SignIns extends Context.Service<
  SignIns,
  {
    /**
     * Ends every sign-in of a user: refresh tokens at once, access tokens within a second on every
     * instance. Belongs after the change of the user's row, in its transaction: a sign-in under way
     * holds that row (`UsersRepo.holdActive`), so it is either over and found, or sees the change.
     * `except`: the one sign-in that goes on.
     */
    end(userId: UserId, except?: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const attempts = yield* SignInAttemptsRepo
      const codes = yield* AuthorizationCodesRepo
      const refreshTokens = yield* RefreshTokensRepo

      const end = Effect.fn("SignIns.end")(function* (userId: UserId, except?: string) {
        yield* attempts.voidOfUser(userId)
        yield* codes.voidOfUser(userId)
        yield* refreshTokens.revokeOfUser(userId, except)
      })

      return SignIns.of({ end })
    })
  ).pipe(
    Layer.provide([AuthorizationCodesRepo.layer, RefreshTokensRepo.layer, SignInAttemptsRepo.layer])
  )
}
