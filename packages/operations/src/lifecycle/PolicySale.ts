/** The steps of a sale, and of an endorsement: confirmed, reopened, signed, merged. */
import type { BranchRequired } from "@quittance/domain/policies/Branch"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { ComplianceGateNotMet } from "@quittance/domain/policies/Compliance"
import type { Instant } from "@quittance/domain/values/Instant"
import { type InvalidTransition, permit, refusal } from "@quittance/domain/policies/Lifecycle"
import type { BranchConflict } from "@quittance/domain/branches/Merge"
import type { DuplicateExternalId, InvalidEffectiveDate, Policy } from "@quittance/domain/policies/Policy"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import { inOrder } from "@quittance/domain/policies/PolicyState"
import type { QuoteId } from "@quittance/domain/products/Quote"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { SignaturesRepo } from "@quittance/persistence/lifecycle/SignaturesRepo"
import { both } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import { CurrentRequest } from "../requests/CurrentRequest.ts"
import { DueSteps } from "../worker/DueSteps.ts"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { mergedEndorsement, mergedSale } from "../branches/BranchMerging.ts"
import type { At } from "../policies/Policies.ts"
import { PolicyAnswers } from "../policies/PolicyAnswers.ts"
import { checkPolicy, withinWindow } from "../policies/PolicyChecks.ts"
import { type Decided, PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import { onBranch, onto, type OpenPolicy, positionOf, standingBranch } from "../policies/PolicyAggregate.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { requireNoDerogation, type SaleFailure, unacceptedConsents } from "../quotes/SaleGates.ts"
import { sha256 } from "../values/Sha256.ts"

/** Who signs, and the text he agrees to. */
export interface SignPolicy {
  readonly signer: { readonly firstName: string; readonly lastName: string; readonly email: string }
  readonly consent: { readonly textId: string; readonly accepted: true }
}

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
    confirm(at: At): Answer<SaleFailure>
    reopen(at: At): Answer<InvalidEffectiveDate | InvalidTransition>
    /** Signs a sale, which opens the contract, or an endorsement, which takes effect. */
    sign(at: At, input: SignPolicy): Answer<MergeFailure | SaleFailure>
    /** The customer's word that he takes the next term as it is offered. */
    accept(at: At): Answer<SaleFailure>
    /** Puts an endorsement into effect that needs no signature. */
    merge(at: At): Answer<MergeFailure | SaleFailure>
  }
