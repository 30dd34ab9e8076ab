/** The signature of each signer; the last one merges the branch in the same transaction. */
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { QuoteOutdated } from "@quittance/domain/products/Quote"
import type { Ceremony, SignSignature } from "@quittance/domain/signatures/Ceremony"
import { ceremonyOf, textsOf } from "@quittance/domain/signatures/CeremonyView"
import type { StepFacts } from "@quittance/domain/signatures/EvidenceStep"
import { DocumentNotShown, NameMismatch } from "@quittance/domain/signatures/SignatureErrors"
import { isSigned, nextInTurn, signerAfter } from "@quittance/domain/signatures/SignatureLifecycle"
import { isRequested, needsCode } from "@quittance/domain/signatures/Signer"
import { isNameOf } from "@quittance/domain/signatures/TypedName"
import type { SignatureId } from "@quittance/domain/values/Ids"
import { SignerStepsRepo } from "@quittance/persistence/ceremonies/SignerStepsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SealingsRepo } from "@quittance/persistence/signatures/SealingsRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { ComplianceGates } from "../compliance/ComplianceGates.ts"
import { BranchMerging, type MergeFailure } from "../lifecycle/BranchMerging.ts"
import { PolicyCommand } from "../policies/PolicyCommand.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import type { SaleFailure } from "../quotes/SaleGates.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"
import type { StepFailure } from "./Ceremonies.ts"
import { CeremonyAccess, type OpenCeremony, type SignerPath } from "./CeremonyAccess.ts"
import { EvidenceLog } from "./EvidenceLog.ts"
import { SignerTurns } from "./SignerTurns.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export type SignFailure =
  | DocumentNotShown
  | InvalidReference
  | MergeFailure
  | NameMismatch
  | SaleFailure
  | StepFailure

export class CeremonySigning extends Context.Service<
  CeremonySigning,
  {
    /**
     * Signs for one signer. Where the last one's branch can't be merged any more, no one has signed: the
     * signature is void.
     */
    sign(path: SignerPath, input: SignSignature): Effect.Effect<Ceremony, SignFailure, Scoped>
  }
