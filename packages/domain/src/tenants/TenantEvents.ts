/** The events of tenants: what the operators of the service do to one. */
import { type EventType, namedRecordEventType } from "../requests/Event.ts"
import { TenantId } from "../requests/Tenancy.ts"

const tenant = { name: "tenant", id: TenantId, subject: (id: string) => `tenant:${id}` }

export const tenantEvents = {
  "tenant.create": namedRecordEventType("tenant.created", tenant),
  "tenant.update": namedRecordEventType("tenant.updated", tenant),
  "tenant.disable": namedRecordEventType("tenant.disabled", tenant),
  "tenant.enable": namedRecordEventType("tenant.enabled", tenant)
} satisfies Record<string, EventType>
