/** How signatures end by themselves: in time, and because what was to be signed has changed. */
import { jobName } from "@quittance/domain/requests/Actor"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { outdatedBranches } from "@quittance/domain/signatures/SignedContent"
import { SignatureId } from "@quittance/domain/values/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { SignatureRequestsRepo } from "@quittance/persistence/signatures/SignatureRequestsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { OpenSignatures } from "../policies/FollowUp.ts"
import type { Actor } from "../requests/Actor.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { EvidenceLog } from "./EvidenceLog.ts"

const worker: Actor = { kind: "JOB", id: jobName, requestId: jobName }

/** What follows by itself comes from no address and no program. */
const nowhere = { address: "", userAgent: "" }

/** Ends signatures that were not signed in time. */
export class SignatureExpiry extends Context.Service<SignatureExpiry, DueItemHandler>()(
  "@quittance/operations/SignatureExpiry"
) {
  static readonly layer = Layer.effect(
    SignatureExpiry,
    Effect.gen(function* () {
      const evidence = yield* EvidenceLog
      const policies = yield* PoliciesRepo
      const repo = yield* SignatureRequestsRepo
      const tenantSql = yield* TenantSql

      const expire = Effect.fnUntraced(function* (id: SignatureId) {
        const { policyId } = yield* Effect.orDie(repo.place(id))
        const { now } = yield* policies.hold(policyId)
        const signature = yield* repo.find(id)
        const { expiresAt, status } = signature
        if (status !== "OPEN" || expiresAt === undefined || expiresAt > now) return
        yield* repo.end({ id, status: "EXPIRED", at: now })
        yield* evidence.addBy(
          signature,
          { action: "signature.expire", facts: [{ kind: "EXPIRED" }], now },
          { actor: worker, ...nowhere }
        )
      })

      return SignatureExpiry.of({
        kind: "expireSignatures",
        run: (recordId) =>
          Effect.as(tenantSql.transaction(expire(SignatureId.make(recordId))), "DONE" as const)
      })
    })
  ).pipe(Layer.provide([EvidenceLog.layer, PoliciesRepo.layer, SignatureRequestsRepo.layer]))
}

/** Voids signatures of branches that a command has changed, in its transaction. */
export const layerOpenSignatures = Layer.effect(
  OpenSignatures,
  Effect.gen(function* () {
    const evidence = yield* EvidenceLog
    const repo = yield* SignatureRequestsRepo

    const outdate = Effect.fn("OpenSignatures.outdate")(function* (
      before: PolicyAggregate,
      after: PolicyAggregate,
      by: { readonly actor: Actor; readonly command: string }
    ) {
      const changed = outdatedBranches(before, after)
      if (changed.size === 0) return
      const { actor, command: reason } = by
      for (const signature of yield* repo.open(before.head.id)) {
        if (!changed.has(signature.branchId)) continue
        const { now } = after
        yield* repo.end({ id: signature.id, status: "VOID", at: now, reason })
        yield* evidence.addBy(
          signature,
          { action: "signature.void", facts: [{ kind: "VOIDED", reason }], now },
          { actor, ...nowhere }
        )
      }
    })

    return OpenSignatures.of({ outdate })
  })
).pipe(Layer.provide([EvidenceLog.layer, SignatureRequestsRepo.layer]))
