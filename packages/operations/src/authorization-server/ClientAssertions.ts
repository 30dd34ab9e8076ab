/** Clients that prove by a key of their own who they are (`private_key_jwt`). */
import * as ClientAssertion from "@quittance/auth/ClientAssertion"
import type { Client } from "@quittance/domain/access/Client"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import type { Registration } from "@quittance/persistence/access/ClientsRepo"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { QuotaLeases } from "../requests/QuotaLeases.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { SingleUse } from "../tokens/SingleUse.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Assertions that a client may use; what is remembered of them is bounded by it. */
const assertionLimit = { limit: 300, windowSeconds: 60 }

export class ClientAssertions extends Context.Service<
  ClientAssertions,
  {
    /**
     * The client, if the assertion is signed with one of its keys, for this tenant's server, valid
     * now and not used before. An assertion is used up only when everything else about it is good.
     */
    prove(
      found: Registration | undefined,
      assertion: Redacted.Redacted
    ): Effect.Effect<Client | undefined, RateLimited, CurrentTenant>
  }
>()("@quittance/operations/ClientAssertions") {
  static readonly layer = Layer.effect(
    ClientAssertions,
    Effect.gen(function* () {
      const issuers = yield* Issuers
      const quotas = yield* QuotaLeases
      const singleUse = yield* SingleUse

      const prove = Effect.fn("ClientAssertions.prove")(function* (
        found: Registration | undefined,
        assertion: Redacted.Redacted
      ) {
        if (found?.client.kind !== "CONFIDENTIAL" || found.publicKeys.length === 0) return undefined
        const issuer = issuers.of(yield* CurrentTenant)
        const good = yield* ClientAssertion.verify(Redacted.value(assertion), {
          clientId: found.client.id,
          keys: found.publicKeys,
          audiences: [issuer, `${issuer}/oauth2/token`],
          now: (yield* Clock.currentTimeMillis) / 1000
        })
        if (good === undefined) return undefined
        // A repeated assertion spends nothing of the client's quota: only its first use does.
        const bucket = `assertion:${found.client.id}`
        yield* quotas.check(bucket, assertionLimit)
        const isFirst = yield* singleUse.claim(
          ["assertion", found.client.id, good.jti],
          good.usableFor + 1
        )
        if (!isFirst) return undefined
        yield* quotas.spend(bucket, assertionLimit)
        return found.client
      })

      return ClientAssertions.of({ prove })
    })
  ).pipe(Layer.provide([QuotaLeases.layer, SingleUse.layer]))
}
