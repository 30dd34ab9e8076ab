/** Repositories of the authorization servers on a database, and a tenant with people for each test. */
import { ClientId, CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { Effect, Layer, Redacted } from "effect"
import { AnonymousSessionsRepo } from "../src/access/AnonymousSessionsRepo.ts"
import { AuthorizationCodesRepo } from "../src/tokens/AuthorizationCodesRepo.ts"
import { ClientsRepo } from "../src/access/ClientsRepo.ts"
import { FirmsRepo } from "../src/access/FirmsRepo.ts"
import { GrantsRepo } from "../src/access/GrantsRepo.ts"
import { Ids } from "../src/sql/Ids.ts"
import { RefreshTokensRepo } from "../src/tokens/RefreshTokensRepo.ts"
import { RevocationsRepo } from "../src/tokens/RevocationsRepo.ts"
import { SigningKeysRepo } from "../src/tokens/SigningKeysRepo.ts"
import { TenantSql } from "../src/sql/TenantSql.ts"
import { TenantsRepo } from "../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { UsersRepo } from "../src/access/UsersRepo.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export const TestLayer = Layer.mergeAll(
  AnonymousSessionsRepo.layer,
  AuthorizationCodesRepo.layer,
  ClientsRepo.layer,
  FirmsRepo.layer,
  GrantsRepo.layer,
  RefreshTokensRepo.layer,
  RevocationsRepo.layer,
  SigningKeysRepo.layer,
  TenantsRepo.layer,
  UsersRepo.layer
).pipe(Layer.provideMerge(PgTest.layer))

/** Runs a test as a new tenant of its own. */
export const inTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const tenant = sandboxTenant()
  return Effect.gen(function* () {
    yield* inTransaction(TenantsRepo.use((repo) => repo.insert(tenant)))
    return yield* effect
  }).pipe(Effect.provideService(CurrentTenant, tenant.id))
}

export const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))

export const addFirm = Effect.fn(function* (name: string, parent?: BrokerageFirmId) {
  const id = (yield* Ids).next("brokerage_firm")
  const firm = { id, name, firmType: "RETAIL" as const }
  yield* inTransaction(
    FirmsRepo.use((repo) =>
      repo.insert(parent === undefined ? firm : { ...firm, parentBrokerageFirmId: parent })
    )
  )
  return id
})

export const addUser = Effect.fn(function* (email: string) {
  const id = (yield* Ids).next("user")
  const user = { id, email, firstName: "Ada", lastName: "Byron" }
  yield* inTransaction(
    UsersRepo.use((repo) => repo.insert(user, Redacted.make("$argon2id$v=19$m=1,t=1,p=1$x$x")))
  )
  return id
})

export const addClient = Effect.fn(function* (id: string) {
  const client = {
    id: ClientId.make(id),
    name: id,
    kind: "PUBLIC" as const,
    internal: false,
    scopes: [],
    grantTypes: ["authorization_code", "refresh_token"] as const,
    redirectUris: ["http://127.0.0.1/callback"]
  }
  yield* inTransaction(ClientsRepo.use((repo) => repo.insert(client)))
  return client.id
})

export const as = (userId: UserId) =>
  Effect.provideService(CurrentCaller, { _tag: "User", userId } as const)

export const give = (userId: UserId, grant: Grant) =>
  inTransaction(GrantsRepo.use((repo) => repo.give(userId, grant)))
