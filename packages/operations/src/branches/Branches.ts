/** Branches of a policy beside the one in force: opened, compared, rebased, invalidated. */
import type {
  ForkBranch,
  InvalidateBranch,
  OpenBranch,
  RebaseBranch
} from "@quittance/domain/branches/BranchRequests"
import { type Branch, type BranchConflict, BranchNotFound } from "@quittance/domain/policies/Branch"
import { type BranchDiff, componentDifferences } from "@quittance/domain/branches/BranchDiff"
import { CurrentCaller, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import { differences, shadowed } from "@quittance/domain/branches/Differences"
import * as Page from "@quittance/domain/values/Page"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { invoicesOnMerge } from "./BranchInvoicePreview.ts"
import * as BranchRecords from "@quittance/domain/branches/BranchRecords"
import { invalidated } from "@quittance/domain/policies/aggregate/InvalidatedBranches"
import { isForked } from "@quittance/domain/branches/BranchMerging"
import * as Policy from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CommandTarget } from "../policies/Policies.ts"
import { withinWindow } from "../policies/PolicyChecks.ts"
import {
  type PolicyDecision,
  PolicyCommand,
  type PolicyFailure
} from "../policies/PolicyCommand.ts"
import {
  type AccessFailure,
  PolicyReader,
  type ReadFailure,
  type RecordRequest
} from "../policies/PolicyReader.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { rebased } from "@quittance/domain/branches/Rebasing"
import type { BranchId, QuoteId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  InvalidEffectiveDate,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"

/** One branch as it is, or as it was known once. */
export interface OfBranch {
  readonly branchId: BranchId
  readonly knownAt?: Instant | undefined
}

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Answer<E = never> = Effect.Effect<Branch, E | PolicyFailure, Scoped>

export class Branches extends Context.Service<
  Branches,
  {
    listByPolicy(
      request: RecordRequest,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Branch>, AccessFailure | InvalidEffectiveDate, Scoped>
    get(request: OfBranch): Effect.Effect<Branch, ReadFailure, Scoped>
    /**
     * Opens an endorsement of a signed policy, from now on unless an instant is said once or twice, or
     * another offer beside one that is not signed.
     */
    open(at: CommandTarget, input: OpenBranch): Answer<InvalidEffectiveDate | InvalidTransition>
    /** The policy that a branch is of. */
    locate(
      branchId: BranchId
    ): Effect.Effect<
      Required<Pick<CommandTarget, "branchId" | "policyId">>,
      BranchNotFound | UserNotFound,
      Scoped
    >
    /** What merging the branch would change. */
    diff(request: OfBranch): Effect.Effect<BranchDiff, InvalidTransition | ReadFailure, Scoped>
    /** The same changes on a branch of their own, to be taken further another way. */
    fork(branchId: BranchId, input: ForkBranch): Answer<InvalidTransition>
    invalidate(branchId: BranchId, input: InvalidateBranch): Answer<InvalidTransition>
    /** Brings a branch up to the base branch as it is now. */
    rebase(branchId: BranchId, input: RebaseBranch): Answer<BranchConflict | InvalidTransition>
  }
>()("@quittance/operations/Branches") {
  static readonly layer = Layer.effect(
    Branches,
    Effect.gen(function* () {
      const command = yield* PolicyCommand
      const accounts = yield* PolicyAccounts
      const ids = yield* Ids
      const log = yield* PolicyLogRepo
      const quotes = yield* QuotesOfPolicies
      const quoteRows = yield* QuotesRepo
      const reader = yield* PolicyReader

      const listByPolicy = Effect.fn("Branches.listByPolicy")(function* (
        request: RecordRequest,
        page: Page.PageRequest
      ) {
        const rows = yield* reader.branches("branch.read", request)
        const first = (page.page - 1) * page.count
        return Page.make(
          rows.slice(first, first + page.count).map(BranchRecords.toBranch),
          rows.length,
          page
        )
      })

      const find = Effect.fnUntraced(function* (branchId: BranchId) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const row = yield* log.branch(branchId)
        return row === undefined ? yield* new BranchNotFound({ branchId }) : row
      })

      const locate = Effect.fn("Branches.locate")(function* (branchId: BranchId) {
        const { policyId } = yield* find(branchId)
        return { policyId, branchId }
      })

      const get = Effect.fn("Branches.get")(function* ({ branchId, knownAt }: OfBranch) {
        const { policyId } = yield* find(branchId)
        const rows = yield* reader.branches("branch.read", { policyId, knownAt })
        const row = rows.find(({ id }) => id === branchId)
        if (row === undefined) return yield* new BranchNotFound({ branchId })
        if (knownAt === undefined) (yield* CurrentRequest).answer.etag = Policy.etagOf(row)
        return BranchRecords.toBranch(row)
      })

      /** A command on a branch: what it makes of its row, and the changes that it records there. */
      const change = Effect.fnUntraced(function* <E, R>(
        name: string,
        branchId: BranchId,
        decide: (
          policy: Policy.PolicyAggregate
        ) => Effect.Effect<Omit<PolicyDecision<Branch, never, never>, "answer">, E, R>
      ) {
        const { policyId } = yield* find(branchId)
        return yield* command.run(
          { command: `branch.${name}`, action: "branch.write", policyId, branchId },
          Effect.fnUntraced(function* (policy) {
            const decided = yield* decide(policy)
            const shown = decided.branches?.[0]?.id ?? branchId
            return { ...decided, answer: shownAs(shown) }
          })
        )
      })

      const open = Effect.fn("Branches.open")(function* (
        { whenAt, ...at }: CommandTarget,
        { branchType, effectiveAt = whenAt, name }: OpenBranch
      ) {
        return yield* command.run(
          { command: "branch.open", action: "branch.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (effectiveAt !== undefined) {
              if (whenAt !== undefined && whenAt !== effectiveAt) {
                const only = { earliest: effectiveAt, latest: effectiveAt }
                return yield* new InvalidEffectiveDate({ field: "whenAt", ...only })
              }
              yield* withinWindow(product, "change", "whenAt", effectiveAt, now)
            }
            const author = (yield* requestActor).id
            const opened = BranchRecords.newBranch(policy, {
              id: ids.next("branch"),
              branchType,
              name,
              effectiveAt: effectiveAt ?? now,
              author
            })
            const { changes, row } = yield* Effect.fromResult(opened)
            return { branches: [row], changes, answer: shownAs(row.id) }
          })
        )
      })

      const fork = Effect.fn("Branches.fork")(function* (branchId: BranchId, { name }: ForkBranch) {
        const author = (yield* requestActor).id
        return yield* change("fork", branchId, (policy) => {
          const forked = BranchRecords.fork(policy, { id: ids.next("branch"), name, author })
          return Effect.map(Effect.fromResult(forked), ({ changes, row }) => ({
            branches: [row],
            changes
          }))
        })
      })

      const invalidate = Effect.fn("Branches.invalidate")(function* (
        branchId: BranchId,
        { reason }: InvalidateBranch
      ) {
        return yield* change("invalidate", branchId, (policy) =>
          // The branch that shows the policy stays: a sale is withdrawn by stopping the policy.
          policy.head.defaultBranchId === branchId
            ? Effect.fail(refusal(Policy.positionOf(policy, policy.state), "invalidate"))
            : Effect.succeed({
                branches: [invalidated(policy.branch, reason, policy.now)],
                changes: []
              })
        )
      })

      const rebase = Effect.fn("Branches.rebase")(function* (
        branchId: BranchId,
        { resolutions }: RebaseBranch
      ) {
        return yield* change(
          "rebase",
          branchId,
          Effect.fnUntraced(function* (policy) {
            const { drafts, row } = yield* Effect.fromResult(rebased(policy, resolutions))
            const stage = yield* stageOf(policy, row, drafts)
            return { branches: [row], changes: Policy.onBranch(policy, [...drafts, stage]) }
          })
        )
      })

      /** Where the sale stands after a rebase: back at its beginning where its quotes no longer fit. */
      const stageOf = Effect.fnUntraced(function* (
        policy: Policy.PolicyAggregate,
        moved: Policy.PolicyAggregate["branch"],
        drafts: ReadonlyArray<Draft>
      ) {
        const branches = policy.branches.map((row) => (row.id === moved.id ? moved : row))
        const rebasedPolicy = { ...policy, branch: moved, branches }
        const next = Policy.withDrafts(rebasedPolicy, drafts)
        const fits = yield* Effect.isSuccess(quotes.fresh({ ...rebasedPolicy, ...next }))
        return BranchRecords.stageAfterRebase(policy.state.stage, fits)
      })

      const priceOf = Effect.fnUntraced(function* (
        was: QuoteId | undefined,
        is: QuoteId | undefined
      ) {
        if (was === undefined || is === undefined) return []
        const rows = yield* quoteRows.findMany([was, is])
        const quote = (id: QuoteId) => rows.find((row) => row.id === id)!.content.quote
        return componentDifferences(quote(was), quote(is))
      })

      const diff = Effect.fn("Branches.diff")(function* ({ branchId, knownAt }: OfBranch) {
        const { policyId } = yield* find(branchId)
        const policy = yield* reader.open("branch.read", { policyId, branchId, knownAt })
        const { branch, branches, changes, head, now, state } = policy
        const lineage = Policy.lineageOf(branches, branch)
        if (!isForked(lineage)) return yield* refusal(state, "diff")
        const { effectiveAt } = branch
        const at = effectiveAt ?? now
        const was = Policy.stateOf(changes, { branchId: head.defaultBranchId }, at)
        const is = Policy.stateOf(changes, lineage, at)
        const nextId = () => ids.next("change")
        const isQuoted = is.stage !== "DRAFT"
        return {
          changes: differences(changes, lineage),
          shadowed: shadowed(changes, lineage),
          price: isQuoted ? yield* priceOf(was.quoteId, is.quoteId) : [],
          invoices: isQuoted ? yield* invoicesOnMerge(accounts, policy, nextId) : []
        }
      })

      return Branches.of({ listByPolicy, get, locate, open, diff, fork, invalidate, rebase })
    })
  ).pipe(
    Layer.provide([
      PolicyAccounts.layer,
      PolicyCommand.layer,
      PolicyLogRepo.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer,
      QuotesRepo.layer
    ])
  )
}

/** The branch as it is once the command has been recorded. */
const shownAs = (branchId: BranchId) => (after: Policy.PolicyAggregate) =>
  Effect.succeed(BranchRecords.toBranch(after.branches.find(({ id }) => id === branchId)!))
