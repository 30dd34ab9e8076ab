/** The gates of a branch: what is recorded of them, and whether a step may be taken. */
import type { GatedStep, GateFacts } from "@quittance/domain/compliance/Gates"
import { dutiesOf, unmetOf } from "@quittance/domain/compliance/Gates"
import { ComplianceGateNotMet } from "@quittance/domain/policies/Compliance"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { inOrder } from "@quittance/domain/policies/PolicyState"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AcceptedTextsRepo } from "@quittance/persistence/compliance/AcceptedTextsRepo"
import { RegistrationsRepo } from "@quittance/persistence/compliance/RegistrationsRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "../values/Sha256.ts"

/** The branch that a step is taken on. */
export type GatedBranch = Pick<PolicyAggregate, "branch" | "head" | "now" | "product" | "state">

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
      policy: GatedBranch,
      steps: ReadonlyArray<Step>
    ): Effect.Effect<GateFacts, never, CurrentTenant>
    /** Fails with every gate of the step that is not met. */
    require(
      policy: GatedBranch,
      step: Step
    ): Effect.Effect<void, ComplianceGateNotMet, CurrentTenant>
  }
>()("@quittance/operations/ComplianceGates") {
  static readonly layer = Layer.effect(
    ComplianceGates,
    Effect.gen(function* () {
      const customers = yield* CustomersRepo
      const registrations = yield* RegistrationsRepo
      const texts = yield* AcceptedTextsRepo

      const facts = Effect.fn("ComplianceGates.facts")(function* (
        { branch, head, now, product, state }: GatedBranch,
        steps: ReadonlyArray<Step>
      ) {
        const { complianceGates = [], consents } = product
        const signedTextIds = steps.find((step) => step.signedTextIds !== undefined)?.signedTextIds
        const looksAtHolders =
          steps.some(({ step }) => step === "CONFIRM") ||
          complianceGates.some(({ customerTypes }) => customerTypes !== undefined)
        const ids = inOrder(state.customers).flatMap(([id, { role }]) =>
          role === "POLICYHOLDER" ? [id] : []
        )
        const holders = looksAtHolders ? yield* customers.findMany(ids, { _tag: "Tenant" }) : []
        const sold = { product, branchType: branch.branchType, now, holders }
        const firmId = head.brokerageFirmId
        const looksAtFirm =
          firmId !== null &&
          steps.some(({ step }) => dutiesOf({ ...sold, firm: noFirm }, step).some(isOfRegistration))
        const looksAtTexts = steps.some(({ step }) =>
          consents.some(
            (text) => text.requiredFor === step && signedTextIds?.has(text.textId) !== true
          )
        )
        return {
          ...sold,
          hashOf: sha256,
          accepted: looksAtTexts ? yield* texts.ofBranch(head.id, branch.id) : [],
          ...(signedTextIds === undefined ? {} : { signedTextIds }),
          ...(looksAtFirm ? { firm: { registration: yield* registrations.find(firmId) } } : {})
        }
      })

      const require = Effect.fn("ComplianceGates.require")(function* (
        policy: GatedBranch,
        step: Step
      ) {
        const gates = unmetOf(yield* facts(policy, [step]), step.step)
        if (gates.length > 0) return yield* new ComplianceGateNotMet({ gates })
      })

      return ComplianceGates.of({ facts, require })
    })
  ).pipe(Layer.provide([AcceptedTextsRepo.layer, CustomersRepo.layer, RegistrationsRepo.layer]))
}

const noFirm = { registration: undefined }

const isOfRegistration = ({ kind }: { readonly kind: string }): boolean =>
  kind === "BROKER_REGISTRATION"
