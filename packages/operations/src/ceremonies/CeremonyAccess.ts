/** Who takes a step of a ceremony: the person of the signer, on the signature of their policy. */
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller, type Forbidden, type UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SignatureNotFound, Signature } from "@quittance/domain/signatures/Signature"
import { SignatureClosed, SignerNotFound } from "@quittance/domain/signatures/SignatureErrors"
import type { RequestedSigner } from "@quittance/domain/signatures/Signer"
import { isRequested } from "@quittance/domain/signatures/Signer"
import type { BranchId, PolicyId, SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { SignerLinksRepo } from "@quittance/persistence/ceremonies/SignerLinksRepo"
import { SignerStepsRepo } from "@quittance/persistence/ceremonies/SignerStepsRepo"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import {
  type RequestPlace,
  SignatureRequestsRepo
} from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Context, Effect, Layer } from "effect"

/** Which signer of which signature. */
export interface SignerPath {
  readonly signatureId: SignatureId
  readonly signerId: SignerId
}

/** A signature that is open, its policy locked, and the signer whose person asks. */
export interface OpenCeremony {
  readonly authorized: AuthorizedPolicy
  readonly place: RequestPlace & { readonly branchId: BranchId }
  readonly signature: Signature
  readonly signer: RequestedSigner
}

export type AccessFailure =
  | Forbidden
  | PolicyNotFound
  | SignatureClosed
  | SignatureNotFound
  | SignerNotFound
  | UserNotFound

export class CeremonyAccess extends Context.Service<
  CeremonyAccess,
  {
    open(
      path: SignerPath
    ): Effect.Effect<OpenCeremony, AccessFailure, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/CeremonyAccess") {
  static readonly layer = Layer.effect(
    CeremonyAccess,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const links = yield* SignerLinksRepo
      const policies = yield* PoliciesRepo
      const repo = yield* SignatureRequestsRepo
      const steps = yield* SignerStepsRepo

      /**
       * A link is that of one signer, and still their last one behind the lock. Users sign for those who sell as themselves. A customer's person is known by
       * the policy that they were given; what proves them is the code, or, where the product asks for none, the
       * program they are in.
       */
      const isPersonOf = Effect.fnUntraced(function* (
        signature: Signature,
        { customerId, delivery, id, otp, userId }: RequestedSigner
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Signer") {
          return caller.signerId === id && (yield* links.find(id))?.number === caller.linkNumber
        }
        if (customerId === undefined) return caller._tag === "User" && caller.userId === userId
        if (otp === "NONE" && delivery !== "EMBEDDED") return false
        return yield* steps.isCustomer(signature.policyId, customerId)
      })

      /** Who has a link has no permission on the policy: the link is one for this signature. */
      const lockOf = Effect.fnUntraced(function* (action: Action, policyId: PolicyId) {
        if ((yield* CurrentCaller)._tag !== "Signer") {
          return yield* policies.authorize(action, policyId, { lock: true })
        }
        return { action, ...(yield* policies.hold(policyId)) }
      })

      const open = Effect.fn("CeremonyAccess.open")(function* ({
        signatureId,
        signerId
      }: SignerPath) {
        const place = yield* repo.place(signatureId)
        // Who signs never changes.
        const { signers } = yield* repo.find(signatureId)
        const isSeller = signers.some(({ id, userId }) => id === signerId && userId !== undefined)
        const action = isSeller ? "signature.countersign" : "policy.write"
        const authorized = yield* lockOf(action, place.policyId)
        const signature = yield* repo.find(signatureId)
        const signer = signature.signers.find(({ id }) => id === signerId)
        if (signer === undefined || !isRequested(signer)) {
          return yield* new SignerNotFound({ signerId })
        }
        if (!(yield* isPersonOf(signature, signer))) return yield* grants.refuse(action)
        const { expiresAt, status } = signature
        if (status !== "OPEN") return yield* new SignatureClosed({ status })
        // The worker may be late.
        if (expiresAt !== undefined && expiresAt <= authorized.now) {
          return yield* new SignatureClosed({ status: "EXPIRED" })
        }
        return { authorized, place, signature, signer } satisfies OpenCeremony
      })

      return CeremonyAccess.of({ open })
    })
  ).pipe(
    Layer.provide([
      GrantsRepo.layer,
      SignerLinksRepo.layer,
      PoliciesRepo.layer,
      SignatureRequestsRepo.layer,
      SignerStepsRepo.layer
    ])
  )
}
