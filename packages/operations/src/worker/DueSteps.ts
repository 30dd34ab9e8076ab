/** What falls due: run for a policy that a command has just changed, and in batches by the worker. */
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import type { PolicyId } from "@quittance/domain/policies/Policy"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { isAboutRows, isTooMuchAtOnce, reasonOf } from "@quittance/persistence/sql/DatabaseFailure"
import { type DocumentHead, DocumentsRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { both } from "@quittance/persistence/sql/Pipelining"
import { Cause, Context, Effect, Layer, Result } from "effect"
import { advanceAction, jobName } from "@quittance/domain/audit/Audit"
import type { Actor } from "../requests/Actor.ts"
import { advance, type Advanced, documentsInTheWay } from "./AdvancePolicy.ts"
import { BillingBooks } from "../billing/PolicyAccounts.ts"
import { type Book, LinesNotRead } from "../billing/PolicyAccount.ts"
import type { Decided } from "../billing/BillingDecision.ts"
import type { LinesOfDocuments } from "../billing/InvoiceIssuing.ts"
import type { Job } from "../policies/Job.ts"
import { nextEffect, type OpenPolicy, presented } from "../policies/PolicyAggregate.ts"
import { Renewals, renewalStepOf } from "../renewals/Renewals.ts"
import { StaleOffers, staleOffers } from "../renewals/StaleOffers.ts"

/** How often each job ran. */
export type Ran = Readonly<Partial<Record<Job, number>>>

export interface BatchOutcome {
  readonly ran: Ran
  /** Whether more may be due: the batch was full, or left some of what it had claimed. */
  readonly more: boolean
}

/** The most policies that one transaction of the worker holds. */
export const batchSize = 250

/** So many documents issued, and a batch leaves the rest of its policies to the next one. */
const documentsPerBatch = 500

export class DueSteps extends Context.Service<
  DueSteps,
  {
    /**
     * Part of a command's transaction, which holds the policy's head: corrects what was invoiced, runs
     * what is due now and says when the policy is due next. A policy that is parked, or that nobody has
     * signed, stays as it is, and so does one on whose branch beside the trunk the command worked.
     */
    afterCommand(policy: OpenPolicy): Effect.Effect<OpenPolicy, never, CurrentTenant>
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
      const books = yield* BillingBooks
      const clock = yield* TenantClockRepo
      const documents = yield* DocumentsRepo
      const due = yield* DueRepo
      const ids = yield* Ids
      const offers = yield* StaleOffers
      const renewals = yield* Renewals
      const tenantSql = yield* TenantSql

      /** A rule that fails for one policy parks that one, and the others of its batch go on. */
      const orPark = Effect.fnUntraced(function* <A>(
        { policy: { head, now } }: Book,
        decide: () => A
      ) {
        const decided = Result.try(decide)
        if (Result.isSuccess(decided)) return decided.success
        const reason = reasonOf(decided.failure)
        yield* Effect.logError("Parked a policy", { policyId: head.id, reason })
        yield* due.park(head.id, reason, now)
        return undefined
      })

      /** Looks at all lines of a policy once a step has made a correction necessary that nobody foresaw. */
      const advanceOrPark = Effect.fnUntraced(function* (book: Book, lines: LinesOfDocuments) {
        const first = Result.try(() => advance(book, lines, ids.next))
        const isShort = Result.isFailure(first) && first.failure instanceof LinesNotRead
        if (!isShort) return yield* orPark(book, () => Result.getOrThrow(first))
        const all = yield* documents.linesOf(book.documents.map(({ id }) => id))
        return yield* orPark(book, () => advance(book, all, ids.next))
      })

      /** The books of which a rule can say what is due, and the documents that it needs for it. */
      const prepared = Effect.fnUntraced(function* (opened: ReadonlyArray<Book>) {
        const sound: Array<Book> = []
        const needed: Array<DocumentHead["id"]> = []
        for (const book of opened) {
          const inTheWay = yield* orPark(book, () => documentsInTheWay(book))
          if (inTheWay === undefined) continue
          sound.push(book)
          needed.push(...inTheWay)
        }
        return { sound, lines: yield* documents.linesOf(needed) }
      })

      /**
       * The books with what their offers and their terms' ends have brought; they are read again where that
       * is much. A command leaves offers to the worker.
       */
      const renewed = Effect.fnUntraced(function* (opened: ReadonlyArray<Book>, by: Runner) {
        const result: Array<Book> = []
        const ran: Array<Job> = []
        for (const book of opened) {
          const { head, now } = book.policy
          const isStale = by === "WORKER" && staleOffers(book.policy).length > 0
          const step = renewalStepOf(book.policy)
          const isDue = step !== undefined && step.dueAt <= now
          if (!isStale && !isDue) {
            result.push(book)
            continue
          }
          const fresh = isStale ? yield* offers.refresh(book.policy) : book.policy
          const done = yield* Effect.result(renewals.run(fresh))
          if (Result.isFailure(done)) {
            const { reason } = done.failure
            yield* Effect.logError("Parked a policy", { policyId: head.id, reason })
            yield* due.park(head.id, reason, now)
            continue
          }
          if (isStale) ran.push("requoteOffers")
          if (isDue) ran.push("renewPolicies")
          result.push(...(yield* books.open([done.success])))
        }
        return { books: result, ran }
      })

      const settle = Effect.fnUntraced(function* (found: ReadonlyArray<Book>, by: Runner) {
        const { books: opened, ran } = yield* renewed(found, by)
        const { lines, sound } = yield* prepared(opened)
        const decided: Array<Decided> = []
        let issued = 0
        let taken = 0
        for (const book of sound) {
          if (issued >= documentsPerBatch) break
          taken++
          const advanced = yield* advanceOrPark(book, lines)
          if (advanced === undefined) continue
          issued += advanced.issued.length
          ran.push(...advanced.ran)
          decided.push(decidedOf(book.policy, advanced))
        }
        const heads = yield* books.write(decided, job)
        return {
          outcome: { ran: count(ran), more: taken < sound.length },
          policies: decided.map(({ after }, index) => ({ ...after, head: heads[index]! }))
        }
      })

      const afterCommand = Effect.fn("DueSteps.afterCommand")(function* (policy: OpenPolicy) {
        if (policy.branch.branchType !== "BASE") return policy
        const [isParked, found] = yield* both(due.isParked(policy.head.id), books.open([policy]))
        if (isParked) return policy
        const { policies } = yield* settle(found, "COMMAND")
        return policies[0] ?? policy
      })

      const run = Effect.fn("DueSteps.run")(function* (
        heads: ReadonlyArray<PolicyHead>,
        now: Instant
      ) {
        if (heads.length === 0) return { ran: {}, more: false }
        return (yield* settle(yield* books.openHeads(heads, now), "WORKER")).outcome
      })

      const batch = (limit: number) =>
        tenantSql.transaction(
          Effect.gen(function* () {
            const { isTest, now } = yield* clock.read
            if (isTest) return { ran: {}, more: false }
            // Who holds a policy reads the clock: what is recorded has no time before that.
            const [heads, held] = yield* both(due.claim(now, limit), clock.read)
            const { more, ran } = yield* run(heads, held.now)
            return { ran, more: more || heads.length === limit }
          })
        )

      /** One policy in a transaction of its own; what fails there alone is parked. */
      const alone = Effect.fnUntraced(function* (policyId: PolicyId, now: Instant) {
        const attempt = tenantSql.transaction(
          Effect.gen(function* () {
            const [head, held] = yield* both(due.claimOne(policyId, now), clock.read)
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
        const outcome = yield* Effect.catchCause(batch(limit), (cause) =>
          isOfItself(cause) || isTooMuchAtOnce(Cause.squash(cause))
            ? Effect.andThen(
                Effect.logWarning("A batch failed; its policies are tried one by one", cause),
                oneByOne(limit)
              )
            : Effect.failCause(cause)
        )
        if (!outcome.more) yield* tenantSql.transaction(due.settle)
        return outcome
      })

      return DueSteps.of({ afterCommand, runBatch, run })
    })
  ).pipe(
    Layer.provide([
      BillingBooks.layer,
      DocumentsRepo.layer,
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

const decidedOf = (before: OpenPolicy, advanced: Advanced): Decided => ({
  before,
  after: presented(advanced.book.policy),
  action: advanceAction,
  issued: advanced.issued,
  entries: advanced.entries,
  standings: advanced.standings,
  notices: advanced.notices,
  nextDueAt: earliest([
    advanced.nextDueAt,
    renewalStepOf(advanced.book.policy)?.dueAt,
    nextEffect(advanced.book.policy),
    staleOffers(advanced.book.policy).length > 0 ? before.now : undefined
  ])
})

const count = (jobs: ReadonlyArray<Job>): Ran => sum(jobs.map((name) => ({ [name]: 1 })))

/** Adds up how often each job ran. */
export const sum = (runs: ReadonlyArray<Ran>): Ran => {
  const total: Partial<Record<Job, number>> = {}
  for (const ran of runs) {
    // Its keys are jobs.
    for (const name of Object.keys(ran) as Array<Job>) {
      total[name] = (total[name] ?? 0) + ran[name]!
    }
  }
  return total
}

/** An interruption says nothing about the policies of a batch. */
const isOfItself = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterrupts(cause) && isAboutRows(Cause.squash(cause))
