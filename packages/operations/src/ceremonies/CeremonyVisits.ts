/** What who has a signer's link sees of the ceremony, and does there: the commands are those of the interface. */
import * as SourceAddress from "@quittance/auth/SourceAddress"
import type { DocumentErased, DocumentNotReady } from "@quittance/domain/documents/Document"
import { DocumentId, DocumentNotFound } from "@quittance/domain/documents/Document"
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { textsOf } from "@quittance/domain/signatures/CeremonyView"
import type { CeremonyVisit, VisitedDocument } from "@quittance/domain/signatures/CeremonyVisit"
import type { Signature } from "@quittance/domain/signatures/Signature"
import { isRequested, type RequestedSigner } from "@quittance/domain/signatures/Signer"
import { SignerLinkNotFound, signerTokenParts } from "@quittance/domain/signatures/SignerLink"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { SignerStepsRepo } from "@quittance/persistence/ceremonies/SignerStepsRepo"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { type CheckedContent, Contents } from "../contents/Contents.ts"
import { Deliveries } from "../documents/Deliveries.ts"
import { DocumentBytes, type FixedDocument } from "../documents/DocumentBytes.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { actorOf } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { sha256 } from "../values/Sha256.ts"
import type { SignerPath } from "./CeremonyAccess.ts"
import { SignerLinks } from "./SignerLinks.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

/** Who uses a link, and which request it is. */
export interface Visitor {
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
}

/** A signer's link that was followed. */
export interface FollowedLink {
  readonly tenant: Tenant
  readonly path: SignerPath
  /** Runs something as who has the link. */
  as<A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scoped>>
}

/** Uses of links from one address. */
const uses: RateLimit = { limit: 60, windowSeconds: 60 }

export class CeremonyVisits extends Context.Service<
  CeremonyVisits,
  {
    /** Whose link a token is of; each try is counted by the address that it comes from. */
    follow(
      token: string,
      visitor: Visitor
    ): Effect.Effect<FollowedLink, RateLimited | SignerLinkNotFound>
    /** What there is to see. Programs that look into letters ask for it, so nothing changes. */
    look(path: SignerPath): Effect.Effect<CeremonyVisit, never, Scoped>
    /** A document of a ceremony that is open, by the bytes that are signed: the signer has read it. */
    read(
      path: SignerPath,
      documentId: string
    ): Effect.Effect<
      { readonly document: FixedDocument["document"]; readonly content: CheckedContent },
      DocumentErased | DocumentNotFound | DocumentNotReady,
      Scoped
    >
  }