>()("@quittance/operations/Sales") {
  static readonly layer = Layer.effect(
    Sales,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswers
      const command = yield* PolicyCommand
      const customers = yield* CustomersRepo
      const dueSteps = yield* DueSteps
      const externalIds = yield* ExternalIds
      const ids = yield* Ids
      const quotes = yield* QuotesOfPolicies
      const signatures = yield* SignaturesRepo

      /** What is accepted of a renewal, or no longer, moves when its term is brought. */
      const answerOf = (after: OpenPolicy) => {
        const { branch } = after
        if (branch.branchType !== "RENEWAL") return answers.show(after)
        const settled = dueSteps.afterCommand(onto(after, standingBranch(after).id))
        return Effect.flatMap(settled, (policy) => answers.show(onto(policy, branch.id)))
      }

      /** A step that moves the stage: what has to hold, and the change that it records. */
      const step = <E>(
        name: string,
        { whenAt, ...at }: At,
        decide: (policy: OpenPolicy) => Effect.Effect<Commands.Draft, E, CurrentTenant>
      ) =>
        command.run(
          { command: `policy.${name}`, action: "policy.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
            const draft = yield* decide(policy)
            return { changes: onBranch(policy, [draft]), answer: answerOf }
          })
        )

      const policyholderConfirmed = Effect.fnUntraced(function* ({ state }: OpenPolicy) {
        const holders = inOrder(state.customers).filter(([, { role }]) => role === "POLICYHOLDER")
        const ids = holders.map(([id]) => id)
        const rows = yield* customers.findMany(ids, { _tag: "Tenant" })
        if (rows.some(({ status }) => status === "CUSTOMER_CONFIRMED")) return
        return yield* new ComplianceGateNotMet({ gates: [{ kind: "POLICYHOLDER_CONFIRMED" }] })
      })

      const confirm = (at: At) =>
        step(
          "confirm",
          at,
          Effect.fnUntraced(function* (policy) {
            const { product, state } = policy
            const [fresh, hasHolder] = yield* both(
              quotes.fresh(policy),
              Effect.result(policyholderConfirmed(policy))
            )
            const draft = yield* Effect.fromResult(Commands.confirm(positionOf(policy, state)))
            yield* checkPolicy(product, state, "CONFIRM", startChecked(policy))
            yield* requireNoDerogation(fresh)
            yield* Effect.fromResult(hasHolder)
            return draft
          })
        )

      const accept = (at: At) =>
        step(
          "accept",
          at,
          Effect.fnUntraced(function* (policy) {
            const position = positionOf(policy, policy.state)
            if (policy.branch.branchType !== "RENEWAL") return yield* refusal(position, "accept")
            const fresh = yield* quotes.fresh(policy)
            const draft = yield* Effect.fromResult(Commands.confirm(position))
            yield* requireNoDerogation(fresh)
            return draft
          })
        )

      const reopen = (at: At) =>
        step("reopen", at, (policy) =>
          Effect.fromResult(Commands.reopen(positionOf(policy, policy.state)))
        )

      /** What has to hold before a branch is merged; answers the quote that is accepted with it. */
      const requireReady = Effect.fnUntraced(function* (
        policy: OpenPolicy,
        lastStep: "sign" | "merge"
      ) {
        const { product, state } = policy
        const fresh = yield* quotes.fresh(policy)
        yield* Effect.fromResult(permit(positionOf(policy, state), lastStep))
        yield* checkPolicy(product, state, "SIGN", startChecked(policy))
        yield* requireNoDerogation(fresh)
        // A confirmed branch has a quote: the tables lead there by no other way.
        return fresh[0]!.id
      })

      const sign = Effect.fn("Sales.sign")(function* ({ whenAt, ...at }: At, input: SignPolicy) {
        return yield* command.run(
          { command: "policy.sign", action: "policy.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { now, product } = policy
            if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
            const quoteId = yield* requireReady(policy, "sign")
            yield* keepSignature(policy, quoteId, input)
            return yield* decideMerge(policy)
          })
        )
      })

      const merge = Effect.fn("Sales.merge")(function* (at: At) {
        return yield* command.run(
          { command: "branch.merge", action: "branch.write", ...at },
          Effect.fnUntraced(function* (policy) {
            yield* requireReady(policy, "merge")
            return yield* decideMerge(policy)
          })
        )
      })

      const keepSignature = Effect.fnUntraced(function* (
        { branch, head, now, product }: OpenPolicy,
        quoteId: QuoteId,
        { consent, signer }: SignPolicy
      ) {
        const gates = unacceptedConsents(product, consent.textId)
        if (gates.length > 0) return yield* new ComplianceGateNotMet({ gates })
        const request = yield* CurrentRequest
        const text = product.consents.find(({ textId }) => textId === consent.textId)
        yield* signatures.insert({
          id: ids.next("signature"),
          policyId: head.id,
          branchId: branch.id,
          quoteId,
          signer,
          textId: consent.textId,
          textHash: sha256(text?.text ?? ""),
          signedAt: now,
          address: request.address,
          userAgent: request.userAgent
        })
      })

      const decideMerge = Effect.fnUntraced(function* (policy: OpenPolicy) {
        const answer = (after: OpenPolicy) =>
          Effect.flatMap(dueSteps.afterCommand(after), answers.show)
        if (policy.branch.branchType === "NEW_BUSINESS") {
          const recorded = yield* Effect.fromResult(mergedSale(policy, ids.next("branch")))
          yield* externalIds.settle(policy, recorded)
          return { ...recorded, answer } satisfies Decided<Policy, never, CurrentTenant>
        }
        const { recorded, segments } = yield* Effect.fromResult(mergedEndorsement(policy))
        yield* quotes.requireFitting(segments)
        yield* externalIds.settle(policy, recorded)
        return { ...recorded, answer } satisfies Decided<Policy, never, CurrentTenant>
      })

      return Sales.of({ confirm, accept, reopen, sign, merge })
    })
  ).pipe(
    Layer.provide([
      CustomersRepo.layer,
      DueSteps.layer,
      ExternalIds.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer,
      QuotesOfPolicies.layer,
      SignaturesRepo.layer
    ])
  )
}

/** The start of a sale has to lie within the product's limits; that of a signed policy did. */
const startChecked = ({ branch, now }: OpenPolicy): Instant | undefined =>
  branch.branchType === "NEW_BUSINESS" ? now : undefined
