/** The file that proves a signature without the service: made when it is first asked for, and the same ever after. */
import { DocumentId } from "@quittance/domain/documents/Document"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type EvidenceEntry, EvidenceNotReady } from "@quittance/domain/signatures/EvidenceFile"
import * as EvidenceParts from "@quittance/domain/signatures/EvidenceParts"
import { faultOf, readable } from "@quittance/domain/signatures/EvidenceStep"
import type { Signature, SignatureNotFound } from "@quittance/domain/signatures/Signature"
import type { SealedDocument } from "@quittance/domain/signatures/SignatureSeal"
import type { SignatureId } from "@quittance/domain/values/Ids"
import * as Turns from "@quittance/domain/requests/Turns"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import { EvidenceRepo } from "@quittance/persistence/signatures/EvidenceRepo"
import { SealingsRepo } from "@quittance/persistence/signatures/SealingsRepo"
import { SignaturesRepo } from "@quittance/persistence/signatures/SignaturesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { writePem } from "@quittance/signatures/CertificatePath"
import { certificatesOfPdf, signDetached } from "@quittance/signatures/Detached"
import { writeZip, type ZipFile } from "@quittance/signatures/Zip"
import { Clock, Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { Contents } from "../contents/Contents.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { sha256 } from "../values/Sha256.ts"
import { byteTexts } from "./EvidenceVerification.ts"
import { SealKeys } from "./SealKeys.ts"
import { stamps } from "./Stamps.ts"

/** Files that a program has in its memory at a time; of a tenant one waits for the other. */
const inMemory = { atOnce: 2, each: 1, waiting: 16 }

type Asked = CurrentTenant | CurrentCaller | CurrentRequest

export class EvidenceFiles extends Context.Service<
  EvidenceFiles,
  {
    /** The archive of a signature that is signed and sealed. */
    read(
      id: SignatureId
    ): Effect.Effect<Buffer, EvidenceNotReady | Forbidden | SignatureNotFound, Asked>
  }
>()("@quittance/operations/EvidenceFiles") {
  static readonly layer = Layer.effect(
    EvidenceFiles,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const contents = yield* Contents
      const documents = yield* DocumentMakingRepo
      const keys = yield* SealKeys
      const repo = yield* EvidenceRepo
      const sealings = yield* SealingsRepo
      const signatures = yield* SignaturesRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const authorityOf = yield* stamps
      const turns = Turns.make("LARGE_REQUESTS", inMemory)

      const bytesOf = Effect.fnUntraced(function* (signatureId: SignatureId, documentId: string) {
        const { contentAddress } = yield* documents.find(DocumentId.make(documentId))
        const bytes =
          contentAddress === undefined ? undefined : yield* contents.read(contentAddress)
        return bytes ?? (yield* new EvidenceNotReady({ signatureId, reason: "ERASED" }))
      })

      /** The steps, which have to be as they were recorded, with the hash of the last. */
      const stepsOf = Effect.fnUntraced(function* (signatureId: SignatureId) {
        const { head, steps } = yield* signatures.steps(signatureId)
        if (head === undefined || steps.length === 0) {
          return yield* new EvidenceNotReady({ signatureId, reason: "NO_STEPS" })
        }
        if (faultOf(steps, { signatureId, head }, sha256) !== undefined) {
          return yield* new EvidenceNotReady({ signatureId, reason: "CHANGED" })
        }
        return { head, stored: steps, steps: readable(steps) }
      })

      const sealOf = Effect.fnUntraced(function* ({ id, status }: Signature) {
        if (status === "OPEN" || status === "SEALING" || status === "COMPLETED") {
          const found = yield* sealings.find(id)
          const isWaiting = status === "SEALING" || found.status === "WAITING"
          if (isWaiting) return yield* new EvidenceNotReady({ signatureId: id, reason: "SEALING" })
          if (status === "COMPLETED") return found.seal
        }
        return yield* new EvidenceNotReady({ signatureId: id, reason: "NOT_SIGNED" })
      })

      /** The text of each consent, by its hash. */
      const textsOf = Effect.fnUntraced(function* ({ consents, id, policyId }: Signature) {
        const all = yield* repo.texts(policyId)
        return yield* Effect.forEach(consents, ({ textHash, textId }) => {
          const found = all.find((one) => one.textId === textId && sha256(one.text) === textHash)
          return found === undefined
            ? Effect.fail(new EvidenceNotReady({ signatureId: id, reason: "NO_TEXT" }))
            : Effect.succeed({ textId, textHash, text: found.text })
        })
      })

      /** Where the audit trail has the last step. */
      const anchorOf = Effect.fnUntraced(function* (signatureId: SignatureId, head: string) {
        const anchor = yield* repo.anchor(signatureId, head)
        return anchor ?? (yield* new EvidenceNotReady({ signatureId, reason: "NOT_CHAINED" }))
      })

      /** Each document as it was sealed, or as it was signed where it is no PDF. */
      const filesOf = (signatureId: SignatureId, signed: ReadonlyArray<SealedDocument>) =>
        Effect.forEach(signed, (one) =>
          Effect.map(
            bytesOf(signatureId, one.sealed?.documentId ?? one.documentId),
            (bytes): EvidenceParts.DocumentFile => ({ ...EvidenceParts.placeOf(one), bytes })
          )
        )

      const sealed = Effect.fnUntraced(
        function* (signature: Signature) {
          const { id: signatureId, policyId } = signature
          const seal = yield* sealOf(signature)
          const { head, steps, stored } = yield* stepsOf(signatureId)
          const anchor = yield* anchorOf(signatureId, head)
          const consented = yield* textsOf(signature)
          const by = yield* keys.current
          if (by === undefined)
            return yield* new EvidenceNotReady({ signatureId, reason: "NO_SEAL" })
          const files = yield* filesOf(signatureId, seal?.documents ?? [])
          // A signature has its tenant.
          const { id, name } = (yield* tenants.find(yield* CurrentTenant))!
          const madeAt = fromEpochMillis(yield* Clock.currentTimeMillis)
          const authority = authorityOf(by)
          const certificates = writePem([
            by.seal.certificate,
            ...by.seal.chain,
            ...files.flatMap((file) => certificatesOfPdf(file.bytes))
          ])
          const { evidence, text, texts } = EvidenceParts.composed(
            {
              version: 1,
              tenant: { id, name },
              madeAt,
              stamped: authority !== undefined,
              signature,
              ...(seal === undefined ? {} : { seal }),
              texts: consented,
              steps,
              head,
              audit: anchor
            },
            { certificates, steps: stored, files },
            byteTexts
          )
          const bytes = Buffer.from(text)
          const signed = yield* signDetached(by.seal, bytes)
          const stamp = yield* authority?.stamp(digest(signed)) ?? Effect.succeed(undefined)
          const { parts } = evidence
          const entries = EvidenceParts.entriesOf(
            { evidence: text, seal: signed, stamp, texts, files, parts },
            byteTexts
          )
          return { signatureId, policyId, madeAt, entries }
        },
        (effect, { id: signatureId }) =>
          Effect.catchTag(effect, ["SigningFailed", "TimestampFailed"], (cause) =>
            Effect.logWarning("Evidence could not be sealed", cause).pipe(
              Effect.andThen(Effect.fail(new EvidenceNotReady({ signatureId, reason: "NO_STAMP" })))
            )
          )
      )

      /** Of two at once one is kept, and is what both answer. */
      const made = Effect.fnUntraced(function* (signature: Signature) {
        const evidence = yield* sealed(signature)
        const { policyId, signatureId } = evidence
        yield* tenantSql.transaction(
          Effect.gen(function* () {
            if (!(yield* repo.keep(evidence))) return
            yield* audit.record({
              action: "signature.prove",
              recordId: signatureId,
              detail: { policyId }
            })
          })
        )
        return (yield* repo.find(signatureId))!
      })

      const fileOf = Effect.fnUntraced(function* (id: SignatureId, entry: EvidenceEntry) {
        const bytes =
          "documentId" in entry
            ? yield* bytesOf(id, entry.documentId)
            : "text" in entry
              ? Buffer.from(entry.text)
              : Buffer.from(entry.base64, "base64")
        return { name: entry.name, bytes } satisfies ZipFile
      })

      const archiveOf = Effect.fnUntraced(function* (signature: Signature) {
        const { id } = signature
        const { entries } = (yield* repo.find(id)) ?? (yield* made(signature))
        if (entries === null) {
          return yield* new EvidenceNotReady({ signatureId: id, reason: "ERASED" })
        }
        return writeZip(yield* Effect.forEach(entries, (entry) => fileOf(id, entry)))
      })

      const read = Effect.fn("EvidenceFiles.read")(function* (id: SignatureId) {
        const signature = yield* signatures.authorize("signature.read", id)
        return yield* turns.run(yield* CurrentTenant, archiveOf(signature))
      })

      return EvidenceFiles.of({ read })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      DocumentMakingRepo.layer,
      EvidenceRepo.layer,
      SealKeys.layer,
      SealingsRepo.layer,
      SignaturesRepo.layer,
      TenantsRepo.layer
    ])
  )
}

const digest = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()
