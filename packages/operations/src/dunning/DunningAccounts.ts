/** Policies' accounts with their notices and holds: read together, and written together. */
import { outcomeAwaitedUntil } from "@quittance/bank/DebitDays"
import type { DunningAccount } from "@quittance/billing/dunning/DunningAccount"
import { dunningOf } from "@quittance/billing/dunning/DunningRecords"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import type { NoticeChanges, StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { pipelineAll, pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"

export class DunningAccounts extends Context.Service<
  DunningAccounts,
  {
    /** The accounts of policies whose heads the transaction holds, as of an instant. */
    openHeads(
      heads: ReadonlyArray<PolicyHead>,
      now: Instant
    ): Effect.Effect<ReadonlyArray<DunningAccount>, never, CurrentTenant>
    /** The accounts of policies that are open already. */
    open(
      policies: ReadonlyArray<PolicyAggregate>
    ): Effect.Effect<ReadonlyArray<DunningAccount>, never, CurrentTenant>
    /** An account with its notices and holds. */
    of(account: PolicyAccount): Effect.Effect<DunningAccount, never, CurrentTenant>
    /** Writes notices: in one statement those to be stored, in one those to be forgotten. */
    write(notices: ReadonlyArray<NoticeChanges>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DunningAccounts") {
  static readonly layer = Layer.effect(
    DunningAccounts,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const dunning = yield* DunningRepo

      const opened = Effect.fnUntraced(function* (
        heads: ReadonlyArray<PolicyHead>,
        plain: Effect.Effect<ReadonlyArray<PolicyAccount>, never, CurrentTenant>
      ) {
        const records = dunning.ofPolicies(heads.map(({ id }) => id))
        const [found, facts] = yield* pipelineBoth(plain, records)
        const { inFlight, ...stored } = facts
        const awaited = inFlight.map(({ collectOn, invoiceId, policyId, timeZone }) => ({
          policyId,
          invoiceId,
          until: startOfDay(addDays(outcomeAwaitedUntil(collectOn), 1), timeZone)
        }))
        const own = dunningOf({ ...stored, awaited })
        return found.map((account): DunningAccount => ({
          ...account,
          dunning: own(account.policy.head)
        }))
      })

      const openHeads = (heads: ReadonlyArray<PolicyHead>, now: Instant) =>
        opened(heads, accounts.openHeads(heads, now))

      const open = (policies: ReadonlyArray<PolicyAggregate>) =>
        opened(
          policies.map(({ head }) => head),
          accounts.open(policies)
        )

      const of = (account: PolicyAccount) =>
        Effect.map(opened([account.policy.head], Effect.succeed([account])), ([dunned]) => dunned!)

      const write = (notices: ReadonlyArray<NoticeChanges>) =>
        pipelineAll([
          dunning.putNotices(notices.flatMap(({ put }) => put)),
          dunning.removeNotices(notices.flatMap(({ removed }) => removed))
        ])

      return DunningAccounts.of({ openHeads, open, of, write })
    })
  ).pipe(Layer.provide([PolicyAccounts.layer, DunningRepo.layer]))
}

/** The events of notices, written and sent by the worker or a user. */
export const noticeEvents = (
  { put, removed }: NoticeChanges,
  now: Instant
): ReadonlyArray<BillingEvent> => [
  ...put.flatMap((notice): ReadonlyArray<BillingEvent> => {
    const { id: formalNoticeId, sentAt } = notice
    const payload = { formalNoticeId }
    const written: BillingEvent = { kind: "formal_notice.written", at: now, payload }
    if (sentAt === null) return [written]
    const sent: BillingEvent = { kind: "formal_notice.sent", at: sentAt, payload }
    return isWrittenAndSent(notice) ? [written, sent] : [sent]
  }),
  ...removed.map((formalNoticeId): BillingEvent => ({
    kind: "formal_notice.dropped",
    at: now,
    payload: { formalNoticeId }
  }))
]

/** The simulated post takes a notice in the moment in which the service writes it. */
const isWrittenAndSent = ({ channel, createdAt, sentAt }: StoredNotice): boolean =>
  channel === "SIMULATED_POST" && createdAt === sentAt
