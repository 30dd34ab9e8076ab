/**
 * The data map: each column of each table, with what it holds about a person. A test holds it against the
 * catalogue of a migrated database. `pnpm generate` writes this file.
 */
import { accessData } from "./access/AccessData.ts"
import { accountingData } from "./accounting/AccountingData.ts"
import { assetData } from "./assets/AssetData.ts"
import { auditData } from "./audit/AuditData.ts"
import { authorizationServerData } from "./authorization-server/AuthorizationServerData.ts"
import { billingData } from "./billing/BillingData.ts"
import { collectionData } from "./collections/CollectionData.ts"
import { complianceData } from "./compliance/ComplianceData.ts"
import { contentData } from "./contents/ContentData.ts"
import { customerData } from "./customers/CustomerData.ts"
import { documentData } from "./documents/DocumentData.ts"
import { dunningData } from "./dunning/DunningData.ts"
import { eventData } from "./events/EventData.ts"
import { paymentData } from "./payments/PaymentData.ts"
import { payoutData } from "./payouts/PayoutData.ts"
import { policyData } from "./policies/data/PolicyData.ts"
import { privacyData } from "./privacy/PrivacyData.ts"
import { productData } from "./products/data/ProductData.ts"
import { requestData } from "./requests/RequestData.ts"
import { sessionData } from "./sessions/SessionData.ts"
import { signatureData } from "./signatures/SignatureData.ts"
import { tenantData } from "./tenants/TenantData.ts"
import { tokenData } from "./tokens/TokenData.ts"
import { treasuryData } from "./treasury/TreasuryData.ts"
import { webhookData } from "./webhooks/WebhookData.ts"
import { withdrawalData } from "./withdrawals/WithdrawalData.ts"
import { workerData } from "./worker/WorkerData.ts"
import type { DataMap } from "./values/PersonalData.ts"

/** Every table, by the file that describes it. */
export const dataMaps: Readonly<Record<string, DataMap>> = {
  "access/AccessData.ts": accessData,
  "accounting/AccountingData.ts": accountingData,
  "assets/AssetData.ts": assetData,
  "audit/AuditData.ts": auditData,
  "authorization-server/AuthorizationServerData.ts": authorizationServerData,
  "billing/BillingData.ts": billingData,
  "collections/CollectionData.ts": collectionData,
  "compliance/ComplianceData.ts": complianceData,
  "contents/ContentData.ts": contentData,
  "customers/CustomerData.ts": customerData,
  "documents/DocumentData.ts": documentData,
  "dunning/DunningData.ts": dunningData,
  "events/EventData.ts": eventData,
  "payments/PaymentData.ts": paymentData,
  "payouts/PayoutData.ts": payoutData,
  "policies/data/PolicyData.ts": policyData,
  "privacy/PrivacyData.ts": privacyData,
  "products/data/ProductData.ts": productData,
  "requests/RequestData.ts": requestData,
  "sessions/SessionData.ts": sessionData,
  "signatures/SignatureData.ts": signatureData,
  "tenants/TenantData.ts": tenantData,
  "tokens/TokenData.ts": tokenData,
  "treasury/TreasuryData.ts": treasuryData,
  "webhooks/WebhookData.ts": webhookData,
  "withdrawals/WithdrawalData.ts": withdrawalData,
  "worker/WorkerData.ts": workerData
}
