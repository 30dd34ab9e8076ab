import { Page } from "../values/Page.ts"
import { Policy } from "./Policy.ts"

export const PolicyPage = Page(Policy).annotate({ identifier: "PolicyPage" })
/** What policies are ordered by; the newest first unless it is said. */
export const policyOrderKeys = ["createdAt", "startedAt", "lastModifiedAt"] as const
export type PolicyOrderKey = (typeof policyOrderKeys)[number]
