/** Seals the documents of signatures a moment after they were signed: each once, by the tenant's own seal. */
import type { Document } from "@quittance/domain/documents/Document"
import { documentHappening } from "@quittance/domain/documents/DocumentEvents"
import { jobName } from "@quittance/domain/requests/Actor"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Seal, SealedDocument } from "@quittance/domain/signatures/SignatureSeal"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import {
  type NewSealedDocument,
  type Sealing,
  SealingsRepo
} from "@quittance/persistence/signatures/SealingsRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { sealB, sealT } from "@quittance/signatures/Pades"
import { TimestampAuthority } from "@quittance/signatures/TimestampAuthority"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Contents } from "../contents/Contents.ts"
import { DocumentBytes, type FixedDocument } from "../documents/DocumentBytes.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import * as TenantBatch from "../requests/TenantBatch.ts"
import { fingerprint, SealKeys, type SealingKeys } from "./SealKeys.ts"
import { stamps } from "./Stamps.ts"

/** Signatures of a tenant in one round: a seal takes some hundredths of a second. */
const sealedOfRound = 10

const dispatcher: Actor = { kind: "JOB", id: jobName, requestId: jobName }

/** A tenant in production that has imported no seal. */
class NoSeal extends Schema.TaggedError<NoSeal>()("NoSeal", {}) {
  override get message() {
    return "The tenant has no seal; import one with `pnpm admin seals import`."
  }
}

export class Sealings extends Context.Service<
  Sealings,
  {
    /** Seals what waits in all tenants; whether more may. */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/Sealings") {
  static readonly layer = Layer.effect(
    Sealings,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const events = yield* EventsRepo
      const ids = yield* Ids
      const keys = yield* SealKeys
      const products = yield* ProductsRepo
      const repo = yield* SealingsRepo
      const requests = yield* SignatureRequestsRepo
      const tenantSql = yield* TenantSql
      const authorityOf = yield* stamps

      /** Whether a document is what was signed, by the product that it was made for. */
      const isSigned = Effect.fnUntraced(function* (document: Document) {
        if (document.product === undefined) return false
        const { id, version } = document.product
        const { documents = [] } = yield* products.version(id, version)
        return documents.some((one) => one.id === document.definitionId && one.sign === true)
      })

      const sealFile = Effect.fnUntraced(function* (
        { contentAddress, document }: FixedDocument,
        by: SealingKeys,
        { at, signatureId }: Pick<Sealing, "signatureId"> & { readonly at: DateTime.Utc }
      ) {
        const { id: documentId, sha256, size } = document
        const shown: SealedDocument = { documentId, sha256, size }
        if (document.mediaType !== "application/pdf") return { shown }
        const frozen = yield* contents.read(contentAddress)
        if (frozen === undefined) return { shown }
        const sealing = { signer: by.seal, at, reason: signatureId }
        const authority = authorityOf(by)
        const pdf =
          authority === undefined
            ? yield* sealB(frozen, sealing)
            : yield* Effect.provideService(sealT(frozen, sealing), TimestampAuthority, authority)
        const put = yield* contents.put(pdf)
        const id = ids.next("document")
        const file: NewSealedDocument = {
          id,
          source: document,
          contentAddress: put.address,
          sha256: put.sha256,
          size: put.size
        }
        const sealed = { documentId: id, sha256: put.sha256, size: put.size }
        return { shown: { ...shown, sealed }, file }
      })

      /** The bytes are safe before the seal says that they are there; of two at once one is kept. */
      const keep = Effect.fnUntraced(function* (
        sealing: Sealing,
        seal: Seal,
        files: ReadonlyArray<NewSealedDocument>
      ) {
        const { policyId, signatureId } = sealing
        if (!(yield* repo.hold(signatureId))) return
        const { now } = yield* clock.read
        yield* repo.keep(sealing, seal, files, now)
        yield* audit.recordAll(dispatcher, [
          {
            action: "signature.seal",
            recordId: signatureId,
            after: seal,
            detail: { policyId },
            businessAt: now
          }
        ])
        if (yield* requests.complete(signatureId, now)) {
          yield* audit.recordAll(dispatcher, [
            {
              action: "signature.finish",
              recordId: signatureId,
              detail: { policyId },
              businessAt: now
            }
          ])
        }
        yield* events.insertOfRecords(
          files.map(({ id, source: { kind } }) =>
            documentHappening("document.ready", { id, kind, policyId })
          )
        )
      }, tenantSql.transaction)

      const sealOne = Effect.fn("Sealings.sealOne")(function* (sealing: Sealing) {
        const { policyId, signatureId } = sealing
        if (!(yield* repo.arePlanned(policyId))) return yield* repo.putBack(signatureId)
        const by = yield* keys.current
        if (by === undefined) return yield* new NoSeal()
        const offered = yield* repo.offered(sealing)
        const signed = yield* Effect.filter(offered, ({ document }) => isSigned(document))
        const fixed = yield* Effect.forEach(signed, bytes.of)
        const at = yield* DateTime.now
        const made = yield* Effect.forEach(fixed, (one) => sealFile(one, by, { at, signatureId }))
        const seal: Seal = {
          level: authorityOf(by) === undefined ? "B-B" : "B-T",
          certificate: fingerprint(by.seal.certificate),
          sealedAt: fromEpochMillis(DateTime.toEpochMillis(at)),
          documents: made.map(({ shown }) => shown)
        }
        const files = made.flatMap(({ file }) => (file === undefined ? [] : [file]))
        yield* keep(sealing, seal, files)
      })

      const sealOrLeave = (sealing: Sealing) =>
        Effect.catchCause(sealOne(sealing), (cause) =>
          Effect.logWarning("A signature waits to be sealed", cause).pipe(
            Effect.annotateLogs({ signatureId: sealing.signatureId })
          )
        )

      const ofTenant: Effect.Effect<boolean, never, CurrentTenant> = Effect.gen(function* () {
        const taken = yield* repo.take(sealedOfRound)
        yield* Effect.forEach(taken, sealOrLeave, { discard: true })
        return taken.length === sealedOfRound
      })

      const round = Effect.gen(function* () {
        let more = false
        for (const tenant of yield* repo.tenants) {
          const isFull = yield* TenantBatch.runFor(tenant, ofTenant, {
            message: "Signatures could not be sealed",
            answer: false
          })
          more ||= isFull
        }
        return more
      }).pipe(Effect.withSpan("Sealings.round"))

      return Sealings.of({ round })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      DocumentBytes.layer,
      EventsRepo.layer,
      SealKeys.layer,
      SealingsRepo.layer,
      SignatureRequestsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
