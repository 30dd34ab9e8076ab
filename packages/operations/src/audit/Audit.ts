/** The audit trail as auditors read it. */
import type { ListAudit } from "@quittance/domain/audit/AuditRequests"
import type { AuditEntry } from "@quittance/domain/audit/Audit"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import * as Page from "@quittance/domain/values/Page"
import { AuditRepo } from "@quittance/persistence/audit/AuditRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class Audit extends Context.Service<
  Audit,
  {
    /** What was written and refused in the tenant, the newest first. Reading leaves no row. */
    list(
      filter: ListAudit,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<AuditEntry>, Forbidden, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const repo = yield* AuditRepo

      const list = Effect.fn("Audit.list")(function* (filter: ListAudit, page: Page.PageRequest) {
        yield* grants.requireOnTenant("audit.read")
        const { entries, total } = yield* repo.list(filter, page)
        return Page.make(entries, total, page)
      })

      return Audit.of({ list })
    })
  ).pipe(Layer.provide([AuditRepo.layer, GrantsRepo.layer]))
}
