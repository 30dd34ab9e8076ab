import { SealCertificates } from "@quittance/domain/signatures/SealKey"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"
import { certificateTerms, sealTerms } from "./SealTerms.ts"

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
      )
  )
  .annotateMerge(access({ scope: "NONE", callers: [] }))
  .annotateMerge(reference({ terms: { ...certificateTerms, ...sealTerms } }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Certificates",
      description: "Public: by what a tenant seals what was signed."
    })
  ) {}
