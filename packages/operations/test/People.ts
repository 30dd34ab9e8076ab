/** People of a tenant with grants of all sorts, for tests of what they may do. */
import { ClientId, type UserId } from "@quittance/domain/requests/Caller"
import { CustomRoleId, type Grant } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RolesRepo } from "@quittance/persistence/access/RolesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Effect, Layer, Redacted } from "effect"
import { Permissions } from "../src/access/Permissions.ts"
import { Policies } from "../src/policies/Policies.ts"
import { Roles } from "../src/access/Roles.ts"
import * as World from "./World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

export const TestLayer = Layer.mergeAll(
  Permissions.layer,
  Policies.layer,
  Roles.layer,
  RolesRepo.layer
).pipe(Layer.provideMerge(World.layer))

export const desk = CustomRoleId.make("CLAIMS_DESK")
export const onTenant = { kind: "TENANT" } as const
export const onFirm = (brokerageFirmId: BrokerageFirmId) =>
  ({ kind: "FIRM", brokerageFirmId }) as const
export const client = {
  _tag: "Client",
  clientId: ClientId.make("c"),
  scopes: new Set<never>()
} as const
export const unknownUser = `user_test_${alphabet.slice(0, suffixLength)}` as UserId

/** Another person of the tenant, of a firm or of none, with these grants. */
export const person = Effect.fnUntraced(function* (
  { tenant }: World.World,
  grants: ReadonlyArray<Grant>,
  brokerageFirmId?: BrokerageFirmId
) {
  const ids = yield* Ids
  const users = yield* UsersRepo
  const repo = yield* GrantsRepo
  const sql = yield* TenantSql
  const id = ids.next("user")
  const user = { id, email: `${id}@example.test`, firstName: "Ada", lastName: "Test" }
  yield* Effect.andThen(
    users.insert(
      brokerageFirmId === undefined ? user : { ...user, brokerageFirmId },
      Redacted.make("$argon2id$none")
    ),
    repo.giveAll(id, grants)
  ).pipe(sql.transaction, Effect.orDie, Effect.provideService(CurrentTenant, tenant))
  return { _tag: "User", userId: id } as const
})

export const grantsOf = ({ tenant }: World.World, { userId }: { readonly userId: UserId }) =>
  GrantsRepo.use((repo) => repo.of(userId)).pipe(Effect.provideService(CurrentTenant, tenant))

export const defineDesk = ({ tenant }: World.World, actions: ReadonlyArray<Action>) =>
  Effect.gen(function* () {
    const roles = yield* RolesRepo
    const sql = yield* TenantSql
    yield* sql.transaction(roles.put({ id: desk, name: "Claims desk", actions }))
  }).pipe(Effect.provideService(CurrentTenant, tenant))
