/** Formal notices and holds of a policy: recorded by people, and what follows from them at once. */
import type { StoredHold, StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import { dunningTimelinesOf, noticeableFrom } from "@quittance/billing/dunning/DunningTimeline"
import type { PlaceHold, RecordNotice } from "@quittance/domain/dunning/DunningRequests"
import { withDocument } from "@quittance/domain/dunning/NoticeDocument"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { type FormalNotice, type Hold, HoldNotFound } from "@quittance/domain/dunning/Dunning"
import * as Page from "@quittance/domain/values/Page"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidEffectiveDate,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, identity, Layer, Result } from "effect"
import { BillingCommand, type Written } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import { DunningAccounts, noticeEvents } from "./DunningAccounts.ts"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import type { DunningAccount } from "@quittance/billing/dunning/DunningAccount"
import { nothingIssued } from "@quittance/billing/billing/account/ChargeInvoices"
import { chargeNotices } from "@quittance/billing/dunning/NoticeCharges"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { coverHistory, dunningFacts } from "@quittance/billing/dunning/DunningFacts"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import type { HoldId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type WriteFailure = AccessFailure | IdempotencyKeyInUse | IdempotencyKeyReused

export class Dunning extends Context.Service<
  Dunning,
  {
    /** Records that a notice was sent: from its day on the clock runs. */
    recordNotice(
      policyId: PolicyId,
      input: RecordNotice
    ): Effect.Effect<FormalNotice, WriteFailure | InvalidEffectiveDate | InvalidReference, Scoped>
    /** The notices of a policy, the newest first, those to be sent too. */
    notices(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<FormalNotice>, AccessFailure, Scoped>
    /** Keeps the steps of dunning from a policy; not in the past, where some may have been taken. */
    placeHold(
      policyId: PolicyId,
      input: PlaceHold
    ): Effect.Effect<Hold, WriteFailure | InvalidEffectiveDate, Scoped>
    /** Ends a hold now; one that has not begun is forgotten. */
    liftHold(
      policyId: PolicyId,
      holdId: HoldId
    ): Effect.Effect<void, WriteFailure | HoldNotFound, Scoped>
  }
>()("@quittance/operations/Dunning") {
  static readonly layer = Layer.effect(
    Dunning,
    Effect.gen(function* () {
      const accounts = yield* DunningAccounts
      const command = yield* BillingCommand
      const dunning = yield* DunningRepo
      const ids = yield* Ids
      const policies = yield* PoliciesRepo

      const bookOf = Effect.fnUntraced(function* (
        authorized: Effect.Success<ReturnType<typeof policies.authorize>>
      ) {
        const [account] = yield* accounts.openHeads([authorized.head], authorized.now)
        return account!
      })

      /** A fact of dunning on a policy, with all that follows from it by now. */
      const recordFact = <A, E>(
        policyId: PolicyId,
        action: string,
        decide: (account: PolicyAccount) => Effect.Effect<Written<A>, E, CurrentTenant>
      ) =>
        command.run({
          action,
          authorize: policies.authorize("billing.write", policyId, { lock: true }),
          policyOf: identity,
          decide
        })

      const recordNotice = Effect.fn("Dunning.recordNotice")(function* (
        policyId: PolicyId,
        input: RecordNotice
      ) {
        return yield* recordFact(
          policyId,
          "formal-notice.record",
          Effect.fnUntraced(function* (plain) {
            const account = yield* accounts.of(plain)
            const sent = yield* Effect.fromResult(
              sentNotice(account, input, ids.next("formal_notice"))
            )
            const hashes = yield* dunning.documentHashes(sent.id)
            const evidence = yield* Effect.fromResult(withDocument(input.evidence, hashes))
            const notice = { ...sent, evidence }
            const others = account.dunning.notices.filter(({ id }) => id !== notice.id)
            const after = {
              ...account,
              dunning: { ...account.dunning, notices: [...others, notice] }
            }
            const notices = { put: [notice], removed: [] }
            const { entries, issued } = chargeNotices(nothingIssued(after), [notice], ids.next)
            return {
              answer: Effect.succeed(toFormalNotice(after, notice)),
              entries,
              issued,
              happened: noticeEvents(notices, account.policy.now),
              beside: accounts.write([notices])
            }
          })
        )
      })

      const placeHold = Effect.fn("Dunning.placeHold")(function* (
        policyId: PolicyId,
        input: PlaceHold
      ) {
        return yield* recordFact(
          policyId,
          "hold.place",
          Effect.fnUntraced(function* ({ policy: { now } }) {
            const { from = now, reason, to = null } = input
            if (from < now) return yield* new InvalidEffectiveDate({ field: "from", earliest: now })
            if (to !== null && to <= from) {
              return yield* new InvalidEffectiveDate({ field: "to", earliest: from })
            }
            const id = ids.next("hold")
            const hold: StoredHold = { id, policyId, productIds: null, from, to, reason }
            yield* dunning.insertHold(hold, now)
            return {
              answer: Effect.succeed({
                id,
                policyId,
                from,
                ...(to === null ? {} : { to }),
                reason
              }),
              happened: [
                { kind: "hold.placed", at: from, payload: { holdId: id } } satisfies BillingEvent
              ]
            }
          })
        )
      })

      const liftHold = Effect.fn("Dunning.liftHold")(function* (
        policyId: PolicyId,
        holdId: HoldId
      ) {
        return yield* recordFact(
          policyId,
          "hold.lift",
          Effect.fnUntraced(function* (account) {
            const { now } = account.policy
            const { holds } = (yield* accounts.of(account)).dunning
            const hold = holds.find((one) => one.id === holdId && one.policyId === policyId)
            if (hold === undefined || (hold.to !== null && hold.to <= now)) {
              return yield* new HoldNotFound({ holdId })
            }
            yield* hold.from < now ? dunning.endHold(holdId, now) : dunning.removeHold(holdId)
            return {
              answer: Effect.void,
              happened: [
                { kind: "hold.lifted", at: now, payload: { holdId } } satisfies BillingEvent
              ]
            }
          })
        )
      })

      const notices = Effect.fn("Dunning.notices")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        const account = yield* bookOf(yield* policies.authorize("billing.read", policyId))
        const all = account.dunning.notices.toReversed()
        const first = (page.page - 1) * page.count
        const shown = all.slice(first, first + page.count)
        return Page.make(
          shown.map((notice) => toFormalNotice(account, notice)),
          all.length,
          page
        )
      })

      return Dunning.of({ recordNotice, notices, placeHold, liftHold })
    })
  ).pipe(
    Layer.provide([
      DunningAccounts.layer,
      BillingCommand.layer,
      DunningRepo.layer,
      PoliciesRepo.layer
    ])
  )
}

