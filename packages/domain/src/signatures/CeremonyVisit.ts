/** What the hosted page shows to who has a signer's link. */
import type { Tenant } from "../tenants/Tenant.ts"
import type { Instant } from "../values/Instant.ts"
import type { Ceremony } from "./Ceremony.ts"
import type { SignatureStatus } from "./SignatureLifecycle.ts"
import type { RequestedSigner } from "./Signer.ts"

export interface VisitedDocument {
  readonly documentId: string
  readonly title: string
  readonly pages: number
  /** Whether the signer has read it to its last byte. */
  readonly isShown: boolean
}

export interface CeremonyVisit {
  /** Who asks. */
  readonly tenant: Tenant
  readonly status: SignatureStatus
  readonly signer: RequestedSigner
  readonly policyNumber: number
  readonly message?: string | undefined
  readonly expiresAt: Instant
  /** Empty, as the texts are, before the signer begins and after the end. */
  readonly documents: ReadonlyArray<VisitedDocument>
  readonly texts: Ceremony["texts"]
  readonly isCodeSent: boolean
}
