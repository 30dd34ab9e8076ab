/**
 * What writes and refusals leave behind: who did what to which record, or was not let. A write on a
 * record without a policy leaves its event too, so that no use case can forget it.
 */
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { type AuditRecord, AuditTrailRepo } from "@quittance/persistence/requests/AuditTrailRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { type Actor, requestActor } from "./Actor.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { eventsOfRecords } from "@quittance/domain/requests/RecordEvents"
import * as RefusalCounts from "./RefusalCounts.ts"
import { sha256 } from "../values/Sha256.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { AuditDetail } from "@quittance/domain/requests/Actor"

/** A write: its action, its record, and the states of the record around it, absent where it is not there. */
export interface RecordedWrite {
  readonly action: string
  readonly recordId: string
  readonly before?: unknown
  readonly after?: unknown
  /** Further facts, none of them personal or secret: the trail is never edited. */
  readonly detail?: AuditDetail
  /** When it was done in the tenant's time; its now, unless it is said. */
  readonly businessAt?: Instant
}

/** Something that was asked for and answered 403. */
export interface RefusedRequest {
  readonly action: string
  readonly recordId: string
  readonly detail: AuditDetail
}

/** An actor whose request is the running one. */
export type Who = Omit<Actor, "requestId">

export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** Leaves the record of a write by the caller of the running request, in its transaction. */
    record(
      write: RecordedWrite
    ): Effect.Effect<void, never, CurrentTenant | CurrentCaller | CurrentRequest>
    /** The same where no caller is known yet: by whom the request itself has shown to be there. */
    recordBy(who: Who, write: RecordedWrite): Effect.Effect<void, never, CurrentTenant>
    /** The same for many writes, with one statement, or for an actor outside of any request. */
    recordAll(
      actor: Actor,
      writes: ReadonlyArray<RecordedWrite>
    ): Effect.Effect<void, never, CurrentTenant>
    /**
     * Leaves the record of a refusal, in a transaction of its own: what was refused is rolled back. The
     * first of a kind in a minute are rows of their own, all further ones are one row, `detail.further`
     * of which says how many there were. It never fails, for then the refusal would be answered as a
     * crash; what goes wrong is logged.
     */
    refused(actor: Actor, refusal: RefusedRequest): Effect.Effect<void, never, CurrentTenant>
    /**
     * The same of a sign-in, where only the address from which it came is known. Strangers write
     * fewer rows: of an address three a minute are rows of their own, and so many addresses are named.
     */
    refusedSignIn(
      address: string,
      refusal: RefusedRequest
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/AuditTrail") {
  static readonly layer = Layer.effect(
    AuditTrail,
    Effect.gen(function* () {
      const events = yield* EventsRepo
      const repo = yield* AuditTrailRepo
      const tenantSql = yield* TenantSql

      const recordAll = Effect.fn("AuditTrail.recordAll")(function* (
        actor: Actor,
        writes: ReadonlyArray<RecordedWrite>
      ) {
        const rows = writes.map(
          ({ action, after, before, businessAt, detail, recordId }): AuditRecord => ({
            ...of(actor),
            action,
            recordId,
            outcome: "DONE",
            ...(businessAt === undefined ? {} : { businessAt }),
            detail: {
              ...detail,
              ...(before === undefined ? {} : { before: digest(before) }),
              ...(after === undefined ? {} : { after: digest(after) })
            }
          })
        )
        yield* pipelineBoth(repo.insert(rows), events.insertOfRecords(eventsOfRecords(writes)))
      })

      const record = Effect.fn("AuditTrail.record")(function* (write: RecordedWrite) {
        yield* recordAll(yield* requestActor, [write])
      })

      const recordBy = Effect.fn("AuditTrail.recordBy")(function* (who: Who, write: RecordedWrite) {
        yield* recordAll({ ...who, requestId: yield* RequestId }, [write])
      })

      const writeRefusal = ({ actor, refusal, tenant }: RefusalCounts.CountedRefusal) =>
        tenantSql.transaction(repo.insert([{ ...of(actor), ...refusal, outcome: "REFUSED" }])).pipe(
          Effect.provideService(CurrentTenant, tenant),
          Effect.catchCause((cause) =>
            Effect.logError("A refusal could not be put on record", cause)
          )
        )
      const count = yield* RefusalCounts.make(writeRefusal)
      const countSignIn = yield* RefusalCounts.make(writeRefusal, ofStrangers)

      const refused = Effect.fn("AuditTrail.refused")(function* (
        actor: Actor,
        refusal: RefusedRequest
      ) {
        const tenant = yield* CurrentTenant
        // A caller who disconnects at once is recorded, too.
        yield* Effect.uninterruptible(count({ tenant, actor, refusal }))
      })

      const refusedSignIn = Effect.fn("AuditTrail.refusedSignIn")(function* (
        address: string,
        refusal: RefusedRequest
      ) {
        const tenant = yield* CurrentTenant
        const id = SourceAddress.key(address)
        const actor = { kind: "ANONYMOUS", id, requestId: yield* RequestId } as const
        yield* Effect.uninterruptible(countSignIn({ tenant, actor, refusal }))
      })

      return AuditTrail.of({ record, recordBy, recordAll, refused, refusedSignIn })
    })
  ).pipe(Layer.provide([AuditTrailRepo.layer, EventsRepo.layer]))
}

/** What strangers can write in a minute is bounded, however many addresses they have. */
const ofStrangers = { own: 3, kindsOfTenant: 50 }

const of = ({ id, kind, requestId }: Actor) => ({ actorKind: kind, actorId: id, requestId })

/** A digest of a state: that it changed can be seen, what it was can't. */
const digest = (state: unknown): string => sha256(canonicalJson(state))
