import { Signature, SignatureSteps } from "@quittance/domain/signatures/Signature"
import { CancelSignature, RequestSignature } from "@quittance/domain/signatures/SignatureRequests"
import { SignatureSeal } from "@quittance/domain/signatures/SignatureSeal"
import { PolicyId, SignatureId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors, saleErrors } from "../policies/CommandErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import {
  pageQuery,
  policyHeaders,
  triedQuery,
  viewQuery,
  writeHeaders
} from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { signatureErrors } from "./SignatureErrors.ts"
import { correctSigner, linkSigner, remindSigners } from "./SignerCareRoutes.ts"
import {
  declineCeremony,
  openCeremony,
  proveSigner,
  sendCode,
  signCeremony
} from "./SignerRoutes.ts"
import { signatureParameters, signatureTerms } from "./SignatureTerms.ts"

export const SignaturePage = Page(Signature).annotate({ identifier: "SignaturePage" })

const onSignature = { params: { signatureId: SignatureId } }

export class Signatures extends bearer(
  HttpApiGroup.make("signatures")
    .add(
      HttpApiEndpoint.get("list", "/signatures/policies/:policyId", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: SignaturePage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(access({ scope: "platform/signature", callers: people }))
        .annotateMerge(needs("signature.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the signatures of a policy, the latest first"),
      HttpApiEndpoint.get("get", "/signatures/:signatureId", {
        ...onSignature,
        success: Signature,
        error: signatureErrors.SignatureNotFound
      })
        .annotateMerge(needs("signature.read", "RECORD"))
        .annotate(OpenApi.Summary, "See a signature"),
      HttpApiEndpoint.get("seal", "/signatures/:signatureId/seal", {
        ...onSignature,
        success: SignatureSeal,
        error: signatureErrors.SignatureNotFound
      })
        .annotateMerge(needs("signature.read", "RECORD"))
        .annotate(OpenApi.Summary, "See the seal on what was signed")
        .annotate(
          OpenApi.Description,
          "A moment after a signature its documents are sealed by the tenant (PAdES, ETSI EN 319 142-1). Each sealed file begins with the bytes that were signed, and is a document of the policy."
        ),
      HttpApiEndpoint.get("steps", "/signatures/:signatureId/steps", {
        ...onSignature,
        success: SignatureSteps,
        error: signatureErrors.SignatureNotFound
      })
        .annotateMerge(needs("signature.read", "RECORD"))
        .annotate(OpenApi.Summary, "See what proves a signature, step by step")
        .annotate(
          OpenApi.Description,
          "Each step has the SHA-256 of its other members as canonical JSON (RFC 8785), and that of the step before. The audit trail keeps the last one. The answer says whether all of it still fits."
        ),
      HttpApiEndpoint.get("evidence", "/signatures/:signatureId/evidence", {
        ...onSignature,
        success: Schema.Uint8Array.pipe(
          HttpApiSchema.asUint8Array({ contentType: "application/zip" })
        ),
        error: [signatureErrors.EvidenceNotReady, signatureErrors.SignatureNotFound]
      })
        .annotateMerge(needs("signature.read", "RECORD"))
        .annotate(OpenApi.Summary, "Fetch the file that proves a signature")
        .annotate(
          OpenApi.Description,
          "An archive that others check without the service, by `sh verify.sh`: what was shown and what was sealed, the texts, the steps, certificates and time stamps. Its bytes are made once, and are the same ever after."
        ),
      HttpApiEndpoint.post("request", "/signatures/policies/:policyId", {
        params: { policyId: PolicyId },
        query: { branchId: viewQuery.branchId, ...triedQuery },
        headers: policyHeaders,
        payload: RequestSignature,
        success: Signature.pipe(HttpApiSchema.status(201)),
        error: [
          ...commandErrors,
          ...saleErrors,
          policyErrors.ComplianceGateNotMet,
          productErrors.DerogationRequired,
          requestErrors.InvalidReference,
          requestErrors.InvalidTransition,
          productErrors.QuoteOutdated,
          signatureErrors.SignatureNotRequested,
          signatureErrors.SignatureOpen,
          signatureErrors.SignedDocumentsPending,
          signatureErrors.SignerIncomplete
        ]
      })
        .annotateMerge(access({ scope: "platform/signature", callers: people }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("signature.write", "RECORD"))
        .annotate(RequestExample, { message: "The contract that we spoke of" })
        .annotate(OpenApi.Summary, "Ask the signers of a product to sign a policy")
        .annotate(
          OpenApi.Description,
          "The branch has to be confirmed, and everything but the signers' own consents to be there. What is signed is the branch, its price, and the documents as they are now: a change of the branch voids the signature."
        ),
      HttpApiEndpoint.post("cancel", "/signatures/:signatureId/cancel", {
        ...onSignature,
        query: triedQuery,
        headers: writeHeaders,
        payload: CancelSignature,
        success: Signature,
        error: [
          ...commandErrors,
          signatureErrors.SignatureClosed,
          signatureErrors.SignatureNotFound
        ]
      })
        .annotateMerge(access({ scope: "platform/signature", callers: people }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("signature.write", "RECORD"))
        .annotate(RequestExample, { reason: "The customer wants another vehicle" })
        .annotate(OpenApi.Summary, "Withdraw a signature that is open"),
      correctSigner,
      remindSigners,
      linkSigner,
      openCeremony,
      sendCode,
      proveSigner,
      signCeremony,
      declineCeremony
    )
    .annotateMerge(access({ scope: "platform/signature", callers: everyone }))
    .annotateMerge(
      reference({
        errors: signatureErrors,
        terms: signatureTerms,
        parameters: signatureParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Signatures",
        description: "Who agreed to which texts at which price, and what proves it."
      })
    )
) {}
