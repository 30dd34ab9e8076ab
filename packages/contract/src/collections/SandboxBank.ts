import { TestAccounts } from "@quittance/domain/collections/TestAccount"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { sandboxBankTerms } from "./SandboxBankTerms.ts"

export class SandboxBank extends bearer(
  HttpApiGroup.make("sandboxBank")
    .add(
      HttpApiEndpoint.get("testAccounts", "/sandbox/test-accounts", {
        success: TestAccounts,
        error: requestErrors.RouteNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "List account numbers that are ready to try")
        .annotate(
          OpenApi.Description,
          "Their check digits are right, and no bank has them. The simulated bank answers files with them as it is said here."
        )
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User", "Client"] }))
    .annotateMerge(reference({ terms: sandboxBankTerms }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Simulated bank",
        description: "Only in the sandbox: in production these routes do not exist."
      })
    )
) {}
