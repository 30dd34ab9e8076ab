/** Has files that people added scanned for malware, after their request: a scanner may take its time. */
import type { Document, DocumentFailure, DocumentId } from "@quittance/domain/documents/Document"
import { documentHappening } from "@quittance/domain/documents/DocumentEvents"
import { UploadsRepo } from "@quittance/persistence/documents/UploadsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { Contents } from "../contents/Contents.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import * as TenantBatch from "../requests/TenantBatch.ts"
import { RequestOutcomes } from "./requests/RequestOutcomes.ts"
import { Scanner, type Verdict } from "./Scanner.ts"

/** Uploads of a tenant in one round, and how many the scanner is asked about at a time. */
const scannedOfRound = 20
const atOnce = 2

export class UploadScans extends Context.Service<
  UploadScans,
  {
    /** Has uploads of all tenants judged that wait; whether more may. What can't be judged is tried later. */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/UploadScans") {
  static readonly layer = Layer.effect(
    UploadScans,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const events = yield* EventsRepo
      const outcomes = yield* RequestOutcomes
      const repo = yield* UploadsRepo
      const scanner = yield* Scanner
      const tenantSql = yield* TenantSql

      /** Records a verdict, unless another dispatcher has: with the bytes that are to be destroyed then. */
      const judged = Effect.fnUntraced(function* (id: DocumentId, verdict: Verdict) {
        const held = yield* repo.hold(id)
        if (held === undefined) return undefined
        const { now } = yield* clock.read
        const isClean = verdict === "CLEAN"
        yield* isClean ? repo.accept(id, now) : repo.reject(id, malware)
        const status: Document["status"] = isClean ? "READY" : "REJECTED"
        const after = { ...held.document, status, ...(isClean ? {} : { failure: malware }) }
        yield* audit.recordAll(scans, [
          {
            action: isClean ? "document.accept" : "document.reject",
            recordId: id,
            before: held.document,
            after
          }
        ])
        const happening = documentHappening(isClean ? "document.ready" : "document.rejected", after)
        yield* events.insertOfRecords([happening])
        yield* outcomes.settle({ documentId: id, isClean, now, actor: scans })
        return isClean ? undefined : held.contentAddress
      }, tenantSql.transaction)

      /** The scanner is asked outside of any transaction. */
      const scan = Effect.fnUntraced(function* (id: DocumentId) {
        const found = yield* tenantSql.transaction(repo.hold(id))
        if (found?.contentAddress === undefined) return
        const content = yield* contents.open(found.contentAddress)
        const verdict = yield* scanner.scan(content!.bytes())
        const released = yield* judged(id, verdict)
        if (released !== undefined) yield* contents.destroy(released)
      })

      const scanOrPostpone = (id: DocumentId) =>
        Effect.catchCause(scan(id), (cause) =>
          Effect.andThen(
            Effect.logWarning("An upload stays in quarantine", cause),
            repo.postpone(id)
          )
        )

      const ofTenant = Effect.gen(function* () {
        const due = yield* repo.waiting(scannedOfRound)
        yield* Effect.forEach(due, scanOrPostpone, { concurrency: atOnce, discard: true })
        return due.length === scannedOfRound
      })

      const round = Effect.gen(function* () {
        let more = false
        for (const tenant of yield* repo.waitingTenants) {
          const isFull = yield* TenantBatch.runFor(tenant, ofTenant, {
            message: "Uploads could not be judged",
            answer: false
          })
          more ||= isFull
        }
        return more
      }).pipe(Effect.withSpan("UploadScans.round"))

      return UploadScans.of({ round })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      EventsRepo.layer,
      RequestOutcomes.layer,
      Scanner.layer,
      TenantClockRepo.layer,
      UploadsRepo.layer
    ])
  )
}

const malware: DocumentFailure = { reason: "MALWARE", paths: [] }

/** The job, as the audit trail names it. */
const scans: Actor = { kind: "JOB", id: "upload-scans", requestId: "upload-scans" }
