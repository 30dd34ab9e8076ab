/** What falls due: run for a policy that a command has just changed, and in batches by the worker. */
import type { InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { isAboutRows, isTooMuchAtOnce, reasonOf } from "@quittance/persistence/sql/DatabaseFailure"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Cause, Context, Effect, Layer, Result } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { advance, invoicesInTheWay } from "@quittance/billing/worker/AdvancePolicy"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import type { DunningAccount } from "@quittance/billing/dunning/DunningAccount"
import { DunningAccounts } from "../dunning/DunningAccounts.ts"
import { LinesNotRead } from "@quittance/billing/billing/account/PolicyAccount"
import type { LinesOfInvoices } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { type DueDecision, decidedOf } from "./DueDecision.ts"
import { count, type Job, type JobCounts, sum } from "@quittance/domain/billing/Job"
import { Renewals, renewalStepOf } from "../renewals/Renewals.ts"
import { StaleOffers, staleOffers } from "../renewals/StaleOffers.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { jobName } from "@quittance/domain/requests/Actor"

export interface BatchOutcome {
  readonly ran: JobCounts
  /** Whether more may be due: the batch was full, or left some of what it had claimed. */
  readonly more: boolean
}

/** The most policies that one transaction of the worker holds. */
export const batchSize = 250

/** So many invoices issued, and a batch leaves the rest of its policies to the next one. */
const invoicesPerBatch = 500

export class DueSteps extends Context.Service<
  DueSteps,
  {
    /** What follows from a command on the base branch, as `FollowUp.settle` says. */
    afterCommand(policy: PolicyAggregate): Effect.Effect<PolicyAggregate, never, CurrentTenant>
    /** Runs one batch of the current tenant in a transaction of its own; none with a test clock. */
    runBatch(limit?: number): Effect.Effect<BatchOutcome, never, CurrentTenant>
    /**
     * Runs what is due of these policies, whose heads the transaction holds; `more` where some were
     * left because there was much to issue. The first one never is.
     */
    run(
      heads: ReadonlyArray<PolicyHead>,
      now: Instant
    ): Effect.Effect<BatchOutcome, never, CurrentTenant>
  }
