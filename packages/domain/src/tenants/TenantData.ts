/** Tables of tenants: none is about a person. */
import type { DataMap } from "../values/PersonalData.ts"

export const tenantData = {
  tenant: {
    class: "NONE",
    none: "tenant_id name environment locale currency time_zone test_clock created_at notice_dispatch second_factor_required disabled_at event_epoch"
  },
  due_tenant: { class: "NONE", none: "tenant_id next_due_at" },
  due_item: {
    class: "NONE",
    none: "tenant_id kind record_id due_at claim claimed_until attempts reason"
  },
  migration: { class: "NONE", none: "migration_id created_at name" }
} satisfies DataMap
