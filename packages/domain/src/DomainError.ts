/**
 * The failures that a command may answer as a rule of the domain. They can be stored and given again
 * when the command is repeated, so each has to be listed here.
 */
import { Schema } from "effect"
import { AssetAlreadyStopped, AssetNotFound } from "./assets/Asset.ts"
import {
  BranchClosed,
  BranchConflict,
  BranchNotFound,
  BranchRequired,
  InvalidBranch
} from "./policies/Branch.ts"
import { ChangeHasDependents, ChangeNotFound, ChangeNotRevertible } from "./policies/Change.ts"
import {
  ClientIdTaken,
  ClientNotFound,
  ClientSecretNotFound,
  InternalScope,
  LastSecret,
  TooManySecrets
} from "./access/Client.ts"
import {
  DeviationNotPossible,
  StatementIncomplete,
  StatementNotFound
} from "./compliance/Statement.ts"
import {
  CorrectionRefused,
  DocumentNotShown,
  NameMismatch,
  NotYourTurn,
  OtpInvalid,
  OtpLocked,
  RemindedLately,
  SignatureClosed,
  SignatureNotRequested,
  SignatureOpen,
  SignedDocumentsPending,
  SignerIncomplete,
  SignerNotFound
} from "./signatures/SignatureErrors.ts"
import { EvidenceNotReady } from "./signatures/EvidenceFile.ts"
import { FileNotVerifiable } from "./signatures/Verification.ts"
import { WithdrawalNotFound, WithdrawalOver } from "./withdrawals/Withdrawal.ts"
import { ComplianceGateNotMet, SignatureRequired } from "./policies/Compliance.ts"
import { CustomerAlreadyOnPolicy, CustomerNeeded, CustomerNotFound } from "./customers/Customer.ts"
import { InvalidPaymentMethod } from "./customers/InvalidPaymentMethod.ts"
import { DebitNotFound, DebitNotRetriable } from "./collections/Debit.ts"
import { PaymentFileNotFound } from "./collections/PaymentFile.ts"
import { DerogationRequired } from "./products/Derogation.ts"
import { StopNotPossible } from "./lifecycle/StopRules.ts"
import { HoldNotFound, TerminationNotPossible } from "./dunning/Dunning.ts"
import { CertificateNotAvailable } from "./documents/CertificateNotAvailable.ts"
import { DocumentErased, DocumentNotFound, DocumentNotReady } from "./documents/Document.ts"
import {
  DocumentLinkExpired,
  DocumentLinkNotFound,
  TooManyDocumentLinks
} from "./documents/DocumentLink.ts"
import {
  DocumentRequestClosed,
  DocumentRequestNotFound
} from "./documents/requests/DocumentRequest.ts"
import { InvalidTemplate, TemplateInUse, TemplateNotFound } from "./documents/TemplateVersions.ts"
import { UploadRejected } from "./documents/Upload.ts"
import { FirmTreeTooDeep } from "./access/Firm.ts"
import { LastManager } from "./access/Grant.ts"
import { InvitationClosed, InvitationNotFound } from "./access/Invitation.ts"
import { InvoiceNotFound } from "./billing/Invoice.ts"
import { RetentionDuty } from "./privacy/Erasing.ts"
import { IdentityNotProven, PrivacyRequestNotFound } from "./privacy/PrivacyRequest.ts"
import { RetentionHeld, RetentionHoldNotFound } from "./privacy/RetentionHold.ts"
import { InvalidRetention } from "./privacy/RetentionSettings.ts"
import { PolicyNotParked } from "./policies/ParkedPolicy.ts"
import { SamePerson } from "./access/Authority.ts"
import { ApprovalNotFound } from "./payouts/Approval.ts"
import { NotScreened, PayoutNotFound } from "./payouts/Payout.ts"
import { BankAccountNotFound } from "./payments/BankAccount.ts"
import { DuplicateMandateReference, MandateNotFound } from "./payments/MandateRecord.ts"
import { InvalidBankFile } from "./payments/BankFile.ts"
import { PaymentNotFound } from "./payments/Payment.ts"
import { MandateNotUsable } from "./payments/MandateNotUsable.ts"
import { NoCollectingAccount } from "./payments/PaymentInstructions.ts"
import { PaymentMethodNotFound } from "./payments/PaymentMethod.ts"
import { BankEntryNotFound, InvalidAllocation } from "./treasury/BankEntry.ts"
import { BankStatementNotFound, StatementOfOtherAccount } from "./treasury/BankStatement.ts"
import {
  DuplicateExternalId,
  InvalidBillingAssignment,
  InvalidStopReason,
  PolicyNotFound
} from "./policies/Policy.ts"
import { InvalidProduct, InvalidRole, UnknownProduct } from "./products/Product.ts"
import { InvalidCustomField } from "./products/ProductFields.ts"
import { QuoteNotFound, QuoteOutdated } from "./products/Quote.ts"
import {
  Conflict,
  InvalidAmount,
  InvalidEffectiveDate,
  InvalidReference,
  InvalidRequest,
  InvalidTransition
} from "./requests/RequestErrors.ts"
import { RoleInUse, RoleNotFound } from "./access/Role.ts"
import { SignatureNotFound } from "./signatures/Signature.ts"
import { SignInNotFound } from "./tokens/SignIn.ts"
import { EmailTaken, OwnAccount } from "./access/User.ts"
import { InvalidInvoicingConfig } from "./products/InvoicingConfig.ts"
import { UnknownEventType } from "./events/EventFilter.ts"
import {
  InvalidWebhookUrl,
  LastWebhookSecret,
  TooManyWebhooks,
  WebhookNotFound,
  WebhookSecretNotFound
} from "./webhooks/Webhook.ts"
import { ReplayNotFound, TooManyReplays, WebhookDisabled } from "./webhooks/WebhookReplay.ts"

