/** The steps of a sale, and of an endorsement: confirmed, reopened, signed, merged. */
import { acceptedTexts, type SignPolicy } from "@quittance/domain/policies/PolicyRequests"
import type { BranchConflict, BranchRequired } from "@quittance/domain/policies/Branch"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { permit, refusal } from "@quittance/domain/policies/Lifecycle"
import type { DuplicateExternalId, Policy } from "@quittance/domain/policies/Policy"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import { Ids } from "@quittance/persistence/sql/Ids"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { ComplianceGates, type Step } from "../compliance/ComplianceGates.ts"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { mergedEndorsement, mergedSale } from "@quittance/domain/branches/BranchMerging"
import type { CommandTarget } from "../policies/Policies.ts"
import { PolicyAnswers } from "../policies/PolicyAnswers.ts"
import { checkStep, withinWindow } from "../policies/PolicyChecks.ts"
import {
  type PolicyDecision,
  PolicyCommand,
  type PolicyFailure
} from "../policies/PolicyCommand.ts"
import {
  defaultEffect,
  lineageOf,
  onBranch,
  type PolicyAggregate,
  positionOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { requireNoDerogation, type SaleFailure } from "../quotes/SaleGates.ts"
import { ClickSignatures } from "../signatures/ClickSignatures.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type {
  InvalidEffectiveDate,
  InvalidReference,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"

type Answer<E> = Effect.Effect<
  Policy,
  E | PolicyFailure,
  CurrentTenant | CurrentCaller | CurrentRequest
>

/** Why a branch is not merged. */
export type MergeFailure = BranchConflict | BranchRequired | DuplicateExternalId

export class Sales extends Context.Service<
  Sales,
  {
    confirm(at: CommandTarget): Answer<SaleFailure>
    reopen(at: CommandTarget): Answer<InvalidEffectiveDate | InvalidTransition>
    /** Signs a sale, which opens the contract, or an endorsement, which takes effect. */
    sign(
      at: CommandTarget,
      input: SignPolicy
    ): Answer<InvalidReference | MergeFailure | SaleFailure>
    /** The customer's word that they take the next term as it is offered. */
    accept(at: CommandTarget): Answer<SaleFailure>
    /** Puts an endorsement into effect that needs no signature. */
    merge(at: CommandTarget): Answer<MergeFailure | SaleFailure>
  }
>()("@quittance/operations/Sales") {
  static readonly layer = Layer.effect(
    Sales,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswers
      const command = yield* PolicyCommand
      const externalIds = yield* ExternalIds
      const gates = yield* ComplianceGates
      const ids = yield* Ids
      const quotes = yield* QuotesOfPolicies
      const signatures = yield* ClickSignatures

      /** A step that moves the stage: what has to hold, and the change that it records. */
      const step = <E>(
        name: string,
        { whenAt, ...at }: CommandTarget,
        decide: (policy: PolicyAggregate) => Effect.Effect<Commands.Draft, E, CurrentTenant>
      ) =>
        command.run(
          { command: `policy.${name}`, action: "policy.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
            const draft = yield* decide(policy)
            return { changes: onBranch(policy, [draft]), answer: answers.show }
          })
        )

      const confirm = (at: CommandTarget) =>
        step(
          "confirm",
          at,
          Effect.fnUntraced(function* (policy) {
            const { state } = policy
            const [fresh, isReady] = yield* pipelineBoth(
              quotes.fresh(policy),
              Effect.result(gates.require(policy, { step: "CONFIRM" }))
            )
            const draft = yield* Effect.fromResult(Commands.confirm(positionOf(policy, state)))
            yield* checkStep(judgedOf(policy), { stage: "CONFIRM", ...since(policy) })
            yield* requireNoDerogation(fresh)
            yield* Effect.fromResult(isReady)
            return draft
          })
        )

      const accept = (at: CommandTarget) =>
        step(
          "accept",
          at,
          Effect.fnUntraced(function* (policy) {
            const position = positionOf(policy, policy.state)
            if (policy.branch.branchType !== "RENEWAL") return yield* refusal(position, "accept")
            const fresh = yield* quotes.fresh(policy)
            const draft = yield* Effect.fromResult(Commands.confirm(position))
            yield* requireNoDerogation(fresh)
            yield* gates.require(policy, { step: "ACCEPT" })
            return draft
          })
        )

      const reopen = (at: CommandTarget) =>
        step("reopen", at, (policy) =>
          Effect.fromResult(Commands.reopen(positionOf(policy, policy.state)))
        )

      /** What has to hold before a branch is merged; answers the quotes that are accepted with it. */
      const requireReady = Effect.fnUntraced(function* (
        policy: PolicyAggregate,
        lastStep: "sign" | "merge",
        step: Step
      ) {
        const { state } = policy
        const fresh = yield* quotes.fresh(policy)
        yield* Effect.fromResult(permit(positionOf(policy, state), lastStep))
        yield* checkStep(judgedOf(policy), { stage: "SIGN", ...since(policy) })
        yield* requireNoDerogation(fresh)
        yield* gates.require(policy, step)
        // A confirmed branch has a quote: the tables lead there by no other way.
        return fresh
      })

      const sign = Effect.fn("Sales.sign")(function* (
        { whenAt, ...at }: CommandTarget,
        input: SignPolicy
      ) {
        return yield* command.run(
          { command: "policy.sign", action: "policy.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
            const { branch, head } = policy
            const signedTextIds = acceptedTexts(input)
            const accepted = yield* requireReady(policy, "sign", { step: "SIGN", signedTextIds })
            const signed = {
              policyId: head.id,
              branchId: branch.id,
              product,
              quotes: accepted,
              now
            }
            yield* signatures.keep(signed, input)
            return yield* decideMerge(policy)
          })
        )
      })

      const merge = Effect.fn("Sales.merge")(function* (at: CommandTarget) {
        return yield* command.run(
          { command: "branch.merge", action: "branch.write", ...at },
          Effect.fnUntraced(function* (policy) {
            yield* requireReady(policy, "merge", { step: "MERGE" })
            return yield* decideMerge(policy)
          })
        )
      })

      const decideMerge = Effect.fnUntraced(function* (policy: PolicyAggregate) {
        const answer = answers.show
        if (policy.branch.branchType === "NEW_BUSINESS") {
          const recorded = yield* Effect.fromResult(mergedSale(policy, ids.next("branch")))
          yield* externalIds.settle(policy, recorded)
          return { ...recorded, answer } satisfies PolicyDecision<Policy, never, CurrentTenant>
        }
        const { recorded, segments } = yield* Effect.fromResult(mergedEndorsement(policy))
        yield* quotes.requireFitting(segments)
        yield* externalIds.settle(policy, recorded)
        return { ...recorded, answer } satisfies PolicyDecision<Policy, never, CurrentTenant>
      })

      return Sales.of({ confirm, accept, reopen, sign, merge })
    })
  ).pipe(
    Layer.provide([
      ComplianceGates.layer,
      ExternalIds.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer,
      QuotesOfPolicies.layer,
      ClickSignatures.layer
    ])
  )
}

const judgedOf = ({ branch, branches, changes, productOf }: PolicyAggregate) => ({
  changes,
  lineage: lineageOf(branches, branch),
  productOf
})

/**
 * When a branch takes effect, and for a sale the present: its start has to lie within the product's
 * limits; that of a signed policy did.
 */
const since = ({ branch, now }: PolicyAggregate) => ({
  effect: defaultEffect(branch, now),
  now: branch.branchType === "NEW_BUSINESS" ? now : undefined
})
