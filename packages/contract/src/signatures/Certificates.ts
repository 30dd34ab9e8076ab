import { SealCertificates } from "@quittance/domain/signatures/SealKey"
import {
  maximumVerified,
  Verification,
  verificationLimit,
  VerificationUpload
} from "@quittance/domain/signatures/Verification"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, RequestExample, unkeyed } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"
import { certificateTerms, sealTerms, verificationTerms } from "./SealTerms.ts"
import { signatureErrors } from "./SignatureErrors.ts"

/** Of a form with a file: as large as a file may be, and a little for what is around it. */
const formLimits = {
  maxParts: 2,
  maxFieldSize: 4096,
  maxFileSize: maximumVerified + 65_536,
  maxTotalSize: maximumVerified + 65_536
}

export class Certificates extends HttpApiGroup.make("certificates")
  .add(
    HttpApiEndpoint.get("list", "/signatures/certificates", {
      success: SealCertificates,
      error: tenantErrors.TenantNotFound
    })
      .annotate(OpenApi.Summary, "List the certificates by which the tenant seals files")
      .annotate(
        OpenApi.Description,
        "For those who check a sealed file without the service. Those of a sandbox are issued by its own authority, which no reader of PDF files knows."
      ),
    HttpApiEndpoint.post("verify", "/signatures/verify", {
      payload: VerificationUpload.pipe(HttpApiSchema.asMultipartStream(formLimits)),
      success: Verification,
      error: [
        requestErrors.RateLimited,
        signatureErrors.FileNotVerifiable,
        tenantErrors.TenantNotFound
      ]
    })
      .annotateMerge(access({ scope: "NONE", callers: [], rateLimit: verificationLimit }))
      .annotateMerge(unkeyed)
      .annotate(RequestExample, { file: "(the bytes)" })
      .annotate(OpenApi.Summary, "Verify a sealed document, or the evidence of a signature")
      .annotate(
        OpenApi.Description,
        "A PDF file or an archive of evidence, at most 25 MiB, as it was fetched. The answer says what holds and what does not; nothing of the file is kept. Who does not want to take the service's word checks the same by `sh verify.sh` or `pdfsig`."
      )
  )
  .annotateMerge(access({ scope: "NONE", callers: [] }))
  .annotateMerge(reference({ terms: { ...certificateTerms, ...sealTerms, ...verificationTerms } }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Certificates",
      description: "Public: by what a tenant seals what was signed, and whether a file is that."
    })
  ) {}
