/** Files that customers add by the link of a letter: to its one request, one of any number who try. */
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { Document } from "@quittance/domain/documents/Document"
import type { DocumentRequestId } from "@quittance/domain/documents/requests/DocumentRequest"
import {
  UploadLinkNotFound,
  uploadTokenParts
} from "@quittance/domain/documents/requests/UploadLink"
import type { ReceivedUpload, UploadRejected } from "@quittance/domain/documents/Upload"
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import type { UnsupportedMediaType } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import {
  type AskedByLink,
  UploadLinksRepo
} from "@quittance/persistence/documents/requests/UploadLinksRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { RateLimits } from "../../requests/RateLimits.ts"
import { TenantDirectory } from "../../tenants/TenantDirectory.ts"
import { type SafeFile, UploadIntake } from "../UploadIntake.ts"

/** What a link asks for, and what proves it. */
export interface LinkedRequest extends AskedByLink {
  readonly tenant: Tenant
  readonly id: DocumentRequestId
  readonly tokenHash: Uint8Array
}

/** Uses of links from one address. */
const uses: RateLimit = { limit: 60, windowSeconds: 60 }

export class LinkedUploads extends Context.Service<
  LinkedUploads,
  {
    /** What a link asks for, each try counted by the address that it comes from. Nothing changes. */
    look(
      token: string,
      address: string
    ): Effect.Effect<LinkedRequest, RateLimited | UploadLinkNotFound>
    /**
     * Takes the file of a link's request. Its bytes are safe once this answers, and can't be read before they were
     * scanned. The link ends with it.
     */
    take<E, R>(
      link: LinkedRequest,
      form: Effect.Effect<ReceivedUpload, E, R | Scope.Scope>
    ): Effect.Effect<
      Document,
      E | UnsupportedMediaType | UploadLinkNotFound | UploadRejected,
      Exclude<R, Scope.Scope>
    >
  }
>()("@quittance/operations/LinkedUploads") {
  static readonly layer = Layer.effect(
    LinkedUploads,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const intake = yield* UploadIntake
      const limits = yield* RateLimits
      const policies = yield* PoliciesRepo
      const repo = yield* UploadLinksRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql

      const look = Effect.fn("LinkedUploads.look")(function* (token: string, address: string) {
        const parts = uploadTokenParts(token)
        const tenant =
          parts !== undefined && isTenantId(parts.tenant)
            ? yield* tenants.find(parts.tenant)
            : undefined
        if (parts === undefined || tenant === undefined) return yield* new UploadLinkNotFound({})
        const { id, secret } = parts
        const tokenHash = Secret.hash(secret)
        const found = yield* limits
          .take(`documentLink:${SourceAddress.key(address)}`, uses)
          .pipe(
            Effect.andThen(repo.open(id, tokenHash)),
            Effect.provideService(CurrentTenant, tenant.id)
          )
        if (found === undefined) return yield* new UploadLinkNotFound({})
        return { ...found, tenant, id, tokenHash }
      })

      const insert = Effect.fnUntraced(function* (
        file: SafeFile,
        { id, policyId, tokenHash }: LinkedRequest
      ) {
        const { now } = yield* policies.hold(policyId)
        // While the file came in, its link may have ended.
        if ((yield* repo.open(id, tokenHash)) === undefined)
          return yield* new UploadLinkNotFound({})
        const author = { kind: "ANONYMOUS", id } as const
        const { document, write } = yield* intake
          .add(file, { policyId, now, author, requestId: id })
          .pipe(
            Effect.catchTags({
              // Another file was faster, or the request was cancelled.
              DocumentRequestClosed: () => new UploadLinkNotFound({}),
              // It was found on that policy.
              InvalidReference: Effect.die
            })
          )
        yield* audit.recordBy(author, write)
        return document
      }, tenantSql.transaction)

      const take: LinkedUploads["Service"]["take"] = (link, form) =>
        Effect.gen(function* () {
          const received = yield* form
          const taken = Effect.flatMap(intake.secure(received), (file) => insert(file, link))
          return yield* Effect.provideService(taken, CurrentTenant, link.tenant.id)
        }).pipe(Effect.scoped, Effect.withSpan("LinkedUploads.take"))

      return LinkedUploads.of({ look, take })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      PoliciesRepo.layer,
      RateLimits.layer,
      TenantDirectory.layer,
      UploadIntake.layer,
      UploadLinksRepo.layer
    ])
  )
}

const isTenantId = Schema.is(TenantId)
