/** Policies that the worker has put aside. */
import { personal, policyIn, type DataMap } from "../values/PersonalData.ts"

export const workerData = {
  parked: {
    class: "CONTRACT",
    subject: policyIn("policy_id"),
    none: "tenant_id policy_id at",
    personal: { reason: personal("FREE_TEXT", "DELETE") }
  }
} satisfies DataMap
