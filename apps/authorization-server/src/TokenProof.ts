/** The key that a request for a token has proven, if it brings a proof (RFC 9449, section 5). */
import { TokenBinding } from "@quittance/domain/tokens/Token"
import { headerValues } from "@quittance/http/RequestHead"
import type { ProofsOfPossession } from "@quittance/operations/tokens/ProofsOfPossession"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

/** Has the tokens of a request bound to the key that it proves; without a proof they are bearer tokens. */
export const bind =
  (proofs: ProofsOfPossession["Service"]) =>
  <A, E, R>(tokens: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const sent = headerValues(request, "dpop")
      if (sent.length === 0) return yield* tokens
      const address = Option.getOrElse(request.remoteAddress, () => "")
      const jkt = yield* proofs.ofTokenRequest(sent, address)
      return yield* Effect.provideService(tokens, TokenBinding, jkt)
    })
