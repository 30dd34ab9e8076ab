/** What may be presented once: assertions of clients and proofs of possession. */
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Each use is one unit of a window that allows one, so all instances together let it through once. The
 * store forgets it when the window is over, and each new one takes two that are over along.
 */
export class SingleUse extends Context.Service<
  SingleUse,
  {
    /**
     * Whether this was not presented before, within so many seconds. The parts name it within the
     * tenant: its kind, who presents it, its identifier. What asks last is the use, so it is asked
     * after everything else was found good.
     */
    claim(
      parts: readonly [kind: "assertion" | "proof", holder: string, id: string],
      seconds: number
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/SingleUse") {
  static readonly layer = Layer.effect(
    SingleUse,
    Effect.gen(function* () {
      const store = yield* RateLimitStore

      const claim = Effect.fn("SingleUse.claim")(function* (
        [kind, holder, id]: readonly [string, string, string],
        seconds: number
      ) {
        // A digest: of one length, whatever was sent, and nothing that was sent can be read from it.
        const bucket = `once:${kind}:${hash("sha256", `${holder}\0${id}`, "base64url")}`
        const { granted } = yield* store.take(bucket, { limit: 1, windowSeconds: seconds }, 1)
        return granted === 1
      })

      return SingleUse.of({ claim })
    })
  )
}
