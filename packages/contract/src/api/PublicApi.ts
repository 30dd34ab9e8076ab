import { HttpApi } from "effect/http-api"
import { Account } from "../access/Account.ts"
import { AccountingSummaries } from "../accounting/AccountingSummaries.ts"
import { Assets } from "../assets/Assets.ts"
import { Audit } from "../audit/Audit.ts"
import { BankAccounts } from "../payments/BankAccounts.ts"
import { BankEntries } from "../treasury/BankEntries.ts"
import { BankStatements } from "../treasury/BankStatements.ts"
import { Billing } from "../billing/Billing.ts"
import { Branches } from "../branches/Branches.ts"
import { Clients } from "../access/Clients.ts"
import { PolicyLifecycle } from "../lifecycle/PolicyLifecycle.ts"
import { Compliance } from "../compliance/Compliance.ts"
import { Statements } from "../compliance/Statements.ts"
import { FirmRegistrations } from "../compliance/FirmRegistrations.ts"
import { Customers } from "../customers/Customers.ts"
import { DocumentRequests } from "../documents/DocumentRequests.ts"
import { DocumentTemplates } from "../documents/DocumentTemplates.ts"
import { Documents } from "../documents/Documents.ts"
import { Dunning } from "../dunning/Dunning.ts"
import { Events } from "../events/Events.ts"
import { Firms } from "../access/Firms.ts"
import { Invitations } from "../access/Invitations.ts"
import { parsing } from "../requests/Parsing.ts"
import { Mandates } from "../payments/Mandates.ts"
import { PaymentMethods } from "../payments/PaymentMethods.ts"
import { Payments } from "../payments/Payments.ts"
import { Approvals } from "../payouts/Approvals.ts"
import { Payouts } from "../payouts/Payouts.ts"
import { Debits } from "../collections/Debits.ts"
import { SandboxBank } from "../collections/SandboxBank.ts"
import { PaymentFiles } from "../collections/PaymentFiles.ts"
import { Permissions } from "../access/Permissions.ts"
import { Policies } from "../policies/Policies.ts"
import { Erasures } from "../privacy/Erasures.ts"
import { PrivacyRequests } from "../privacy/PrivacyRequests.ts"
import { Retention } from "../privacy/Retention.ts"
import { Products } from "../products/Products.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { TestClocks } from "../worker/TestClocks.ts"
import { Users } from "../access/Users.ts"
import { WebhookReplays } from "../webhooks/WebhookReplays.ts"
import { Withdrawals } from "../withdrawals/Withdrawals.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"

/** The routes that need a bearer token. Each group adds its own middlewares (`bearer`). */
export class PublicApi extends HttpApi.make("public")
  .add(
    Policies,
    PolicyLifecycle,
    Compliance,
    Statements,
    Withdrawals,
    Branches,
    Customers,
    Assets,
    Quotes,
    AccountingSummaries,
    Billing,
    Dunning,
    Payments,
    PaymentMethods,
    Mandates,
    BankAccounts,
    BankStatements,
    BankEntries,
    Payouts,
    Approvals,
    Debits,
    PaymentFiles,
    SandboxBank,
    Documents,
    DocumentRequests,
    DocumentTemplates,
    Signatures,
    Account,
    Firms,
    FirmRegistrations,
    Users,
    Clients,
    Invitations,
    Permissions,
    Audit,
    Events,
    Webhooks,
    WebhookReplays,
    PrivacyRequests,
    Retention,
    Erasures,
    Products,
    TestClocks
  )
  .annotateMerge(parsing) {}
