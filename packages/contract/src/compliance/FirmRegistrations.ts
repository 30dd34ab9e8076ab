import { PutRegistration } from "@quittance/domain/compliance/ComplianceRequests"
import { Registration } from "@quittance/domain/compliance/Registration"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { accessErrors } from "../access/AccessErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { registrationErrors } from "./RegistrationErrors.ts"
import { registrationTerms } from "./RegistrationTerms.ts"

const onFirm = { params: { brokerageFirmId: BrokerageFirmId } }

export class FirmRegistrations extends bearer(
  HttpApiGroup.make("firmRegistrations")
    .add(
      HttpApiEndpoint.get("get", "/brokerage-firms/:brokerageFirmId/registration", {
        ...onFirm,
        success: Registration,
        error: [accessErrors.BrokerageFirmNotFound, registrationErrors.RegistrationNotFound]
      })
        .annotateMerge(needs("firm.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read what was found of a firm in its register"),
      HttpApiEndpoint.put("put", "/brokerage-firms/:brokerageFirmId/registration", {
        ...onFirm,
        query: triedQuery,
        headers: writeHeaders,
        payload: PutRegistration,
        success: Registration,
        error: [
          accessErrors.BrokerageFirmNotFound,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidEffectiveDate
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("firm.write", "TENANT"))
        .annotate(RequestExample, {
          register: "ORIAS",
          number: "07000001",
          categories: ["COA"],
          validUntil: "2027-02-28",
          checkedAt: "2026-03-02T09:00:00Z",
          evidence: "https://www.orias.fr, read on 2 March 2026"
        })
        .annotate(OpenApi.Summary, "Say what was found of a firm in its register")
        .annotate(
          OpenApi.Description,
          "What was said before is kept; the latest counts. It needs `firm.write` on the whole tenant: no firm vouches for itself."
        )
    )
    .annotateMerge(access({ scope: "platform/broker", callers: ["User"] }))
    .annotateMerge(
      reference({ errors: registrationErrors, terms: registrationTerms, parameters: {} })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Registrations of firms",
        description: "Who sells insurance is registered; products may refuse to be sold by others."
      })
    )
) {}
