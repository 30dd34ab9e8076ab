/** Assets themselves; their fields are in the log of the policy. */
import { policyIn, type DataMap } from "../values/PersonalData.ts"

export const assetData = {
  asset: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id id policy_id created_at last_modified_at"
  }
} satisfies DataMap
