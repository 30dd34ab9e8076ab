/** The gates of a branch: what is recorded of them, and whether a step may be taken. */
import {
  dutiesOf,
  gatedDocuments,
  type GatedStep,
  type GateFacts,
  unmetOf
} from "@quittance/domain/compliance/Gates"
import { changedData } from "@quittance/domain/compliance/StatementFreshness"
import { ComplianceGateNotMet } from "@quittance/domain/policies/Compliance"
import {
  lineageOf,
  type PolicyAggregate,
  stateOn
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { statesFrom } from "@quittance/domain/policies/aggregate/DataOverTime"
import { salesChannelOf } from "@quittance/domain/policies/aggregate/SalesChannels"
import { inOrder } from "@quittance/domain/policies/PolicyState"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { AcceptedTextsRepo } from "@quittance/persistence/compliance/AcceptedTextsRepo"
import { GivenDocumentsRepo } from "@quittance/persistence/compliance/GivenDocumentsRepo"
import { RegistrationsRepo } from "@quittance/persistence/compliance/RegistrationsRepo"
import { StatementsRepo } from "@quittance/persistence/compliance/StatementsRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "../values/Sha256.ts"
import { RequestedDocuments } from "./RequestedDocuments.ts"

/** A step, with the texts that its request itself accepts. */
export interface Step {
  readonly step: GatedStep
  readonly signedTextIds?: ReadonlySet<string> | undefined
}

export class ComplianceGates extends Context.Service<
  ComplianceGates,
  {
    /** What gates of these steps look at; what none of them looks at is not read. */
    facts(
      policy: PolicyAggregate,
      steps: ReadonlyArray<Step>
    ): Effect.Effect<GateFacts, never, CurrentTenant>
    /** Fails with every gate of the step that is not met. */
    require(
      policy: PolicyAggregate,
      step: Step
    ): Effect.Effect<void, ComplianceGateNotMet, CurrentTenant>
  }
>()("@quittance/operations/ComplianceGates") {
  static readonly layer = Layer.effect(
    ComplianceGates,
    Effect.gen(function* () {
      const customers = yield* CustomersRepo
      const documents = yield* GivenDocumentsRepo
      const registrations = yield* RegistrationsRepo
      const requested = yield* RequestedDocuments
      const statements = yield* StatementsRepo
      const texts = yield* AcceptedTextsRepo

      const holdersOf = (over: ReadonlyArray<ReadonlySet<CustomerId>>) =>
        customers.findMany([...new Set(over.flatMap((ids) => [...ids]))], { _tag: "Tenant" })

      const statementOf = Effect.fnUntraced(function* (policy: PolicyAggregate) {
        const { branch, head } = policy
        const statement = yield* statements.latest(head.id, branch.id)
        if (statement === undefined) return {}
        return { statement: { statement, changed: changedSince(policy, statement.changeSeq) } }
      })

      const facts = Effect.fn("ComplianceGates.facts")(function* (
        policy: PolicyAggregate,
        steps: ReadonlyArray<Step>
      ) {
        const { branch, head, now, product } = policy
        const { complianceGates = [], consents } = product
        const signedTextIds = steps.find((step) => step.signedTextIds !== undefined)?.signedTextIds
        const { branchType } = branch
        const waits = steps.some(
          ({ step }) => gatedDocuments({ product, branchType }, step).length > 0
        )
        const looksAtHolders =
          waits || complianceGates.length > 0 || steps.some(({ step }) => step === "CONFIRM")
        const holdersOver = idsOver(policy, "POLICYHOLDER")
        const holders = looksAtHolders ? yield* holdersOf(holdersOver) : []
        const sold = {
          product,
          branchType,
          salesChannel: salesChannelOf(policy),
          startedAt: policy.state.startedAt,
          now,
          holders,
          holdersOver
        }
        const firmId = head.brokerageFirmId
        const firm = firmId === null ? {} : { firm: { registration: undefined } }
        const duties = steps.flatMap(({ step }) => dutiesOf({ ...sold, ...firm }, step))
        const has = (...kinds: ReadonlyArray<(typeof duties)[number]["kind"]>) =>
          duties.some(({ kind }) => kinds.includes(kind))
        const looksAtTexts =
          has("WITHDRAWAL_RIGHT") ||
          steps.some(({ step }) =>
            consents.some(
              (text) => text.requiredFor === step && signedTextIds?.has(text.textId) !== true
            )
          )
        const looksAtDocuments =
          waits || has("IPID", "INTERMEDIARY_INFORMATION", "WITHDRAWAL_RIGHT")
        const isRegistered = firmId !== null && has("BROKER_REGISTRATION")
        const registered = isRegistered
          ? Effect.map(registrations.find(firmId), (registration) => ({ firm: { registration } }))
          : Effect.succeed({})
        const stated = has("ADVICE", "DEMANDS_AND_NEEDS") ? statementOf(policy) : Effect.succeed({})
        // Together they take one trip to the database.
        const [[accepted, given], [firmFacts, statementFacts]] = yield* pipelineBoth(
          pipelineBoth(
            looksAtTexts ? texts.ofBranch(head.id, branch.id) : Effect.succeed([]),
            looksAtDocuments ? documents.ofBranch(head.id, branch.id) : Effect.succeed([])
          ),
          pipelineBoth(registered, stated)
        )
        return {
          ...sold,
          hashOf: sha256,
          accepted,
          documents: given,
          requested: yield* requested.of(
            policy,
            steps.map(({ step }) => step),
            (role) => [...new Set(idsOver(policy, role).flatMap((ids) => [...ids]))]
          ),
          ...(signedTextIds === undefined ? {} : { signedTextIds }),
          ...firmFacts,
          ...statementFacts
        }
      })

      const require = Effect.fn("ComplianceGates.require")(function* (
        policy: PolicyAggregate,
        step: Step
      ) {
        const gates = unmetOf(yield* facts(policy, [step]), step.step)
        if (gates.length > 0) return yield* new ComplianceGateNotMet({ gates })
      })

      return ComplianceGates.of({ facts, require })
    })
  ).pipe(
    Layer.provide([
      AcceptedTextsRepo.layer,
      CustomersRepo.layer,
      GivenDocumentsRepo.layer,
      RegistrationsRepo.layer,
      RequestedDocuments.layer,
      StatementsRepo.layer
    ])
  )
}

/** Who has a role: on a sale over each stretch of its cover, on a branch of a contract when it takes effect. */
const idsOver = (
  { branch, branches, changes, productOf, state }: PolicyAggregate,
  role: string
): ReadonlyArray<ReadonlySet<CustomerId>> => {
  const judged = { changes, lineage: lineageOf(branches, branch), productOf }
  const states =
    branch.branchType === "NEW_BUSINESS"
      ? statesFrom(judged, state.startedAt).map((stretch) => stretch.state)
      : [state]
  return states.map(
    ({ customers }) =>
      new Set(inOrder(customers).flatMap(([id, customer]) => (customer.role === role ? [id] : [])))
  )
}

/** What a branch shows now, and did not show by the policy's change of that number. */
const changedSince = (
  { branch, branches, changes, now, state }: PolicyAggregate,
  seq: number
): ReadonlyArray<string> => {
  const by = changes.filter((change) => change.seq <= seq)
  return changedData(stateOn(by, lineageOf(branches, branch), branch, now), state)
}
