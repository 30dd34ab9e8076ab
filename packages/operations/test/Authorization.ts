/** What tests of the authorization servers stand on: a database, addresses, a key of the service. */
import * as Targets from "@quittance/persistence/targets"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect, Layer } from "effect"
import { AuthorizationServerKeys } from "../src/tokens/SigningKeys.ts"
import { KeyEncryption } from "../src/tokens/KeyEncryption.ts"
import { Issuers } from "../src/tokens/Issuers.ts"
import { Sandbox } from "../src/provisioning/Sandbox.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export const TestLayer = Layer.mergeAll(AuthorizationServerKeys.layer, Sandbox.layer).pipe(
  Layer.provideMerge(
    Issuers.layerOf("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
  ),
  Layer.provideMerge([Targets.layer, KeyEncryption.layerOf(new Uint8Array(32).fill(7))]),
  Layer.provideMerge(PgTest.layer)
)

/** Runs the effect as a sandbox tenant of its own, with its people, clients and key. */
export const inSandbox = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const tenant = sandboxTenant()
  return Effect.gen(function* () {
    yield* Sandbox.use((sandbox) => sandbox.seedTenant(tenant, Effect.void))
    yield* AuthorizationServerKeys.use((keys) => keys.ensure)
    return yield* effect
  }).pipe(Effect.provideService(CurrentTenant, tenant.id))
}

export const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))
