/** What a person is shown of their data, once it is proven that they ask. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { DataExport } from "@quittance/domain/privacy/DataExport"
import {
  exportable,
  type IdentityNotProven,
  type PrivacyRequestId,
  type PrivacyRequestNotFound
} from "@quittance/domain/privacy/PrivacyRequest"
import { PersonalRowsRepo } from "@quittance/persistence/privacy/PersonalRowsRepo"
import { PrivacyRequestsRepo } from "@quittance/persistence/privacy/PrivacyRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"

type Asked = CurrentTenant | CurrentCaller | CurrentRequest

export class PrivacyExports extends Context.Service<
  PrivacyExports,
  {
    /** All data of the person, of one state of the database; it is put on record that they were taken out. */
    take(
      id: PrivacyRequestId
    ): Effect.Effect<
      DataExport,
      Forbidden | IdentityNotProven | InvalidTransition | PrivacyRequestNotFound,
      Asked
    >
  }
>()("@quittance/operations/PrivacyExports") {
  static readonly layer = Layer.effect(
    PrivacyExports,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const requests = yield* PrivacyRequestsRepo
      const rows = yield* PersonalRowsRepo
      const tenantSql = yield* TenantSql

      const take = Effect.fn("PrivacyExports.take")(function* (id: PrivacyRequestId) {
        const request = yield* requests.authorize("privacy.write", id)
        const { now } = yield* clock.read
        const { customerIds } = yield* Effect.fromResult(exportable(request, now))
        const found = yield* rows.of(customerIds)
        const record = audit.record({ action: "privacyRequest.export", recordId: id })
        yield* tenantSql.transaction(record)
        const sections = found
          .filter(({ leftOut, rows: shown }) => shown.length > 0 || leftOut > 0)
          .map(({ leftOut, rows: shown, table }) => ({
            area: table.area,
            table: table.table,
            retentionClass: table.retentionClass,
            rows: shown,
            leftOut
          }))
        return { privacyRequestId: id, takenAt: now, sections }
      })

      return PrivacyExports.of({ take })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      PersonalRowsRepo.layer,
      PrivacyRequestsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
