import { Authorization } from "@quittance/contract/requests/Authorization"
import { SignatureAlgorithm } from "@quittance/domain/access/ClientKey"
import { CurrentCaller, Unauthorized } from "@quittance/domain/requests/Caller"
import { headerValues } from "@quittance/http/RequestHead"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { ProofsOfPossession } from "@quittance/operations/tokens/ProofsOfPossession"
import { Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

/** Finds out who calls; what that caller may do is the next one's to say. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const proofs = yield* ProofsOfPossession

    /** The caller behind a token that is bound to a key, if the request proves the key. */
    const bound = Effect.fnUntraced(function* (
      token: Redacted.Redacted,
      request: HttpServerRequest.HttpServerRequest
    ) {
      yield* challenge("invalid_token")
      const { caller, jkt } = yield* tokens.verifyBound(token)
      const { method, url: path } = request
      const sent = headerValues(request, "dpop")
      if (yield* proofs.isProven({ method, path, proofs: sent, token, jkt })) return caller
      yield* challenge("invalid_dpop_proof")
      return yield* new Unauthorized()
    })

    return Authorization.of({
      bearer: Effect.fnUntraced(function* (handler, { credential }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        // With two credentials it is open who asks.
        const given = headerValues(request, "authorization")
        if (given.length > 1) return yield* new Unauthorized()
        const token = scheme.exec(given[0] ?? "")?.[1]
        const caller = yield* token === undefined
          ? tokens.verify(credential)
          : bound(Redacted.make(token), request)
        return yield* Effect.provideService(handler, CurrentCaller, caller)
      })
    })
  })
).pipe(Layer.provide(ProofsOfPossession.layer))

const scheme = /^dpop +(\S+)$/iu
const algorithms = SignatureAlgorithm.literals.join(" ")

/** Says, should the answer be 401, what the proof or its token lacks (RFC 9449, section 7.1). */
const challenge = (error: "invalid_token" | "invalid_dpop_proof") =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      response.status === 401
        ? HttpServerResponse.setHeader(
            response,
            "www-authenticate",
            `DPoP error="${error}", algs="${algorithms}"`
          )
        : response
    )
  )
