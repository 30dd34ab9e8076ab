/** Requests of persons about their data: recorded, proven, answered in time; and how long data are kept. */
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { CustomerNotFound } from "@quittance/domain/customers/Customer"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type Acting,
  completed,
  dueAt,
  extended,
  identified,
  type IdentityNotProven,
  type PrivacyRequest,
  type PrivacyRequestId,
  type PrivacyRequestNotFound,
  refused,
  started,
  withdrawn
} from "@quittance/domain/privacy/PrivacyRequest"
import type {
  CompletePrivacyRequest,
  CreatePrivacyRequest,
  ExtendPrivacyRequest,
  IdentifyPerson,
  RefusePrivacyRequest
} from "@quittance/domain/privacy/PrivacyRequests"
import {
  processingEntries,
  type ProcessingRegister
} from "@quittance/domain/privacy/ProcessingRegister"
import { clocks, erasableAt, type RetentionClocks } from "@quittance/domain/privacy/Retention"
import type { CustomerId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import type { TimeZone } from "@quittance/domain/values/TimeZone"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { PrivacyRequestsRepo } from "@quittance/persistence/privacy/PrivacyRequestsRepo"
import { RetentionFactsRepo } from "@quittance/persistence/privacy/RetentionFactsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, type Result } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { RetentionLooks } from "./RetentionLooks.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Repeated = IdempotencyKeyInUse | IdempotencyKeyReused

/** What a step of a request may fail with, beside what it says itself. */
type Changed<E = never> = Effect.Effect<
  PrivacyRequest,
  E | Forbidden | InvalidTransition | PrivacyRequestNotFound | Repeated,
  Scoped
>

export class PrivacyRequests extends Context.Service<
  PrivacyRequests,
  {
    create(
      input: CreatePrivacyRequest
    ): Effect.Effect<
      PrivacyRequest,
      CustomerNotFound | Forbidden | InvalidReference | Repeated,
      Scoped
    >
    get(
      id: PrivacyRequestId
    ): Effect.Effect<PrivacyRequest, Forbidden | PrivacyRequestNotFound, Asked>
    /** Those of the tenant, the newest first. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<PrivacyRequest>, Forbidden, Asked>
    identify(id: PrivacyRequestId, input: IdentifyPerson): Changed
    /** Two more months for an answer, once. */
    extend(id: PrivacyRequestId, input: ExtendPrivacyRequest): Changed
    start(id: PrivacyRequestId): Changed<IdentityNotProven>
    complete(id: PrivacyRequestId, input: CompletePrivacyRequest): Changed
    refuse(id: PrivacyRequestId, input: RefusePrivacyRequest): Changed
    withdraw(id: PrivacyRequestId): Changed
    /** Every retention clock of a customer. */
    clocksOf(id: CustomerId): Effect.Effect<RetentionClocks, CustomerNotFound | Forbidden, Asked>
    /** Which data about persons are kept where, and for how long. */
    readonly register: Effect.Effect<ProcessingRegister, Forbidden, Asked>
  }
>()("@quittance/operations/PrivacyRequests") {
  static readonly layer = Layer.effect(
    PrivacyRequests,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const facts = yield* RetentionFactsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const looks = yield* RetentionLooks
      const repo = yield* PrivacyRequestsRepo
      const tenants = yield* TenantsRepo

      const zone = Effect.gen(function* () {
        // A caller has been let in by their tenant, so it is there.
        return (yield* tenants.find(yield* CurrentTenant))!.timeZone
      })

      const create = Effect.fn("PrivacyRequests.create")((input: CreatePrivacyRequest) =>
        command.run({
          authorize: grants.requireOnTenant("privacy.write"),
          decide: Effect.fnUntraced(function* () {
            const { customerIds, kind } = input
            const missing = yield* repo.missingOf(customerIds)
            if (missing !== undefined) return yield* new CustomerNotFound({ customerId: missing })
            const { now } = yield* clock.read
            const receivedAt = input.receivedAt ?? now
            if (receivedAt > now) {
              return yield* new InvalidReference({
                field: "receivedAt",
                value: receivedAt,
                expected: "an instant that is over"
              })
            }
            const request: PrivacyRequest = {
              id: ids.next("privacy_request"),
              kind,
              customerIds,
              status: "RECEIVED",
              receivedAt,
              dueAt: dueAt(receivedAt, yield* zone)
            }
            yield* repo.insert(request)
            yield* audit.record({
              action: "privacyRequest.create",
              recordId: request.id,
              after: request,
              businessAt: now
            })
            return request
          })
        })
      )

      /** A step of a request, which is locked while it is decided. */
      const change = <E>(
        id: PrivacyRequestId,
        action: string,
        decide: (
          before: PrivacyRequest,
          acting: Acting,
          timeZone: TimeZone
        ) => Result.Result<PrivacyRequest, E | InvalidTransition>
      ) =>
        command.run({
          authorize: repo.authorize("privacy.write", id),
          decide: Effect.fnUntraced(function* () {
            const before = yield* repo.hold(id)
            const { now } = yield* clock.read
            const by = subject(yield* CurrentCaller)
            const after = yield* Effect.fromResult(decide(before, { by, now }, yield* zone))
            yield* repo.update(after)
            yield* audit.record({ action, recordId: id, before, after, businessAt: now })
            return after
          })
        })

      const identify = Effect.fn("PrivacyRequests.identify")(
        (id: PrivacyRequestId, { how }: IdentifyPerson) =>
          change(id, "privacyRequest.identify", (before, acting) => identified(before, how, acting))
      )

      const extend = Effect.fn("PrivacyRequests.extend")(
        (id: PrivacyRequestId, { reason }: ExtendPrivacyRequest) =>
          change(id, "privacyRequest.extend", (before, { now }, timeZone) =>
            extended(before, reason, now, timeZone)
          )
      )

      const start = Effect.fn("PrivacyRequests.start")((id: PrivacyRequestId) =>
        change(id, "privacyRequest.start", (before, { now }) => started(before, now))
      )

      const complete = Effect.fn("PrivacyRequests.complete")(
        (id: PrivacyRequestId, { decision, outcome }: CompletePrivacyRequest) =>
          change(id, "privacyRequest.complete", (before, acting) =>
            completed(before, { outcome, text: decision }, acting)
          )
      )

      const refuse = Effect.fn("PrivacyRequests.refuse")(
        (id: PrivacyRequestId, { ground }: RefusePrivacyRequest) =>
          change(id, "privacyRequest.refuse", (before, acting) => refused(before, ground, acting))
      )

      const withdraw = Effect.fn("PrivacyRequests.withdraw")((id: PrivacyRequestId) =>
        change(id, "privacyRequest.withdraw", (before, { now }) => withdrawn(before, now))
      )

      const get = Effect.fn("PrivacyRequests.get")((id: PrivacyRequestId) =>
        repo.authorize("privacy.read", id)
      )

      const list = Effect.fn("PrivacyRequests.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("privacy.read")
        const { rows, total } = yield* repo.list(page)
        return Page.make(rows, total, page)
      })

      const clocksOf = Effect.fn("PrivacyRequests.clocksOf")(function* (id: CustomerId) {
        const { facts: known, timeZone } = yield* facts.of("privacy.read", id)
        const data = clocks(known, yield* looks.rules, timeZone)
        const end = erasableAt(data)
        return { data, ...(end === undefined ? {} : { erasableAt: end }) }
      })

      const register = Effect.gen(function* () {
        yield* grants.requireOnTenant("privacy.read")
        return { entries: processingEntries, retention: yield* looks.rules }
      }).pipe(Effect.withSpan("PrivacyRequests.register"))

      return PrivacyRequests.of({
        create,
        get,
        list,
        identify,
        extend,
        start,
        complete,
        refuse,
        withdraw,
        clocksOf,
        register
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      GrantsRepo.layer,
      PrivacyRequestsRepo.layer,
      RetentionFactsRepo.layer,
      RetentionLooks.layer,
      TenantClockRepo.layer,
      TenantsRepo.layer
    ])
  )
}