>()("@quittance/operations/DueSteps") {
  static readonly layer = Layer.effect(
    DueSteps,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const dunned = yield* DunningAccounts
      const clock = yield* TenantClockRepo
      const invoices = yield* InvoicesRepo
      const due = yield* DueRepo
      const ids = yield* Ids
      const offers = yield* StaleOffers
      const renewals = yield* Renewals
      const tenantSql = yield* TenantSql

      /** A rule that fails for one policy parks that one, and the others of its batch go on. */
      const orPark = Effect.fnUntraced(function* <A>(
        { policy: { head, now } }: DunningAccount,
        decide: () => A
      ) {
        const decided = Result.try(decide)
        if (Result.isSuccess(decided)) return decided.success
        const reason = reasonOf(decided.failure)
        yield* Effect.logError("Parked a policy", { policyId: head.id, reason })
        yield* due.park(head.id, reason, now)
        return undefined
      })

      /** Reads all lines of a policy once a step has made an unforeseen correction necessary. */
      const advanceOrPark = Effect.fnUntraced(function* (
        account: DunningAccount,
        lines: LinesOfInvoices
      ) {
        const first = Result.try(() => advance(account, lines, ids.next))
        const isShort = Result.isFailure(first) && first.failure instanceof LinesNotRead
        if (!isShort) return yield* orPark(account, () => Result.getOrThrow(first))
        const all = yield* invoices.linesOf(account.invoices.map(({ id }) => id))
        return yield* orPark(account, () => advance(account, all, ids.next))
      })

      /** The books of which a rule can say what is due, and the invoices that it needs for it. */
      const prepared = Effect.fnUntraced(function* (opened: ReadonlyArray<DunningAccount>) {
        const sound: Array<DunningAccount> = []
        const needed: Array<InvoiceSummary["id"]> = []
        for (const account of opened) {
          const inTheWay = yield* orPark(account, () => invoicesInTheWay(account))
          if (inTheWay === undefined) continue
          sound.push(account)
          needed.push(...inTheWay)
        }
        return { sound, lines: yield* invoices.linesOf(needed) }
      })

      /**
       * The books with what their offers and their terms' ends have brought; they are read again where that
       * is much. A command leaves offers to the worker.
       */
      const renewed = Effect.fnUntraced(function* (
        opened: ReadonlyArray<DunningAccount>,
        by: Runner
      ) {
        const result: Array<DunningAccount> = []
        const ran: Array<Job> = []
        for (const account of opened) {
          const { head, now } = account.policy
          const isStale = by === "WORKER" && staleOffers(account.policy).length > 0
          const step = renewalStepOf(account.policy)
          const isDue = step !== undefined && step.dueAt <= now
          if (!isStale && !isDue) {
            result.push(account)
            continue
          }
          const fresh = isStale ? yield* offers.refresh(account.policy) : account.policy
          const done = yield* Effect.result(renewals.run(fresh))
          if (Result.isFailure(done)) {
            const { reason } = done.failure
            yield* Effect.logError("Parked a policy", { policyId: head.id, reason })
            yield* due.park(head.id, reason, now)
            continue
          }
          if (isStale) ran.push("requoteOffers")
          if (isDue) ran.push("renewPolicies")
          result.push(...(yield* dunned.open([done.success])))
        }
        return { accounts: result, ran }
      })

      const settle = Effect.fnUntraced(function* (
        found: ReadonlyArray<DunningAccount>,
        by: Runner
      ) {
        const { accounts: opened, ran } = yield* renewed(found, by)
        const { lines, sound } = yield* prepared(opened)
        const decided: Array<DueDecision> = []
        let issued = 0
        let taken = 0
        for (const account of sound) {
          if (issued >= invoicesPerBatch) break
          taken++
          const advanced = yield* advanceOrPark(account, lines)
          if (advanced === undefined) continue
          issued += advanced.issued.length
          ran.push(...advanced.ran)
          decided.push(decidedOf(account.policy, advanced))
        }
        const written = yield* accounts.withRoom(decided)
        const notices = dunned.write(written.map((one) => one.notices))
        const heads = yield* accounts.write(written, job, notices)
        return {
          outcome: { ran: count(ran), more: taken < sound.length },
          policies: written.map(({ after }, index) => ({ ...after, head: heads[index]! }))
        }
      })

      const afterCommand = Effect.fn("DueSteps.afterCommand")(function* (policy: PolicyAggregate) {
        const [isParked, found] = yield* pipelineBoth(
          due.isParked(policy.head.id),
          dunned.open([policy])
        )
        if (isParked) return policy
        const { policies } = yield* settle(found, "COMMAND")
        return policies[0] ?? policy
      })

      const run = Effect.fn("DueSteps.run")(function* (
        heads: ReadonlyArray<PolicyHead>,
        now: Instant
      ) {
        if (heads.length === 0) return { ran: {}, more: false }
        return (yield* settle(yield* dunned.openHeads(heads, now), "WORKER")).outcome
      })

      const batch = (limit: number) =>
        tenantSql.transaction(
          Effect.gen(function* () {
            const { isTest, now } = yield* clock.read
            if (isTest) return { ran: {}, more: false }
            // Who holds a policy reads the clock: what is recorded has no time before that.
            const [heads, held] = yield* pipelineBoth(due.claim(now, limit), clock.read)
            const { more, ran } = yield* run(heads, held.now)
            return { ran, more: more || heads.length === limit }
          })
        )

      /** One policy in a transaction of its own; what fails there alone is parked. */
      const alone = Effect.fnUntraced(function* (policyId: PolicyId, now: Instant) {
        const attempt = tenantSql.transaction(
          Effect.gen(function* () {
            const [head, held] = yield* pipelineBoth(due.claimOne(policyId, now), clock.read)
            return head === undefined ? {} : (yield* run([head], held.now)).ran
          })
        )
        const park = (cause: Cause.Cause<never>) =>
          tenantSql.transaction(
            Effect.gen(function* () {
              const head = yield* due.claimOne(policyId, now)
              if (head !== undefined) yield* due.park(policyId, reasonOf(Cause.squash(cause)), now)
              return {}
            })
          )
        return yield* Effect.catchCause(attempt, (cause) =>
          isOfItself(cause)
            ? Effect.andThen(Effect.logError("Parked a policy", { policyId }, cause), park(cause))
            : Effect.failCause(cause)
        )
      })

      const oneByOne = Effect.fnUntraced(function* (limit: number) {
        const { now } = yield* clock.read
        const found = yield* due.due(now, limit)
        const ran = yield* Effect.forEach(found, ({ policyId }) => alone(policyId, now))
        return { ran: sum(ran), more: found.length === limit }
      })

      const runBatch = Effect.fn("DueSteps.runBatch")(function* (limit: number = batchSize) {
        return yield* Effect.catchCause(batch(limit), (cause) =>
          isOfItself(cause) || isTooMuchAtOnce(Cause.squash(cause))
            ? Effect.andThen(
                Effect.logWarning("A batch failed; its policies are tried one by one", cause),
                oneByOne(limit)
              )
            : Effect.failCause(cause)
        )
      })

      return DueSteps.of({ afterCommand, runBatch, run })
    })
  ).pipe(
    Layer.provide([
      PolicyAccounts.layer,
      DunningAccounts.layer,
      InvoicesRepo.layer,
      DueRepo.layer,
      Renewals.layer,
      StaleOffers.layer,
      TenantClockRepo.layer
    ])
  )
}

/** Who has steps run: the worker, or a command for its own policy in its own transaction. */
type Runner = "WORKER" | "COMMAND"

/** The worker as an author and actor. */
const job: Actor = { kind: "JOB", id: jobName, requestId: jobName }

/** An interruption says nothing about the policies of a batch. */
const isOfItself = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterrupts(cause) && isAboutRows(Cause.squash(cause))