export const DomainError = Schema.Union([
  ApprovalNotFound,
  NotScreened,
  PayoutNotFound,
  SamePerson,
  AssetAlreadyStopped,
  AssetNotFound,
  BankAccountNotFound,
  BankEntryNotFound,
  BankStatementNotFound,
  BranchClosed,
  BranchConflict,
  BranchNotFound,
  BranchRequired,
  ChangeHasDependents,
  ChangeNotFound,
  ChangeNotRevertible,
  ClientIdTaken,
  ClientNotFound,
  ClientSecretNotFound,
  ComplianceGateNotMet,
  Conflict,
  CustomerAlreadyOnPolicy,
  CustomerNeeded,
  CustomerNotFound,
  DebitNotFound,
  DebitNotRetriable,
  PaymentFileNotFound,
  DerogationRequired,
  CertificateNotAvailable,
  DocumentErased,
  DocumentRequestClosed,
  DocumentRequestNotFound,
  DocumentLinkExpired,
  DocumentLinkNotFound,
  TooManyDocumentLinks,
  DocumentNotFound,
  DocumentNotReady,
  DuplicateExternalId,
  DuplicateMandateReference,
  DeviationNotPossible,
  EmailTaken,
  FirmTreeTooDeep,
  HoldNotFound,
  RetentionDuty,
  RetentionHeld,
  InvalidRetention,
  RetentionHoldNotFound,
  IdentityNotProven,
  PrivacyRequestNotFound,
  InternalScope,
  InvalidAllocation,
  InvalidAmount,
  InvalidBankFile,
  InvalidBillingAssignment,
  InvalidBranch,
  InvalidCustomField,
  InvalidEffectiveDate,
  InvalidInvoicingConfig,
  InvalidPaymentMethod,
  InvalidTemplate,
  TemplateInUse,
  TemplateNotFound,
  InvalidProduct,
  InvalidReference,
  InvalidRequest,
  InvalidRole,
  InvalidStopReason,
  InvalidTransition,
  InvalidWebhookUrl,
  InvitationClosed,
  InvitationNotFound,
  InvoiceNotFound,
  LastManager,
  LastSecret,
  LastWebhookSecret,
  MandateNotFound,
  MandateNotUsable,
  OwnAccount,
  PaymentMethodNotFound,
  PaymentNotFound,
  NoCollectingAccount,
  PolicyNotFound,
  PolicyNotParked,
  QuoteNotFound,
  QuoteOutdated,
  ReplayNotFound,
  RoleInUse,
  RoleNotFound,
  RemindedLately,
  CorrectionRefused,
  SignatureClosed,
  SignatureNotFound,
  SignatureNotRequested,
  SignatureOpen,
  SignatureRequired,
  SignedDocumentsPending,
  SignerIncomplete,
  SignerNotFound,
  EvidenceNotReady,
  FileNotVerifiable,
  DocumentNotShown,
  NameMismatch,
  NotYourTurn,
  OtpInvalid,
  OtpLocked,
  SignInNotFound,
  StatementIncomplete,
  StatementNotFound,
  StatementOfOtherAccount,
  StopNotPossible,
  TerminationNotPossible,
  TooManyReplays,
  TooManySecrets,
  TooManyWebhooks,
  UnknownEventType,
  UnknownProduct,
  UploadRejected,
  WebhookDisabled,
  WebhookNotFound,
  WebhookSecretNotFound,
  WithdrawalNotFound,
  WithdrawalOver
])
export type DomainError = typeof DomainError.Type
