/** Links that take one file for a request without a sign-in, as letters bring them: their secrets are stored nowhere. */
import * as Secret from "@quittance/auth/Secret"
import type { DocumentRequestId } from "@quittance/domain/documents/requests/DocumentRequest"
import {
  uploadLinkOf,
  uploadLinkSeconds,
  uploadTokenOf
} from "@quittance/domain/documents/requests/UploadLink"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { UploadLinksRepo } from "@quittance/persistence/documents/requests/UploadLinksRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { OneTimeLinkKey } from "../../access/OneTimeLinkKey.ts"

export class UploadLinks extends Context.Service<
  UploadLinks,
  {
    /**
     * The token of a request's link, and until when it works. It is the same, however often its letter is tried; the
     * first letter after a rejected file has another one.
     */
    make(
      id: DocumentRequestId,
      refusals: number
    ): Effect.Effect<{ readonly token: string; readonly expiresAt: Instant }, never, CurrentTenant>
  }
>()("@quittance/operations/UploadLinks") {
  static readonly layer = Layer.effect(
    UploadLinks,
    Effect.gen(function* () {
      const keys = yield* OneTimeLinkKey
      const repo = yield* UploadLinksRepo
      const tenantSql = yield* TenantSql

      const make = Effect.fn("UploadLinks.make")(function* (
        id: DocumentRequestId,
        refusals: number
      ) {
        const tenant = yield* CurrentTenant
        const secrets = keys.tokens(tenant, uploadLinkOf(id, refusals)).map(Redacted.value)
        const before = yield* repo.find(id)
        const sent = secrets.find(
          (secret) => before !== undefined && Secret.matches(secret, [before.hash])
        )
        // The service's first key may be another one since: then the link is another one. The service has a key.
        const secret = sent ?? secrets[0]!
        const { expiresAt } =
          sent === undefined || before === undefined
            ? yield* repo.set(id, Secret.hash(secret), uploadLinkSeconds)
            : before
        return { token: uploadTokenOf(tenant, id, secret), expiresAt }
      }, tenantSql.transaction)

      return UploadLinks.of({ make })
    })
  ).pipe(Layer.provide([OneTimeLinkKey.layer, UploadLinksRepo.layer]))
}
