/** Which policy of the tenant an external id belongs to. */
import { DuplicateExternalId } from "@quittance/domain/policies/Policy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

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

      /** How many of them are the policy's own; fails where one belongs to another policy. */
      const countOwn = Effect.fnUntraced(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        const tenantId = yield* CurrentTenant
        const owned = yield* Effect.orDie(
          tenantSql.read<{ readonly externalId: string; readonly policyId: string }>(sql`
            SELECT external_id, policy_id FROM external_id
            WHERE tenant_id = ${tenantId} AND external_id = ANY(${[...externalIds]})
            ORDER BY external_id
          `)
        )
        const taken = owned.find((row) => row.policyId !== policyId)
        if (taken !== undefined) {
          return yield* new DuplicateExternalId({ externalId: taken.externalId })
        }
        return owned.length
      })

      const requireFree = Effect.fn("ExternalIdsRepo.requireFree")(function* (
        policyId: PolicyId,
        externalIds: ReadonlyArray<string>
      ) {
        yield* countOwn(policyId, externalIds)
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
        const { size } = new Set(externalIds)
        let own = 0
        // What another policy gives back between the two statements is neither its own nor taken.
        while (own < size) {
          yield* insert(policyId, externalIds)
          own = yield* countOwn(policyId, externalIds)
        }
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
