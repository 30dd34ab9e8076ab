import { Layer } from "effect"
import { AccountHandlers } from "./Account.ts"
import { AccountingSummariesHandlers } from "./AccountingSummaries.ts"
import { ApprovalsHandlers } from "./Approvals.ts"
import { AssetsHandlers } from "./Assets.ts"
import { AuditHandlers } from "./Audit.ts"
import { BankAccountsHandlers } from "./BankAccounts.ts"
import { BankEntriesHandlers } from "./BankEntries.ts"
import { BankStatementsHandlers } from "./BankStatements.ts"
import { BillingHandlers } from "./Billing.ts"
import { BranchesHandlers } from "./Branches.ts"
import { ClientsHandlers } from "./Clients.ts"
import { ContractsHandlers } from "./PolicyLifecycle.ts"
import { ComplianceHandlers } from "./Compliance.ts"
import { CustomersHandlers } from "./Customers.ts"
import { EventsHandlers } from "./Events.ts"
import { FirmRegistrationsHandlers } from "./FirmRegistrations.ts"
import { FirmsHandlers } from "./Firms.ts"
import { DebitsHandlers } from "./Debits.ts"
import { PaymentFilesHandlers } from "./PaymentFiles.ts"
import { DocumentsHandlers } from "./Documents.ts"
import { DocumentRequestsHandlers } from "./DocumentRequests.ts"
import { DocumentTemplatesHandlers } from "./DocumentTemplates.ts"
import { DunningHandlers } from "./Dunning.ts"
import { InvitationsHandlers } from "./Invitations.ts"
import { MandatesHandlers } from "./Mandates.ts"
import { PaymentMethodsHandlers } from "./PaymentMethods.ts"
import { PaymentsHandlers } from "./Payments.ts"
import { PayoutsHandlers } from "./Payouts.ts"
import { PermissionsHandlers } from "./Permissions.ts"
import { PoliciesHandlers } from "./Policies.ts"
import { ErasuresHandlers } from "./Erasures.ts"
import { PrivacyRequestsHandlers } from "./PrivacyRequests.ts"
import { RetentionHandlers } from "./Retention.ts"
import { ProductsHandlers } from "./Products.ts"
import { QuotesHandlers } from "./Quotes.ts"
import { SignaturesHandlers } from "./Signatures.ts"
import { StatementsHandlers } from "./Statements.ts"
import { SandboxBankHandlers } from "./SandboxBank.ts"
import { TestClocksHandlers } from "./TestClocks.ts"
import { UsersHandlers } from "./Users.ts"
import { WebhookReplaysHandlers } from "./WebhookReplays.ts"
import { WebhooksHandlers } from "./Webhooks.ts"
import { WithdrawalsHandlers } from "./Withdrawals.ts"

/** What serves each group of the contract. */
export const Handlers = Layer.mergeAll(
  AccountHandlers,
  AccountingSummariesHandlers,
  ApprovalsHandlers,
  AssetsHandlers,
  AuditHandlers,
  BankAccountsHandlers,
  BankEntriesHandlers,
  BankStatementsHandlers,
  BillingHandlers,
  BranchesHandlers,
  ClientsHandlers,
  ComplianceHandlers,
  ContractsHandlers,
  CustomersHandlers,
  DebitsHandlers,
  PaymentFilesHandlers,
  SandboxBankHandlers,
  DocumentRequestsHandlers,
  DocumentTemplatesHandlers,
  DocumentsHandlers,
  DunningHandlers,
  EventsHandlers,
  FirmRegistrationsHandlers,
  FirmsHandlers,
  InvitationsHandlers,
  MandatesHandlers,
  PaymentMethodsHandlers,
  PaymentsHandlers,
  PayoutsHandlers,
  PermissionsHandlers,
  PoliciesHandlers,
  PrivacyRequestsHandlers,
  RetentionHandlers,
  ErasuresHandlers,
  ProductsHandlers,
  QuotesHandlers,
  SignaturesHandlers,
  StatementsHandlers,
  TestClocksHandlers,
  UsersHandlers,
  WebhookReplaysHandlers,
  WebhooksHandlers,
  WithdrawalsHandlers
)
