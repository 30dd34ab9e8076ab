/** Signatures as people see them, and the proof that they are as they were recorded. */
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { faultOf, readable } from "@quittance/domain/signatures/EvidenceStep"
import type {
  Signature,
  SignatureNotFound,
  SignatureSteps
} from "@quittance/domain/signatures/Signature"
import type { SignatureSeal } from "@quittance/domain/signatures/SignatureSeal"
import type { PolicyId, SignatureId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SealingsRepo } from "@quittance/persistence/signatures/SealingsRepo"
import { SignaturesRepo } from "@quittance/persistence/signatures/SignaturesRepo"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "../values/Sha256.ts"

type Asked = CurrentTenant | CurrentCaller

export class Signatures extends Context.Service<
  Signatures,
  {
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Signature>, Forbidden | PolicyNotFound | UserNotFound, Asked>
    get(id: SignatureId): Effect.Effect<Signature, Forbidden | SignatureNotFound, Asked>
    /** The steps of a signature, checked against each other and against the audit trail. */
    steps(id: SignatureId): Effect.Effect<SignatureSteps, Forbidden | SignatureNotFound, Asked>
    /** The seal on what was signed, once there is one. */
    seal(id: SignatureId): Effect.Effect<SignatureSeal, Forbidden | SignatureNotFound, Asked>
  }
>()("@quittance/operations/Signatures") {
  static readonly layer = Layer.effect(
    Signatures,
    Effect.gen(function* () {
      const policies = yield* PoliciesRepo
      const repo = yield* SignaturesRepo
      const sealings = yield* SealingsRepo

      const list = Effect.fn("Signatures.list")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("signature.read", policyId)
        const { rows, total } = yield* repo.list(policyId, page)
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("Signatures.get")((id: SignatureId) =>
        repo.authorize("signature.read", id)
      )

      const steps = Effect.fn("Signatures.steps")(function* (id: SignatureId) {
        yield* repo.authorize("signature.read", id)
        const { head, steps: stored } = yield* repo.steps(id)
        if (stored.length === 0 && head === undefined) {
          return { signatureId: id, steps: [], status: "NOT_KEPT" } satisfies SignatureSteps
        }
        const fault = faultOf(stored, { signatureId: id, head }, sha256)
        return {
          signatureId: id,
          steps: readable(stored),
          ...(head === undefined ? {} : { head }),
          ...(fault === undefined ? { status: "INTACT" } : { status: "CHANGED", fault })
        } satisfies SignatureSteps
      })

      const seal = Effect.fn("Signatures.seal")(function* (id: SignatureId) {
        yield* repo.authorize("signature.read", id)
        return yield* sealings.find(id)
      })

      return Signatures.of({ list, get, steps, seal })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, SealingsRepo.layer, SignaturesRepo.layer]))
}
