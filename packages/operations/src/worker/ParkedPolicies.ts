/** What the worker has parked: listed for users, and tried again on request. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import * as Page from "@quittance/domain/values/Page"
import {
  type ParkedPolicy,
  PolicyNotParked,
  type RetriedPolicy
} from "@quittance/domain/policies/ParkedPolicy"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { ParkedRepo } from "@quittance/persistence/worker/ParkedRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { DueSteps } from "./DueSteps.ts"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type RetryFailure =
  | AccessFailure
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | PolicyNotParked

export class ParkedPolicies extends Context.Service<
  ParkedPolicies,
  {
    /** What waits the longest first, of the policies that the caller may see the bills of. */
    list(
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<ParkedPolicy>, Forbidden, CurrentTenant | CurrentCaller>
    /** Does at once what waits of a policy, its offers too; what fails again is parked once more. */
    retry(
      policyId: PolicyId
    ): Effect.Effect<RetriedPolicy, RetryFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/ParkedPolicies") {
  static readonly layer = Layer.effect(
    ParkedPolicies,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const due = yield* DueRepo
      const dueSteps = yield* DueSteps
      const grants = yield* GrantsRepo
      const parked = yield* ParkedRepo
      const policies = yield* PoliciesRepo

      const list = Effect.fn("ParkedPolicies.list")(function* (page: Page.PageRequest) {
        const coverage = yield* grants.coverage("billing.read")
        const { rows, total } = yield* parked.list({ coverage, page })
        return Page.make(rows, total, page)
      })

      const retry = Effect.fn("ParkedPolicies.retry")(function* (policyId: PolicyId) {
        return yield* command.run({
          authorize: policies.authorize("billing.write", policyId, { lock: true }),
          decide: Effect.fnUntraced(function* ({ head, now }) {
            const before = yield* parked.find(policyId)
            if (before === undefined) return yield* new PolicyNotParked({ policyId })
            yield* due.retry(policyId, now)
            yield* dueSteps.run([head], now)
            const after = yield* parked.find(policyId)
            const retried: RetriedPolicy =
              after === undefined
                ? { policyId, status: "DONE" }
                : { policyId, status: "PARKED", reason: after.reason }
            yield* audit.record({
              action: "policy.retry",
              recordId: policyId,
              businessAt: now,
              before,
              after: retried
            })
            return retried
          })
        })
      })

      return ParkedPolicies.of({ list, retry })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DueRepo.layer,
      DueSteps.layer,
      GrantsRepo.layer,
      ParkedRepo.layer,
      PoliciesRepo.layer
    ])
  )
}
