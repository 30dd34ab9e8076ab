import * as Secret from "@quittance/auth/Secret"
import { ClientId } from "@quittance/domain/requests/Caller"
import { firstPartyClientId, loopbackRedirectUri } from "@quittance/domain/access/Client"
import { type Tenant, TenantNotFound, TenantTaken } from "@quittance/domain/tenants/Tenant"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The client that can do everything else, and its secret, which is not stored anywhere. */
export interface AdminClient {
  readonly clientId: ClientId
  readonly clientSecret: Redacted.Redacted
}

export class Tenants extends Context.Service<
  Tenants,
  {
    /**
     * Makes a tenant with a client for its administrator (`<tenant>-admin`, scope `platform/admin`)
     * and the public client of the command line. Signing needs `AuthorizationServerKeys.ensure`.
     */
    create(tenant: Tenant): Effect.Effect<AdminClient, TenantTaken>
    /**
     * Disables the current tenant, or enables it again; whether that changes anything. Running programs
     * follow within a second. Disabled it is as if it weren't there: it gets no token, no request is
     * served, no letter leaves and nothing that falls due is done. Its time goes on: once it is enabled
     * the worker does what fell due meanwhile.
     */
    setDisabled(disabled: boolean): Effect.Effect<boolean, TenantNotFound, CurrentTenant>
  }
>()("@quittance/operations/Tenants") {
  static readonly layer = Layer.effect(
    Tenants,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const tenantSql = yield* TenantSql
      const tenants = yield* TenantsRepo
      const clients = yield* ClientsRepo
      const random = yield* SecureRandom.SecureRandom

      const create = Effect.fn("Tenants.create")(function* (tenant: Tenant) {
        const secret = Secret.make(yield* random.randomBytes(Secret.secretBytes))
        const admin = { ...adminClient, id: ClientId.make(`${tenant.id}-admin`) }
        const store = Effect.gen(function* () {
          if (!(yield* tenants.insert(tenant))) return yield* new TenantTaken({ tenant: tenant.id })
          yield* clients.insert(admin)
          yield* clients.putSecret(admin.id, 1, Secret.hash(secret))
          yield* clients.insert(commandLine)
          yield* audit.recordAll(actorOf(operator, "operator"), [
            { action: "tenant.create", recordId: tenant.id, after: tenant },
            { action: "client.create", recordId: admin.id, after: admin },
            { action: "client.create", recordId: commandLine.id, after: commandLine }
          ])
        })
        yield* tenantSql.transaction(store).pipe(Effect.provideService(CurrentTenant, tenant.id))
        return { clientId: admin.id, clientSecret: Redacted.make(secret) }
      })

      const setDisabled = Effect.fn("Tenants.setDisabled")(function* (disabled: boolean) {
        const changed = yield* tenants.setDisabled(disabled)
        if (changed === undefined) return yield* new TenantNotFound({})
        const action = disabled ? "tenant.disable" : "tenant.enable"
        const write = { action, recordId: yield* CurrentTenant }
        if (changed) yield* audit.recordAll(actorOf(operator, "operator"), [write])
        return changed
      }, tenantSql.transaction)

      return Tenants.of({ create, setDisabled })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      ClientsRepo.layer,
      TenantsRepo.layer,
      SecureRandom.layerWebCrypto
    ])
  )
}

const adminClient = {
  name: "Administration",
  kind: "CONFIDENTIAL",
  internal: false,
  scopes: ["platform/admin"],
  grantTypes: ["client_credentials"],
  redirectUris: []
} as const

const commandLine = {
  id: firstPartyClientId,
  name: "Quittance on your computer",
  kind: "PUBLIC",
  internal: true,
  scopes: [],
  grantTypes: ["authorization_code", "refresh_token"],
  redirectUris: [loopbackRedirectUri]
} as const
