/** Books what rules have found, a moment after the statement: it needs the heads of policies. */
import { type Decided, match, type MatchFacts } from "@quittance/billing/treasury/Matching"
import { jobName } from "@quittance/domain/requests/Actor"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankEntry } from "@quittance/domain/treasury/BankEntry"
import type { BankEntryId, PolicyId } from "@quittance/domain/values/Ids"
import { comesAgain } from "@quittance/persistence/sql/DatabaseFailure"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import {
  BankEntriesRepo,
  type StoredBankEntry
} from "@quittance/persistence/treasury/BankEntriesRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import * as TenantBatch from "../requests/TenantBatch.ts"
import { EntrySettling } from "./EntrySettling.ts"
import { MatchFactsReader } from "./MatchFacts.ts"
import { OwnPayments } from "./OwnPayments.ts"

/** Entries of a tenant in one round. */
const batchSize = 100

export class EntryMatching extends Context.Service<
  EntryMatching,
  {
    /** Books what was found of entries of all tenants; whether more may wait. */
    readonly round: Effect.Effect<boolean>
    /** The same of one tenant until nothing waits, but for what has to be tried later. */
    readonly ofTenant: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/EntryMatching") {
  static readonly layer = Layer.effect(
    EntryMatching,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const entries = yield* BankEntriesRepo
      const facts = yield* MatchFactsReader
      const own = yield* OwnPayments
      const settling = yield* EntrySettling
      const tenantSql = yield* TenantSql

      const decide = Effect.fnUntraced(function* ({ clues, entry, partyPrint }: StoredBankEntry) {
        const known = yield* facts.of([{ clues, payerPrint: partyPrint }])
        const decided = match(
          {
            amount: entry.amount,
            currency: entry.currency,
            bookedOn: entry.bookedOn,
            family: entry.family ?? "",
            subFamily: entry.subFamily ?? "",
            cameBack: entry.cameBack,
            clues,
            payerPrint: partyPrint
          },
          known
        )
        return { decided, policyIds: policiesOf(decided, known) }
      })

      const written = Effect.fnUntraced(function* (after: BankEntry) {
        yield* entries.update(after)
        yield* entries.settled(after.id)
        yield* audit.recordAll(worker, [
          {
            action: "bankEntry.match",
            recordId: after.id,
            detail: {
              status: after.status,
              ...(after.rule === undefined ? {} : { rule: after.rule })
            }
          }
        ])
      })

      /** What no rule explains any longer waits for people. */
      const left = ({ recordId: _, rule: __, ...entry }: BankEntry) =>
        written({ ...entry, status: "UNMATCHED" })

      /** Tells the record of an entry whose side of the bank is booked already. */
      const tell = Effect.fnUntraced(function* (entry: BankEntry, decided: Decided) {
        if (decided !== undefined && "record" in decided) {
          const { bookedOn, charge, id: bankEntryId, returnReason: reasonCode } = entry
          const moved = { record: decided.record, bankEntryId, bookedOn }
          yield* entry.cameBack ? own.cameBack({ ...moved, reasonCode, charge }) : own.moved(moved)
        }
        yield* entries.hold(entry.id)
        yield* written({ ...entry, status: entry.status === "TOLD" ? "TOLD" : "MATCHED" })
      })

      const apply = Effect.fnUntraced(function* (entry: BankEntry, decided: Decided) {
        const explained = { ...entry, status: "MATCHED", allocated: entry.amount } as const
        if (decided?.rule === "RECORDED") {
          yield* settling.link(entry, decided.paymentId)
          return yield* written({ ...explained, rule: decided.rule, recordId: decided.paymentId })
        }
        if (decided === undefined || !("allocations" in decided)) return yield* left(entry)
        yield* settling.pay(entry, decided.allocations, worker)
        const flag = decided.isDoublePayment ? ({ flag: "DOUBLE_PAYMENT" } as const) : {}
        return yield* written({ ...explained, rule: decided.rule, ...flag })
      })

      const matched = Effect.fnUntraced(function* (id: BankEntryId) {
        const found = yield* entries.find(id)
        const first = yield* decide(found)
        if (found.entry.status === "TOLD" || found.entry.allocated !== 0) {
          return yield* tell(found.entry, first.decided)
        }
        yield* settling.holdHeads(first.policyIds)
        const held = yield* entries.hold(id)
        // People were faster, or another worker.
        if (held.entry.status !== "MATCHING") return yield* entries.settled(id)
        const { decided, policyIds } = yield* decide(held)
        const isHeld = policyIds.every((policyId) => first.policyIds.includes(policyId))
        return yield* apply(held.entry, isHeld ? decided : undefined)
      }, tenantSql.transaction)

      /** An entry that can't be booked so is left to people; one that came back is tried again. */
      const leftToPeople = (id: BankEntryId) =>
        tenantSql.transaction(
          Effect.flatMap(entries.hold(id), ({ entry }) => {
            if (entry.status !== "MATCHING") return Effect.succeed(false)
            return entry.allocated === 0 ? Effect.as(left(entry), true) : Effect.succeed(false)
          })
        )

      /** Whether no rule has to look at an entry again; the others go on. */
      const matchedOrLeft = (id: BankEntryId) =>
        Effect.catchCause(Effect.as(matched(id), true), (cause) =>
          comesAgain(cause)
            ? Effect.andThen(
                Effect.logError("An entry of a statement could not be matched", { id }, cause),
                leftToPeople(id)
              )
            : Effect.as(
                Effect.logWarning("An entry of a statement is matched later", { id }, cause),
                false
              )
        )

      const batch = Effect.gen(function* () {
        const waiting = yield* entries.matching(batchSize)
        const done = yield* Effect.forEach(waiting, matchedOrLeft)
        return waiting.length === batchSize && done.every(Boolean)
      })

      const ofTenant = batch.pipe(
        Effect.repeat({ while: (isMore) => isMore }),
        Effect.asVoid,
        Effect.withSpan("EntryMatching.ofTenant")
      )

      const round = Effect.gen(function* () {
        const tenants = yield* entries.matchingTenants
        const more = yield* Effect.forEach(tenants, (tenant) =>
          TenantBatch.runFor(tenant, batch, {
            message: "Entries of statements could not be matched",
            answer: false
          })
        )
        return more.some(Boolean)
      }).pipe(Effect.withSpan("EntryMatching.round"))

      return EntryMatching.of({ round, ofTenant })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankEntriesRepo.layer,
      EntrySettling.layer,
      MatchFactsReader.layer
    ])
  )
}

/** The job as an actor. */
const worker: Actor = { kind: "JOB", id: jobName, requestId: jobName }

/** The policies whose books change by it. */
const policiesOf = (decided: Decided, { invoices }: MatchFacts): ReadonlyArray<PolicyId> => {
  if (decided === undefined) return []
  if ("allocations" in decided) return decided.allocations.map(({ policyId }) => policyId)
  if (!("paymentId" in decided)) return []
  const { paymentId } = decided
  return [...invoices.values()]
    .filter(({ recorded }) => recorded.some((payment) => payment.paymentId === paymentId))
    .map(({ policyId }) => policyId)
}
