import { Signature, SignatureSteps } from "@quittance/domain/signatures/Signature"
import { PolicyId, SignatureId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needs, people } from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { signatureErrors } from "./SignatureErrors.ts"
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
        )
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
