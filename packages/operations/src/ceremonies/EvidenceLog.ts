/** Adds steps to the evidence of a signature, and anchors the last one in the audit trail. */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { chained, type StepFacts } from "@quittance/domain/signatures/EvidenceStep"
import type { Signature } from "@quittance/domain/signatures/Signature"
import type { Instant } from "@quittance/domain/values/Instant"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Context, DateTime, Effect, Layer } from "effect"
import { type Actor, requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { sha256 } from "../values/Sha256.ts"

/** What has happened to a signature. */
export interface Happened {
  /** As the audit trail calls it; an event follows where it is one. */
  readonly action: `signature.${string}`
  readonly facts: ReadonlyArray<StepFacts>
  readonly now: Instant
}

/** Who has brought it about, and from where; both texts are empty for what follows by itself. */
export interface BroughtBy {
  readonly actor: Actor
  readonly address: string
  readonly userAgent: string
}

export class EvidenceLog extends Context.Service<
  EvidenceLog,
  {
    /** By the caller of the running request. */
    add(
      signature: Pick<Signature, "id" | "policyId">,
      happened: Happened
    ): Effect.Effect<void, never, CurrentTenant | CurrentCaller | CurrentRequest>
    addBy(
      signature: Pick<Signature, "id" | "policyId">,
      happened: Happened,
      by: BroughtBy
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/EvidenceLog") {
  static readonly layer = Layer.effect(
    EvidenceLog,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const repo = yield* SignatureRequestsRepo

      const addBy = Effect.fn("EvidenceLog.addBy")(function* (
        signature: Pick<Signature, "id" | "policyId">,
        { action, facts, now }: Happened,
        { actor, address, userAgent }: BroughtBy
      ) {
        const { id, policyId } = signature
        // The text of a date is the canonical one.
        const recordedAt = DateTime.formatIso(yield* DateTime.now) as Instant
        const after = yield* repo.chainEnd(id)
        const by = { kind: actor.kind, id: actor.id }
        const origin = { signatureId: id, at: now, recordedAt, actor: by, address, userAgent }
        const steps = chained(facts, origin, sha256, after)
        yield* repo.addSteps(signature, after.n, steps)
        const detail = {
          policyId,
          after: steps.at(-1)!.hash,
          steps: String(after.n + steps.length)
        }
        yield* audit.recordAll(actor, [{ action, recordId: id, businessAt: now, detail }])
      })

      const add = Effect.fn("EvidenceLog.add")(function* (
        signature: Pick<Signature, "id" | "policyId">,
        happened: Happened
      ) {
        const actor = yield* requestActor
        const { address, userAgent } = yield* CurrentRequest
        yield* addBy(signature, happened, { actor, address, userAgent })
      })

      return EvidenceLog.of({ add, addBy })
    })
  ).pipe(Layer.provide([AuditTrail.layer, SignatureRequestsRepo.layer]))
}
