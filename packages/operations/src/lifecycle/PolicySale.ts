/** The steps of a sale, and of an endorsement: confirmed, reopened, signed, merged. */
import { acceptedTexts, type SignPolicy } from "@quittance/domain/policies/PolicyRequests"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import type { Policy } from "@quittance/domain/policies/Policy"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { ComplianceGates } from "../compliance/ComplianceGates.ts"
import type { CommandTarget } from "../policies/Policies.ts"
import { PolicyAnswers } from "../policies/PolicyAnswers.ts"
import { checkStep, withinWindow } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import {
  onBranch,
  type PolicyAggregate,
  positionOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { requireNoDerogation, type SaleFailure } from "../quotes/SaleGates.ts"
import { SignatureRequired } from "@quittance/domain/policies/Compliance"
import { BranchMerging, judgedOf, type MergeFailure, since } from "./BranchMerging.ts"
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

export class Sales extends Context.Service<
  Sales,
  {
    confirm(at: CommandTarget): Answer<SaleFailure>
    reopen(at: CommandTarget): Answer<InvalidEffectiveDate | InvalidTransition>
    /** Signs a sale, which opens the contract, or an endorsement, which takes effect. */
    sign(
      at: CommandTarget,
      input: SignPolicy
    ): Answer<InvalidReference | MergeFailure | SaleFailure | SignatureRequired>
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
      const gates = yield* ComplianceGates
      const merging = yield* BranchMerging
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
            if (product.signature?.method === "REQUEST") return yield* new SignatureRequired({})
            const signedTextIds = acceptedTexts(input)
            const accepted = yield* merging.requireReady(policy, "sign", {
              step: "SIGN",
              signedTextIds
            })
            const signed = {
              policyId: head.id,
              branchId: branch.id,
              product,
              quotes: accepted,
              now
            }
            yield* signatures.keep(signed, input)
            return { ...(yield* merging.merge(policy)), answer: answers.show }
          })
        )
      })

      const merge = Effect.fn("Sales.merge")(function* (at: CommandTarget) {
        return yield* command.run(
          { command: "branch.merge", action: "branch.write", ...at },
          Effect.fnUntraced(function* (policy) {
            yield* merging.requireReady(policy, "merge", { step: "MERGE" })
            return { ...(yield* merging.merge(policy)), answer: answers.show }
          })
        )
      })

      return Sales.of({ confirm, accept, reopen, sign, merge })
    })
  ).pipe(
    Layer.provide([
      BranchMerging.layer,
      ComplianceGates.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer,
      QuotesOfPolicies.layer,
      ClickSignatures.layer
    ])
  )
}
