/** The key by which a tenant's account numbers are found, sealed under a key of the service. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

export class AccountKeysRepo extends Context.Service<
  AccountKeysRepo,
  {
    readonly find: Effect.Effect<string | undefined, never, CurrentTenant>
    /** Keeps a key where the tenant has none, in the running transaction; answers the one that it has then. */
    add(sealedKey: string): Effect.Effect<string, never, CurrentTenant>
  }
>()("@quittance/persistence/AccountKeysRepo") {
  static readonly layer = Layer.effect(
    AccountKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<{ readonly sealedKey: string }>`
          SELECT sealed_key FROM account_key WHERE tenant_id = ${yield* CurrentTenant}
        `)
        return row?.sealedKey
      }).pipe(Effect.orDie, Effect.withSpan("AccountKeysRepo.find"))

      const add = Effect.fn("AccountKeysRepo.add")(function* (sealedKey: string) {
        const tenantId = yield* CurrentTenant
        // An update of nothing answers the key of the faster writer.
        const [row] = yield* tenantSql.write(sql<{ readonly sealedKey: string }>`
          INSERT INTO account_key (tenant_id, sealed_key) VALUES (${tenantId}, ${sealedKey})
          ON CONFLICT (tenant_id) DO UPDATE SET sealed_key = account_key.sealed_key
          RETURNING sealed_key
        `)
        return row!.sealedKey
      }, Effect.orDie)

      return AccountKeysRepo.of({ find, add })
    })
  )
}
