/** Tokens that are worth nothing without the key that they are bound to (RFC 9449). */
import * as DpopProof from "@quittance/auth/DpopProof"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import * as Turns from "@quittance/domain/requests/Turns"
import { failureLimit, TokenRefused } from "@quittance/domain/tokens/Token"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { QuotaLeases } from "../requests/QuotaLeases.ts"
import { Issuers } from "./Issuers.ts"
import { SingleUse } from "./SingleUse.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Proofs that an address may send to a token endpoint, where any client can make one with any key. */
const proofLimit = { limit: 600, windowSeconds: 60 }

/** Proofs of one key that one program asks the store about at a time: as many requests as are served so. */
const claimLimits = { atOnce: Infinity, each: 8, waiting: 184 }

/** A request to a resource, with what its headers say. */
export interface BoundRequest {
  readonly method: string
  /** Below the address of the API, with or without its query. */
  readonly path: string
  /** Every value of the header `dpop`. */
  readonly proofs: ReadonlyArray<string>
  readonly token: Redacted.Redacted
  /** The key that the token is bound to. */
  readonly jkt: string
}

export class ProofsOfPossession extends Context.Service<
  ProofsOfPossession,
  {
    /** The key that a request for a token has proven, by its thumbprint. */
    ofTokenRequest(
      proofs: ReadonlyArray<string>,
      address: string
    ): Effect.Effect<string, TokenRefused | RateLimited, CurrentTenant>
    /** Whether the sender of a request with a bound token has the token's key. */
    isProven(request: BoundRequest): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/ProofsOfPossession") {
  static readonly layer = Layer.effect(
    ProofsOfPossession,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const quotas = yield* QuotaLeases
      const singleUse = yield* SingleUse

      const verify = Effect.fnUntraced(function* (
        [proof, ...others]: ReadonlyArray<string>,
        expected: Omit<DpopProof.Expected, "now">
      ) {
        if (proof === undefined || others.length > 0) return undefined
        const now = (yield* Clock.currentTimeMillis) / 1000
        return yield* DpopProof.verify(proof, { ...expected, now })
      })

      // Proofs come before a request is admitted, and each is a question to the store.
      const turns = Turns.make("CALLER", claimLimits)
      const isFirst = ({ jkt, jti, usableFor }: DpopProof.Proof) =>
        Effect.flatMap(CurrentTenant, (tenant) =>
          turns.run(`${tenant} ${jkt}`, singleUse.claim(["proof", jkt, jti], usableFor))
        )

      const ofTokenRequest = Effect.fn("ProofsOfPossession.ofTokenRequest")(function* (
        proofs: ReadonlyArray<string>,
        address: string
      ) {
        const url = `${issuers.of(yield* CurrentTenant)}/oauth2/token`
        const source = SourceAddress.key(address)
        // Bad ones and repeated ones are counted by who sends them, as wrong credentials are.
        yield* quotas.check(`proof-failure:${source}`, failureLimit)
        const proof = yield* verify(proofs, { method: "POST", url })
        if (proof !== undefined) {
          yield* quotas.spend(`proof:${source}`, proofLimit)
          if (yield* isFirst(proof)) return proof.jkt
        }
        yield* quotas.spend(`proof-failure:${source}`, failureLimit)
        return yield* new TokenRefused({ error: "invalid_dpop_proof" })
      })

      const isProven = Effect.fn("ProofsOfPossession.isProven")(function* (request: BoundRequest) {
        const { jkt, method, path, proofs, token } = request
        const url = `${issuers.audience}${path}`
        const proof = yield* verify(proofs, { method, url, accessToken: Redacted.value(token) })
        // Only the holder of the token's key gets as far as to be remembered.
        return proof !== undefined && proof.jkt === jkt && (yield* isFirst(proof))
      })

      return ProofsOfPossession.of({ ofTokenRequest, isProven })
    })
  ).pipe(Layer.provide([QuotaLeases.layer, SingleUse.layer]))
}