/** A notice over invoices of its payer that were unpaid when it was sent, all of them past their grace. */
const sentNotice = (
  account: DunningAccount,
  { announcesTermination, invoiceIds, payerCustomerId, ...sent }: RecordNotice,
  id: StoredNotice["id"]
): Result.Result<StoredNotice, InvalidEffectiveDate | InvalidReference> => {
  const { now } = account.policy
  const { debts, rule, timeZone } = dunningFacts(account, coverHistory(account))
  let earliest = account.policy.head.createdAt
  for (const invoiceId of invoiceIds) {
    const debt = debts.find(
      ({ costOf, reopenedAt, settledAt, ...one }) =>
        one.invoiceId === invoiceId &&
        costOf === undefined &&
        (reopenedAt === undefined || reopenedAt <= sent.sentAt) &&
        (settledAt === undefined || settledAt > sent.sentAt)
    )
    if (debt?.payerCustomerId !== payerCustomerId) {
      const expected = "invoices of premium that this payer owed at `sentAt`"
      return Result.fail(new InvalidReference({ field: "invoiceIds", value: invoiceId, expected }))
    }
    const from = startOfDay(noticeableFrom(rule, debt.dueOn), timeZone)
    if (from > earliest) earliest = from
  }
  if (sent.sentAt > now || sent.sentAt < earliest) {
    return Result.fail(new InvalidEffectiveDate({ field: "sentAt", earliest, latest: now }))
  }
  const waiting = account.dunning.notices.find(
    ({ customerId, status }) => status === "TO_SEND" && customerId === payerCustomerId
  )
  return Result.succeed({
    ...sent,
    id: waiting?.id ?? id,
    policyId: account.policy.head.id,
    customerId: payerCustomerId,
    invoiceIds: [...new Set(invoiceIds)],
    status: "SENT",
    createdAt: waiting?.createdAt ?? now,
    announcesTermination: announcesTermination ?? rule.terminate.mode === "ANNOUNCED"
  })
}

/** A notice as the wire shows it, with what follows from it as things stand. */
const toFormalNotice = (
  account: DunningAccount,
  { customerId, evidence, sentAt, ...notice }: StoredNotice
): FormalNotice => {
  const shown = { ...notice, payerCustomerId: customerId }
  if (sentAt === null || evidence === null) return shown
  const facts = dunningFacts(account, coverHistory(account))
  const { id, invoiceIds, announcesTermination } = notice
  const [timeline] = dunningTimelinesOf({
    ...facts,
    rule: { ...facts.rule, firstPremium: "COVER" },
    notices: [{ id, invoiceIds, sentAt, announcesTermination }]
  })
  return {
    ...shown,
    sentAt,
    evidence,
    ...(timeline?.suspendedAt === undefined ? {} : { suspendedAt: timeline.suspendedAt }),
    ...(timeline?.terminableAt === undefined ? {} : { terminableAt: timeline.terminableAt }),
    ...(timeline?.reactivatedAt === undefined ? {} : { reactivatedAt: timeline.reactivatedAt })
  }
}