>()("@quittance/operations/CeremonyVisits") {
  static readonly layer = Layer.effect(
    CeremonyVisits,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const deliveries = yield* Deliveries
      const limits = yield* RateLimits
      const links = yield* SignerLinks
      const log = yield* PolicyLog
      const making = yield* DocumentMakingRepo
      const policies = yield* PoliciesRepo
      const repo = yield* SignatureRequestsRepo
      const steps = yield* SignerStepsRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql

      const follow: CeremonyVisits["Service"]["follow"] = Effect.fn("CeremonyVisits.follow")(
        function* (token: string, { address, requestId, userAgent }: Visitor) {
          const parts = signerTokenParts(token)
          const isOurs = parts !== undefined && isTenantId(parts.tenant)
          const tenant = isOurs ? yield* tenants.find(TenantId.make(parts.tenant)) : undefined
          if (parts === undefined || tenant === undefined) return yield* new SignerLinkNotFound({})
          const { secret, signerId } = parts
          const followed = yield* limits
            .take(`signerLink:${SourceAddress.key(address)}`, uses)
            .pipe(
              Effect.andThen(links.follow(signerId, secret)),
              Effect.provideService(CurrentTenant, tenant.id)
            )
          if (followed === undefined) return yield* new SignerLinkNotFound({})
          const { linkNumber, ...path } = followed
          const answer = { replayed: false }
          const request = { id: requestId, dryRun: false, address, userAgent, answer }
          const holder = Context.make(CurrentRequest, request).pipe(
            Context.add(CurrentCaller, { _tag: "Signer", signerId, linkNumber }),
            Context.add(CurrentTenant, tenant.id)
          )
          return { tenant, path, as: Effect.provideContext(holder) }
        }
      )

      /** The signature and its signer, as they are; one whose time has passed has ended. */
      const found = Effect.fnUntraced(function* ({ signatureId, signerId }: SignerPath) {
        const signature = yield* repo.find(signatureId)
        const { now } = yield* clock.read
        // A link leads to a signer of a requested signature, which ends.
        const signer = signature.signers.filter(isRequested).find(({ id }) => id === signerId)!
        const isLate = signature.status === "OPEN" && signature.expiresAt! <= now
        return { now, signature, signer, status: isLate ? ("EXPIRED" as const) : signature.status }
      })

      const documentsOf = Effect.fnUntraced(function* (
        { documents = [] }: Signature,
        { customerId }: RequestedSigner
      ) {
        if (customerId === undefined) return []
        const ids = documents.map(({ documentId }) => documentId)
        const shown = yield* steps.shown(customerId, ids)
        return yield* Effect.forEach(documents, ({ documentId, pages }) =>
          Effect.map(making.find(DocumentId.make(documentId)), ({ document }): VisitedDocument => ({
            documentId,
            title: document.title,
            pages,
            isShown: shown.has(documentId)
          }))
        )
      })

      const look = Effect.fn("CeremonyVisits.look")(function* (path: SignerPath) {
        const { now, signature, signer, status } = yield* found(path)
        const tenant = (yield* tenants.find(yield* CurrentTenant))!
        const { branchId, expiresAt, message, policyId } = signature
        const [head] = yield* policies.findMany([policyId])
        const seen = { tenant, status, signer, policyNumber: head!.incrementalId, message }
        const isWaitedFor = signer.status === "OPENED" || signer.status === "PROVEN"
        if (status !== "OPEN" || !isWaitedFor) {
          return { ...seen, expiresAt: expiresAt!, documents: [], texts: [], isCodeSent: false }
        }
        // The branch of an open signature is open.
        const authorized = { action: "policy.read", head: head!, now } as const
        const { product } = yield* Effect.orDie(log.open(authorized, branchId))
        return {
          ...seen,
          expiresAt: expiresAt!,
          documents: yield* documentsOf(signature, signer),
          texts: signer.customerId === undefined ? [] : textsOf(product, sha256),
          isCodeSent: (yield* steps.codes(signer.id)).number > 0
        }
      })

      const opened = Effect.fnUntraced(function* (
        document: FixedDocument["document"],
        { customerId, id }: RequestedSigner
      ) {
        const { address, id: requestId, userAgent } = yield* CurrentRequest
        const actor = actorOf(yield* CurrentCaller, requestId)
        if (customerId === undefined) return
        const handing = { customerId, channel: "LINK", level: "OPENED" } as const
        yield* deliveries.prove(document, handing, { actor, address, userAgent })
        yield* audit.recordBy(actor, {
          action: "document.openLink",
          recordId: document.id,
          detail: { signerId: id, sha256: document.sha256 }
        })
      }, tenantSql.transaction)

      const read = Effect.fn("CeremonyVisits.read")(function* (path: SignerPath, given: string) {
        const { signature, signer, status } = yield* found(path)
        const isOpen =
          status === "OPEN" && (signer.status === "OPENED" || signer.status === "PROVEN")
        const signed = signature.documents?.find(({ documentId }) => documentId === given)
        if (!isOpen || signed === undefined) {
          return yield* new DocumentNotFound({ documentId: given })
        }
        const fixed = yield* bytes.of(yield* making.find(DocumentId.make(given)))
        // What some document has can't be destroyed.
        const content = (yield* contents.open(fixed.contentAddress))!
        // A document's bytes are fixed for good, and those are signed.
        if (content.sha256 !== signed.sha256) {
          return yield* Effect.die(new Error(`Document ${given} has other bytes than are signed.`))
        }
        yield* opened(fixed.document, signer)
        return { document: fixed.document, content }
      })

      return CeremonyVisits.of({ follow, look, read })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      Deliveries.layer,
      DocumentBytes.layer,
      DocumentMakingRepo.layer,
      PoliciesRepo.layer,
      PolicyLog.layer,
      RateLimits.layer,
      SignatureRequestsRepo.layer,
      SignerLinks.layer,
      SignerStepsRepo.layer,
      TenantClockRepo.layer,
      TenantDirectory.layer
    ])
  )
}

const isTenantId = Schema.is(TenantId)
