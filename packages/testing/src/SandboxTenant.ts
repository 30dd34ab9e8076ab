/** The tenant that tests act for: a sandbox in Paris whose money is the euro. */
import { TenantId } from "@quittance/domain/requests/Tenancy"
import { Tenant } from "@quittance/domain/tenants/Tenant"
import { randomUUID } from "node:crypto"

/** An identifier that no other test has, also in a database that several share. */
export const newTenantId = (): TenantId => TenantId.make(`t-${randomUUID().slice(0, 8)}`)

/** The tenant of an identifier; it is not stored anywhere yet. */
export const sandboxTenant = (id: TenantId = newTenantId(), name: string = id): Tenant =>
  Tenant.make({
    id,
    name,
    environment: "sandbox",
    locale: "fr-FR",
    // A constant of the right form.
    currency: "EUR" as Tenant["currency"],
    timeZone: "Europe/Paris"
  })
