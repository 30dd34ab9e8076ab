/** The people, firms and clients that every sandbox has, with public credentials. */
import * as Secret from "@quittance/auth/Secret"
import type { Currency } from "@quittance/domain/values/Amount"
import { ClientId, type Scope, scopeNames, scopes } from "@quittance/domain/requests/Caller"
import type { Client } from "@quittance/domain/access/Client"
import type { Grant } from "@quittance/domain/access/Grant"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { Passwords } from "../tokens/Passwords.ts"
import { Tenants } from "./Tenants.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** The password of every user of a sandbox. */
export const password = "sandbox-password"

/** The tenants of a sandbox. */
export const tenants: ReadonlyArray<Tenant> = [
  { id: TenantId.make("acme"), name: "Acme Assurances" },
  { id: TenantId.make("globex"), name: "Globex Insurance" }
].map(({ id, name }) => ({
  id,
  name,
  environment: "sandbox",
  locale: "fr-FR",
  // A constant of the right form.
  currency: "EUR" as Currency,
  timeZone: "Europe/Paris"
}))

/** What an integration client may be given: neither administration nor what is internal only. */
export const integrationScopes: ReadonlyArray<Scope> = scopeNames.filter(
  (scope) => scope !== "platform/admin" && !scopes[scope].internalOnly
)

/** The clients of a sandbox tenant; the secret of each is its id with `-secret`. */
export const clientsOf = (
  tenant: TenantId
): ReadonlyArray<Pick<Client, "id" | "name" | "scopes">> => [
  { id: ClientId.make(`${tenant}-integration`), name: "Integration", scopes: integrationScopes },
  { id: ClientId.make(`${tenant}-billing`), name: "Billing", scopes: ["platform/billing"] }
]

type Firms = { readonly north: BrokerageFirmId; readonly south: BrokerageFirmId }

const people = [
  ["manager", "Claire", "Martin", undefined, "TENANT_MANAGER"],
  ["north", "Nora", "Lambert", "north", "BROKER"],
  ["south", "Samuel", "Costa", "south", "BROKER"],
  ["auditor", "Alice", "Bernard", undefined, "AUDITOR"]
] as const

/** The users of a sandbox tenant, by the address they sign in with. */
export const usersOf = (tenant: TenantId): ReadonlyArray<string> =>
  people.map(([name]) => `${name}@${tenant}.test`)

export class Sandbox extends Context.Service<
  Sandbox,
  {
    /**
     * Makes a sandbox tenant with all that is its own, `extra` included, in one transaction; does
     * nothing when the tenant is there. Keys are not part of it: see `AuthorizationServerKeys.ensure`.
     */
    seedTenant<E, R>(
      tenant: Tenant,
      extra: Effect.Effect<void, E, R>
    ): Effect.Effect<void, E, Exclude<R, CurrentTenant>>
  }
>()("@quittance/operations/Sandbox") {
  static readonly layer = Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const tenants = yield* Tenants
      const directory = yield* TenantsRepo
      const clients = yield* ClientsRepo
      const firms = yield* FirmsRepo
      const users = yield* UsersRepo
      const grants = yield* GrantsRepo
      const passwords = yield* Passwords
      const ids = yield* Ids

      const addClients = Effect.fnUntraced(function* (tenant: TenantId) {
        for (const client of clientsOf(tenant)) {
          yield* clients.insert({
            ...client,
            kind: "CONFIDENTIAL",
            internal: false,
            grantTypes: ["client_credentials"],
            redirectUris: []
          })
        }
        const admin = ClientId.make(`${tenant}-admin`)
        for (const id of [...clientsOf(tenant).map(({ id }) => id), admin]) {
          yield* clients.putSecret(id, 1, Secret.hash(`${id}-secret`))
        }
      })

      const addFirm = Effect.fnUntraced(function* (name: string) {
        const id = ids.next("brokerage_firm")
        yield* Effect.orDie(firms.insert({ id, name, firmType: "RETAIL" }))
        return id
      })

      const addPeople = Effect.fnUntraced(function* (
        tenant: TenantId,
        { north, south }: Firms,
        passwordHash: Redacted.Redacted
      ) {
        for (const [name, firstName, lastName, firm, role] of people) {
          const brokerageFirmId = firm === "north" ? north : firm === "south" ? south : undefined
          const id = ids.next("user")
          const email = `${name}@${tenant}.test`
          const user = { id, email, firstName, lastName }
          yield* Effect.orDie(
            users.insert(
              brokerageFirmId === undefined
                ? user
                : { ...user, brokerageFirmId, brokerRole: "BROKER" },
              passwordHash
            )
          )
          const on: Grant["on"] =
            brokerageFirmId === undefined ? { kind: "TENANT" } : { kind: "FIRM", brokerageFirmId }
          yield* grants.give(id, { role, on })
        }
      })

      const seedTenant = Effect.fn("Sandbox.seedTenant")(function* <E, R>(
        tenant: Tenant,
        extra: Effect.Effect<void, E, R>
      ) {
        if ((yield* directory.find(tenant.id)) !== undefined) return
        const passwordHash = yield* passwords
          .hash(Redacted.make(password))
          .pipe(Effect.provideService(CurrentTenant, tenant.id))
        const seed = Effect.gen(function* () {
          yield* tenants.create(tenant)
          yield* addClients(tenant.id)
          const north = yield* addFirm("North Brokers")
          const south = yield* addFirm("South Brokers")
          yield* addPeople(tenant.id, { north, south }, passwordHash)
          yield* extra
        })
        yield* tenantSql.transaction(seed).pipe(
          // Another process was faster; it made the whole of it.
          Effect.catchTag("TenantTaken", () => Effect.void),
          Effect.provideService(CurrentTenant, tenant.id)
        )
      })

      return Sandbox.of({ seedTenant })
    })
  ).pipe(
    Layer.provide([
      ClientsRepo.layer,
      FirmsRepo.layer,
      GrantsRepo.layer,
      Passwords.layer,
      Tenants.layer,
      TenantsRepo.layer,
      UsersRepo.layer
    ])
  )
}
