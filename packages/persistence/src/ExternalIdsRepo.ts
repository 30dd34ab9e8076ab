/** Which policy of the tenant an external id belongs to. */
import { DuplicateExternalId, type PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "./TenantSql.ts"

export class ExternalIdsRepo extends Context.Service<
  ExternalIdsRepo,
  {
    /** Fails where one of them belongs to another policy. */
    requireFree(
      policyId: PolicyId,
      externalIds: ReadonlyArray<string>
    ): Effect.Effect<void, DuplicateExternalId, CurrentTenant>
    /** Makes them the policy's own, all or none; who claims one at the same time waits. */
    claim(
      policyId: PolicyId,
      externalIds: ReadonlyArray<string>
    ): Effect.Effect<void, DuplicateExternalId, CurrentTenant>
    /** Gives them back, so that another policy can have them. */
    release(
      policyId: PolicyId,
      externalIds: ReadonlyArray<string>
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/ExternalIdsRepo") {
  static readonly layer = Layer.effect(
    ExternalIdsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const requireFree = Effect.fn("ExternalIdsRepo.requireFree")(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        const tenantId = yield* CurrentTenant
        const taken = yield* Effect.orDie(
          tenantSql.read<{ readonly externalId: string }>(sql`
            SELECT external_id FROM external_id
            WHERE tenant_id = ${tenantId} AND external_id = ANY(${[...externalIds]})
              AND policy_id <> ${policyId}
            ORDER BY external_id LIMIT 1
          `)
        )
        for (const { externalId } of taken) return yield* new DuplicateExternalId({ externalId })
      })

      const insert = Effect.fnUntraced(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO external_id (tenant_id, external_id, policy_id)
          SELECT ${tenantId}, claimed.id, ${policyId}
          FROM unnest(${[...externalIds]}::text[]) AS claimed (id) ORDER BY claimed.id
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const claim = Effect.fn("ExternalIdsRepo.claim")(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        yield* insert(policyId, externalIds)
        yield* requireFree(policyId, externalIds)
      })

      const release = Effect.fn("ExternalIdsRepo.release")(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM external_id WHERE tenant_id = ${tenantId}
            AND external_id = ANY(${[...externalIds]}) AND policy_id = ${policyId}
        `)
      }, Effect.orDie)

      return ExternalIdsRepo.of({ requireFree, claim, release })
    })
  )
}
