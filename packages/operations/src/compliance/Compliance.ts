/** What a branch still needs before it is sold, and texts that are accepted on it. */
import type { AcceptedText } from "@quittance/domain/compliance/AcceptedText"
import type { AcceptText } from "@quittance/domain/compliance/ComplianceRequests"
import { gatesOf } from "@quittance/domain/compliance/Gates"
import { type PolicyCompliance, stepsAhead } from "@quittance/domain/compliance/PolicyCompliance"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type InvalidEffectiveDate,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AcceptedTextsRepo } from "@quittance/persistence/compliance/AcceptedTextsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import type { CommandTarget } from "../policies/Policies.ts"
import type { PolicyFailure } from "../policies/PolicyCommand.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { type BranchRequest, PolicyReader, type ReadFailure } from "../policies/PolicyReader.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"
import { ComplianceGates } from "./ComplianceGates.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Compliance extends Context.Service<
  Compliance,
  {
    /** The gates of the steps that are ahead of a branch. */
    get(
      request: Omit<BranchRequest, "knownAt">
    ): Effect.Effect<PolicyCompliance, Exclude<ReadFailure, InvalidEffectiveDate>, Scoped>
    /** Records that a text of the product is accepted on a branch; what was accepted before stands. */
    accept(
      at: Omit<CommandTarget, "whenAt">,
      input: AcceptText
    ): Effect.Effect<AcceptedText, InvalidReference | PolicyFailure, Scoped>
  }
>()("@quittance/operations/Compliance") {
  static readonly layer = Layer.effect(
    Compliance,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const gates = yield* ComplianceGates
      const log = yield* PolicyLog
      const policies = yield* PoliciesRepo
      const reader = yield* PolicyReader
      const texts = yield* AcceptedTextsRepo

      const get = Effect.fn("Compliance.get")(function* (request: Omit<BranchRequest, "knownAt">) {
        const policy = yield* Effect.catchTag(
          reader.open("compliance.read", request),
          "InvalidEffectiveDate",
          // Only what was known by an instant fails so.
          Effect.die
        )
        const { branch, product } = policy
        const { needs } = product
        const steps = stepsAhead(branch, product)
        const facts = yield* gates.facts(
          policy,
          steps.map((step) => ({ step }))
        )
        return {
          policyId: policy.head.id,
          branchId: branch.id,
          steps: steps.map((step) => ({ step, gates: gatesOf(facts, step) })),
          ...(needs === undefined ? {} : { questionnaire: needs.questionnaire })
        }
      })

      const accept = Effect.fn("Compliance.accept")(function* (
        { branchId, policyId }: Omit<CommandTarget, "whenAt">,
        { textId }: AcceptText
      ) {
        return yield* command.run({
          authorize: policies.authorize("policy.write", policyId, { lock: true }),
          decide: Effect.fnUntraced(function* (authorized) {
            const { branch, now, product } = yield* log.open(authorized, branchId)
            const text = [...product.consents, product.withdrawal?.startRequest].find(
              (consent) => consent?.textId === textId
            )
            if (text === undefined) {
              return yield* new InvalidReference({ field: "textId", value: textId })
            }
            const { id: author } = yield* requestActor
            const { address, userAgent } = yield* CurrentRequest
            const textHash = sha256(text.text)
            const accepted = { policyId, branchId: branch.id, textId, textHash }
            const first = (yield* texts.ofBranch(policyId, branch.id)).find(
              (row) => row.textId === textId && row.textHash === textHash
            )
            if (first !== undefined) return first
            const after = { ...accepted, acceptedAt: now, author }
            yield* texts.insert({ ...after, address, userAgent })
            yield* audit.record({
              action: "text.accept",
              recordId: policyId,
              after,
              businessAt: now
            })
            return after
          })
        })
      })

      return Compliance.of({ get, accept })
    })
  ).pipe(
    Layer.provide([
      AcceptedTextsRepo.layer,
      AuditTrail.layer,
      Command.layer,
      PoliciesRepo.layer,
      PolicyLog.layer,
      PolicyReader.layer,
      ComplianceGates.layer
    ])
  )
}
