/** Keeps a signature by one call with its evidence, in the transaction of the step that it signs. */
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import { acceptedTexts, type SignPolicy } from "@quittance/domain/policies/PolicyRequests"
import type { Product } from "@quittance/domain/products/Product"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { chained, type StepFacts } from "@quittance/domain/signatures/EvidenceStep"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { SealingsRepo } from "@quittance/persistence/signatures/SealingsRepo"
import { signedAction, SignaturesRepo } from "@quittance/persistence/signatures/SignaturesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { sha256 } from "../values/Sha256.ts"

/** What is signed. */
export interface Signed {
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly product: Product
  /** The quotes that are accepted, at least one; the first is that of the branch's start. */
  readonly quotes: ReadonlyArray<QuoteRecord>
  readonly now: Instant
}

export class ClickSignatures extends Context.Service<
  ClickSignatures,
  {
    /** Fails where a text is accepted that the product does not have for a signature. */
    keep(
      signed: Signed,
      input: SignPolicy
    ): Effect.Effect<void, InvalidReference, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/ClickSignatures") {
  static readonly layer = Layer.effect(
    ClickSignatures,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const ids = yield* Ids
      const repo = yield* SignaturesRepo
      const sealings = yield* SealingsRepo

      const keep = Effect.fn("ClickSignatures.keep")(function* (
        { branchId, now, policyId, product, quotes }: Signed,
        input: SignPolicy
      ) {
        const texts = product.consents.filter(({ requiredFor }) => requiredFor === "SIGN")
        const consents = yield* consentsOf(texts, acceptedTexts(input))
        const { address, userAgent } = yield* CurrentRequest
        const { id: actorId, kind } = yield* requestActor
        // The text of a date is the canonical one.
        const recordedAt = DateTime.formatIso(yield* DateTime.now) as Instant
        const id = ids.next("signature")
        const { signer } = input
        const facts: ReadonlyArray<StepFacts> = [
          ...consents.map(({ textHash, textId }): StepFacts => ({
            kind: "CONSENT_GIVEN",
            textId,
            sha256: textHash
          })),
          {
            kind: "SIGNED",
            policyId,
            branchId,
            signer,
            quotes: quotes.map((quote) => ({ quoteId: quote.id, stateDigest: quote.pricedHash }))
          }
        ]
        const actor = { kind, id: actorId }
        const origin = { signatureId: id, at: now, recordedAt, actor, address, userAgent }
        const steps = chained(facts, origin, sha256)
        yield* repo.insert({
          id,
          policyId,
          branchId,
          quoteId: quotes[0]!.id,
          signer,
          consents,
          signedAt: now,
          address,
          userAgent,
          steps
        })
        yield* sealings.schedule({ signatureId: id, policyId, branchId, signedAt: now })
        yield* audit.record({
          action: signedAction,
          recordId: id,
          businessAt: now,
          detail: { policyId, after: steps.at(-1)!.hash }
        })
      })

      return ClickSignatures.of({ keep })
    })
  ).pipe(Layer.provide([AuditTrail.layer, SealingsRepo.layer, SignaturesRepo.layer]))
}

/** The product's texts that are accepted, in its order. */
const consentsOf = Effect.fnUntraced(function* (
  texts: Product["consents"],
  accepted: ReadonlySet<string>
) {
  const unknown = [...accepted].find((one) => texts.every(({ textId }) => textId !== one))
  if (unknown !== undefined) {
    const expected = "a text of the product that is accepted by signing"
    return yield* new InvalidReference({ field: "consents", value: unknown, expected })
  }
  return texts
    .filter(({ textId }) => accepted.has(textId))
    .map(({ text, textId }) => ({ textId, textHash: sha256(text) }))
})
