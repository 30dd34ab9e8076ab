/** Links of documents as they are used, without a sign-in: looked at and opened. */
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { Document, DocumentNotReady } from "@quittance/domain/documents/Document"
import {
  DocumentLinkExpired,
  DocumentLinkNotFound,
  linkTokenParts
} from "@quittance/domain/documents/DocumentLink"
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  DocumentLinksRepo,
  type StoredDocumentLink
} from "@quittance/persistence/documents/DocumentLinksRepo"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { OneTimeLinkKey } from "../../access/OneTimeLinkKey.ts"
import { type CheckedContent, Contents } from "../../contents/Contents.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { RateLimits } from "../../requests/RateLimits.ts"
import { TenantDirectory } from "../../tenants/TenantDirectory.ts"
import { Deliveries } from "../Deliveries.ts"
import { DocumentBytes } from "../DocumentBytes.ts"

type Unusable = DocumentLinkExpired | DocumentLinkNotFound | RateLimited

/** Who uses a link, without a sign-in. */
export interface LinkReader {
  readonly address: string
  readonly userAgent: string
}

/** What a link would open, for the page that asks whether to. */
export interface LinkedDocument {
  readonly tenant: Tenant
  readonly title: string
  readonly expiresAt: Instant
  readonly once: boolean
}

/** Uses of links from one address. */
const uses: RateLimit = { limit: 60, windowSeconds: 60 }

export class LinkOpenings extends Context.Service<
  LinkOpenings,
  {
    /** What a link opens. Programs that look into letters ask for it, so nothing changes. */
    look(token: string, reader: LinkReader): Effect.Effect<LinkedDocument, Unusable>
    /** Opens a link: it is on record, and proves that the customer has read what it was made for. */
    open(
      token: string,
      reader: LinkReader
    ): Effect.Effect<
      { readonly document: Document; readonly content: CheckedContent; readonly tenant: Tenant },
      DocumentNotReady | Unusable
    >
  }
>()("@quittance/operations/LinkOpenings") {
  static readonly layer = Layer.effect(
    LinkOpenings,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const contents = yield* Contents
      const deliveries = yield* Deliveries
      const keys = yield* OneTimeLinkKey
      const limits = yield* RateLimits
      const making = yield* DocumentMakingRepo
      const repo = yield* DocumentLinksRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql

      /** The tenant and the link of a token, each try counted by the address that it comes from. */
      const usable = Effect.fnUntraced(function* (token: string, { address }: LinkReader) {
        const parts = linkTokenParts(token)
        const tenant =
          parts !== undefined && isTenantId(parts.tenant)
            ? yield* tenants.find(parts.tenant)
            : undefined
        if (parts === undefined || tenant === undefined) return yield* new DocumentLinkNotFound({})
        const find = Effect.gen(function* () {
          yield* limits.take(`documentLink:${SourceAddress.key(address)}`, uses)
          const made = keys
            .tokens(tenant.id, parts.id)
            .map((one) => Secret.hash(Redacted.value(one)))
          if (!Secret.matches(parts.secret, made)) return undefined
          return yield* repo.ofToken(parts.id, Secret.hash(parts.secret))
        })
        const link = yield* Effect.provideService(find, CurrentTenant, tenant.id)
        if (link === undefined) return yield* new DocumentLinkNotFound({})
        if (!link.isLive) return yield* new DocumentLinkExpired({})
        return { tenant, link }
      })

      const look = Effect.fn("LinkOpenings.look")(function* (token: string, reader: LinkReader) {
        const { link, tenant } = yield* usable(token, reader)
        const { documentId, expiresAt, once } = link
        const found = yield* Effect.provideService(
          making.find(documentId),
          CurrentTenant,
          tenant.id
        )
        return { tenant, title: found.document.title, expiresAt, once }
      })

      const opened = Effect.fnUntraced(function* (
        { customerId, id }: StoredDocumentLink,
        document: Document & { readonly sha256: string; readonly size: number },
        reader: LinkReader
      ) {
        if (!(yield* repo.open(id))) return yield* new DocumentLinkExpired({})
        const actor = { kind: "ANONYMOUS", id } as const
        // A file that people have added is no paper that they have to be given.
        if (customerId !== null && document.origin !== "UPLOADED") {
          const handing = { customerId, channel: "LINK", level: "OPENED" } as const
          yield* deliveries.prove(document, handing, { actor, ...reader })
        }
        yield* audit.recordBy(actor, {
          action: "document.openLink",
          recordId: document.id,
          detail: { linkId: id, sha256: document.sha256 }
        })
      }, tenantSql.transaction)

      const openIn = Effect.fnUntraced(function* (link: StoredDocumentLink, reader: LinkReader) {
        const fixed = yield* bytes.of(yield* making.find(link.documentId)).pipe(
          // It went with its document.
          Effect.catchTags({
            DocumentErased: () => new DocumentLinkExpired({}),
            DocumentNotFound: () => new DocumentLinkExpired({})
          })
        )
        // What some document has can't be destroyed.
        const content = (yield* contents.open(fixed.contentAddress))!
        yield* opened(link, fixed.document, reader)
        return { document: fixed.document, content }
      })

      const open = Effect.fn("LinkOpenings.open")(function* (token: string, reader: LinkReader) {
        const { link, tenant } = yield* usable(token, reader)
        const found = yield* Effect.provideService(openIn(link, reader), CurrentTenant, tenant.id)
        return { ...found, tenant }
      })

      return LinkOpenings.of({ look, open })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      Deliveries.layer,
      DocumentBytes.layer,
      DocumentLinksRepo.layer,
      DocumentMakingRepo.layer,
      OneTimeLinkKey.layer,
      RateLimits.layer,
      TenantDirectory.layer
    ])
  )
}

const isTenantId = Schema.is(TenantId)
