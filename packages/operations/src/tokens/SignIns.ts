/** What a user has signed in with: codes that wait to be redeemed, and families of refresh tokens. */
import type { UserId } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { Context, Effect, Layer } from "effect"

export class SignIns extends Context.Service<
  SignIns,
  {
    /**
     * Ends every sign-in of a user: refresh tokens at once, access tokens within a second on every
     * instance. Belongs after the change of the user's row, in its transaction: a sign-in under way
     * holds that row (`UsersRepo.holdActive`), so it is either over and found, or sees the change.
     */
    end(userId: UserId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const codes = yield* AuthorizationCodesRepo
      const refreshTokens = yield* RefreshTokensRepo

      const end = Effect.fn("SignIns.end")(function* (userId: UserId) {
        yield* codes.voidOfUser(userId)
        yield* refreshTokens.revokeOfUser(userId)
      })

      return SignIns.of({ end })
    })
  ).pipe(Layer.provide([AuthorizationCodesRepo.layer, RefreshTokensRepo.layer]))
}
