/** Policies: opened, changed, and read at any point of their lives. */
import type { CreatePolicy, PatchPolicy } from "@quittance/domain/policies/PolicyRequests"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import type { DuplicateExternalId, Policy } from "@quittance/domain/policies/Policy"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { Context, Effect, Layer } from "effect"
import { BrokerageFees } from "./BrokerageFees.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { ExternalIds } from "./ExternalIds.ts"
import { type DataFailure, dataChange } from "./DataChange.ts"
import { PolicyAnswers } from "./PolicyAnswers.ts"
import { checkTermLength, checkTerms, type PolicyFault, withinWindow } from "./PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "./PolicyCommand.ts"
import { type CreateFailure, PolicyCreation } from "./PolicyCreation.ts"
import { etagOf, onBranch } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyReader, type ReadFailure, type ViewRequest } from "./PolicyReader.ts"
import { QuotesOfPolicies } from "./PolicyQuotes.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

/** On which branch a command works, and when it takes effect. */
export interface CommandTarget {
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  readonly whenAt?: Instant | undefined
}

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Answer<E> = Effect.Effect<Policy, E | PolicyFailure, Scoped>

export class Policies extends Context.Service<
  Policies,
  {
    create(
      input: CreatePolicy
    ): Effect.Effect<Policy, CreateFailure | IdempotencyKeyInUse | IdempotencyKeyReused, Scoped>
    get(request: ViewRequest): Effect.Effect<Policy, ReadFailure, Scoped>
    update(
      at: CommandTarget,
      patch: PatchPolicy
    ): Answer<DataFailure | DuplicateExternalId | InvalidReference | PolicyFault>
  }
>()("@quittance/operations/Policies") {
  static readonly layer = Layer.effect(
    Policies,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswers
      const brokerageFees = yield* BrokerageFees
      const commands = yield* Command
      const command = yield* PolicyCommand
      const creation = yield* PolicyCreation
      const externalIds = yield* ExternalIds
      const quotes = yield* QuotesOfPolicies
      const reader = yield* PolicyReader

      const create = Effect.fn("Policies.create")(function* (input: CreatePolicy) {
        return yield* commands.run({
          authorize: creation.authorize(input),
          decide: Effect.fnUntraced(function* (authorized) {
            const policy = yield* creation.open(authorized, input)
            const request = yield* CurrentRequest
            request.answer.etag = etagOf(policy.branch)
            return yield* answers.show(policy)
          })
        })
      })

      const get = Effect.fn("Policies.get")(function* (request: ViewRequest) {
        const { branch, ...view } = yield* reader.read("policy.read", request)
        return yield* quotes.show({ ...view, branchType: branch.branchType })
      })

      const update = Effect.fn("Policies.update")(function* (
        { whenAt, ...at }: CommandTarget,
        patch: PatchPolicy
      ) {
        const subject = { command: "policy.update", action: "policy.write", ...at } as const
        return yield* command.run(
          { ...subject, also: actionsFor(patch) },
          Effect.fnUntraced(function* (policy) {
            const { now, product, state } = policy
            yield* brokerageFees.check(patch.brokerageFees)
            const entries = Commands.patchEntries(patch)
            const { drafts, effectiveAt, judged } = yield* dataChange(policy, entries, whenAt)
            // A start date that was in order when it was chosen does not block another change.
            if (patch.startedAt !== undefined && patch.startedAt !== state.startedAt) {
              yield* withinWindow(product, "start", "startedAt", patch.startedAt, now)
            }
            yield* checkTerms(judged, effectiveAt)
            if (patch.periodDuration !== undefined) {
              yield* checkTermLength(product, patch.periodDuration)
            }
            const recorded = { changes: onBranch(policy, drafts) }
            yield* externalIds.settle(policy, recorded)
            return { ...recorded, answer: answers.show }
          })
        )
      })

      return Policies.of({ create, get, update })
    })
  ).pipe(
    Layer.provide([
      BrokerageFees.layer,
      Command.layer,
      ExternalIds.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer,
      PolicyCreation.layer,
      PolicyReader.layer,
      QuotesOfPolicies.layer
    ])
  )
}

/** What naming these members needs beyond writing the policy. */
const actionsFor = (patch: PatchPolicy): ReadonlyArray<Action> => [
  ...(patch.brokerageFees === undefined ? [] : (["quote.fee"] as const)),
  ...(patch.billingAssignment === undefined ? [] : (["policy.assign"] as const))
]
