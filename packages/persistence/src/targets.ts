/** What records of every area belong to. An area whose records may be named in a grant adds its line. */
import { accessTargets } from "./access/AccessTargets.ts"
import { RecordTargets } from "./access/RecordTargets.ts"
import { assetTargets } from "./assets/AssetTargets.ts"
import { collectionTargets } from "./collections/CollectionTargets.ts"
import { documentTargets } from "./documents/DocumentTargets.ts"
import { invoiceTargets } from "./billing/InvoiceTargets.ts"
import { complianceTargets } from "./compliance/ComplianceTargets.ts"
import { customerTargets } from "./customers/CustomerTargets.ts"
import { paymentTargets } from "./payments/PaymentTargets.ts"
import { payoutTargets } from "./payouts/PayoutTargets.ts"
import { policyTargets } from "./policies/PolicyTargets.ts"
import { signatureTargets } from "./signatures/SignatureTargets.ts"
import { withdrawalTargets } from "./withdrawals/WithdrawalTargets.ts"

export const layer = RecordTargets.layerOf([
  accessTargets,
  policyTargets,
  assetTargets,
  invoiceTargets,
  customerTargets,
  paymentTargets,
  payoutTargets,
  collectionTargets,
  documentTargets,
  signatureTargets,
  complianceTargets,
  withdrawalTargets
])