>()("@quittance/operations/CeremonySigning") {
  static readonly layer = Layer.effect(
    CeremonySigning,
    Effect.gen(function* () {
      const access = yield* CeremonyAccess
      const audit = yield* AuditTrail
      const command = yield* Command
      const evidence = yield* EvidenceLog
      const gates = yield* ComplianceGates
      const log = yield* PolicyLog
      const merging = yield* BranchMerging
      const policies = yield* PoliciesRepo
      const policyCommand = yield* PolicyCommand
      const repo = yield* SignatureRequestsRepo
      const sealings = yield* SealingsRepo
      const steps = yield* SignerStepsRepo
      const tenantSql = yield* TenantSql
      const turns = yield* SignerTurns

      /** The texts that a customer accepts, each as it was shown; all that the step needs. */
      const consentsOf = Effect.fnUntraced(function* (
        policy: PolicyAggregate,
        { signer }: OpenCeremony,
        { consents }: SignSignature
      ) {
        const texts = signer.customerId === undefined ? [] : textsOf(policy.product, sha256)
        const given = consents.map(({ textHash, textId }) => ({ textHash, textId }))
        const unknown = given.find((one) =>
          texts.every(({ textHash, textId }) => textId !== one.textId || textHash !== one.textHash)
        )
        if (unknown !== undefined) {
          const expected = "a text of the ceremony, with the hash that it has there"
          const value = unknown.textId
          return yield* new InvalidReference({ field: "consents", value, expected })
        }
        if (signer.customerId !== undefined) {
          const signedTextIds = new Set(given.map(({ textId }) => textId))
          yield* gates.require(policy, { step: "SIGN", signedTextIds })
        }
        return [...new Map(given.map((one) => [one.textId, one])).values()]
      })

      /** The documents, each of which was shown to the customer from the first byte to the last. */
      const shownOf = Effect.fnUntraced(function* ({ signature, signer }: OpenCeremony) {
        const { documents = [] } = signature
        if (signer.customerId === undefined) return []
        const documentIds = documents.map(({ documentId }) => documentId)
        const shown = yield* steps.shown(signer.customerId, documentIds)
        const missing = documentIds.filter((id) => !shown.has(id))
        if (missing.length > 0) return yield* new DocumentNotShown({ documentIds: missing })
        return documents.map(({ documentId, sha256: hash }): StepFacts => ({
          kind: "DOCUMENT_SHOWN",
          signerId: signer.id,
          documentId,
          sha256: hash
        }))
      })

      /** The last signature: the branch is merged, which is what was signed. */
      const conclude = Effect.fnUntraced(function* (
        policy: PolicyAggregate,
        { signature }: OpenCeremony,
        signedTextIds: ReadonlySet<string>
      ) {
        const { now } = policy
        const { documents = [], id, policyId } = signature
        yield* merging.requireReady(policy, "sign", { step: "SIGN", signedTextIds })
        const recorded = yield* merging.merge(policy)
        const status = documents.length > 0 ? "SEALING" : "COMPLETED"
        yield* steps.conclude(id, status, now)
        yield* policyCommand.record(policy, { command: "policy.sign", ...recorded })
        if (status === "SEALING") {
          const { branchId } = signature
          yield* sealings.schedule({ signatureId: id, policyId, branchId, signedAt: now })
        } else {
          const detail = { policyId }
          yield* audit.record({
            action: "signature.finish",
            recordId: id,
            after: { id, status },
            detail,
            businessAt: now
          })
        }
      })

      const signOnce = Effect.fnUntraced(function* (ceremony: OpenCeremony, input: SignSignature) {
        const { authorized, place, signature, signer } = ceremony
        const { now } = authorized
        const position = { status: signer.status, needsCode: needsCode(signer) }
        const status = yield* Effect.fromResult(signerAfter(position, "sign"))
        if (!isNameOf(input.name, signer)) return yield* new NameMismatch({})
        const policy = yield* log.open(authorized, place.branchId)
        if (policy.branch.seq !== place.branchSeq) {
          return yield* new QuoteOutdated({ reason: "CHANGED" })
        }
        const shown = yield* shownOf(ceremony)
        const consents = yield* consentsOf(policy, ceremony, input)
        yield* steps.step({ id: signer.id, status, at: now, consents })
        const { id: signerId, firstName, lastName, email } = signer
        const facts: ReadonlyArray<StepFacts> = [
          ...shown,
          ...consents.map(({ textHash, textId }): StepFacts => ({
            kind: "CONSENT_GIVEN",
            signerId,
            textId,
            sha256: textHash
          })),
          {
            kind: "SIGNED",
            signerId,
            policyId: signature.policyId,
            branchId: signature.branchId,
            signer: { firstName, lastName, email },
            quotes: place.quotes
          }
        ]
        yield* evidence.add(signature, { action: "signature.sign", facts, now })
        const signers = signature.signers
          .filter(isRequested)
          .map((one) => (one.id === signerId ? { ...one, status } : one))
        if (isSigned(signers)) {
          const texts = [...signature.consents, ...consents].map(({ textId }) => textId)
          yield* conclude(policy, ceremony, new Set(texts))
        } else {
          const next = nextInTurn(signers)
          for (const { id } of next) yield* steps.step({ id, status: "NOTIFIED", at: now })
          // A requested signature ends.
          yield* turns.begin(next, {
            product: policy.product,
            expiresAt: signature.expiresAt!,
            now
          })
        }
        return ceremonyOf(yield* repo.find(signature.id), signerId, textsOf(policy.product, sha256))
      })

      /** What can't be merged any more can't be signed by anyone. */
      const voided = Effect.fnUntraced(function* (id: SignatureId, reason: string) {
        const { policyId } = yield* repo.place(id)
        const { now } = yield* policies.hold(policyId)
        const signature = yield* repo.find(id)
        if (signature.status !== "OPEN") return
        yield* repo.end({ id, status: "VOID", at: now, reason })
        const facts = [{ kind: "VOIDED", reason } as const]
        yield* evidence.add(signature, { action: "signature.void", facts, now })
      }, tenantSql.transaction)

      const sign = Effect.fn("CeremonySigning.sign")(function* (
        path: SignerPath,
        input: SignSignature
      ) {
        return yield* command
          .run({
            authorize: access.open(path),
            decide: (ceremony) => signOnce(ceremony, input)
          })
          .pipe(
            Effect.tapErrorTag(["BranchConflict", "BranchRequired", "QuoteOutdated"], ({ _tag }) =>
              Effect.flatMap(CurrentRequest, ({ dryRun }) =>
                dryRun ? Effect.void : voided(path.signatureId, _tag)
              )
            )
          )
      })

      return CeremonySigning.of({ sign })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BranchMerging.layer,
      CeremonyAccess.layer,
      Command.layer,
      ComplianceGates.layer,
      SealingsRepo.layer,
      EvidenceLog.layer,
      PoliciesRepo.layer,
      PolicyCommand.layer,
      PolicyLog.layer,
      SignatureRequestsRepo.layer,
      SignerStepsRepo.layer,
      SignerTurns.layer
    ])
  )
}
