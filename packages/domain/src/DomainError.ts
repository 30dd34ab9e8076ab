/**
 * The failures that a command may answer as a rule of the domain. They can be stored and given again
 * when the command is repeated, so each has to be listed here.
 */
import { Schema } from "effect"
import { AssetAlreadyStopped, AssetNotFound } from "./Asset.ts"
import { BranchClosed, BranchNotFound, BranchRequired, InvalidBranch } from "./Branch.ts"
import { ChangeHasDependents, ChangeNotFound, ChangeNotRevertible } from "./Change.ts"
import {
  ClientIdTaken,
  ClientNotFound,
  ClientSecretNotFound,
  InternalScope,
  LastSecret,
  TooManySecrets
} from "./Client.ts"
import { ComplianceGateNotMet } from "./Compliance.ts"
import { CustomerAlreadyOnPolicy, CustomerNeeded, CustomerNotFound } from "./Customer.ts"
import { DerogationRequired } from "./Derogation.ts"
import { HoldNotFound, TerminationNotPossible } from "./Dunning.ts"
import { FirmTreeTooDeep } from "./Firm.ts"
import { LastManager } from "./Grant.ts"
import { InvitationClosed, InvitationNotFound } from "./Invitation.ts"
import { InvoiceNotFound } from "./Invoice.ts"
import { InvalidTransition } from "./Lifecycle.ts"
import { BranchConflict } from "./Merge.ts"
import { PolicyNotParked } from "./Parked.ts"
import { InvalidAmount, PaymentNotFound } from "./Payment.ts"
import {
  DuplicateExternalId,
  InvalidBillingAssignment,
  InvalidEffectiveDate,
  InvalidInvoicingConfig,
  InvalidReference,
  InvalidStopReason,
  PolicyNotFound
} from "./Policy.ts"
import { InvalidProduct, InvalidRole, UnknownProduct } from "./Product.ts"
import { InvalidCustomField } from "./ProductFields.ts"
import { QuoteNotFound, QuoteOutdated } from "./Quote.ts"
import { Conflict, InvalidRequest } from "./RequestErrors.ts"
import { RoleInUse, RoleNotFound } from "./Role.ts"
import { EmailTaken, OwnAccount } from "./User.ts"

export const DomainError = Schema.Union([
  AssetAlreadyStopped,
  AssetNotFound,
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
  DerogationRequired,
  DuplicateExternalId,
  EmailTaken,
  FirmTreeTooDeep,
  HoldNotFound,
  InternalScope,
  InvalidAmount,
  InvalidBillingAssignment,
  InvalidBranch,
  InvalidCustomField,
  InvalidEffectiveDate,
  InvalidInvoicingConfig,
  InvalidProduct,
  InvalidReference,
  InvalidRequest,
  InvalidRole,
  InvalidStopReason,
  InvalidTransition,
  InvitationClosed,
  InvitationNotFound,
  InvoiceNotFound,
  LastManager,
  LastSecret,
  OwnAccount,
  PaymentNotFound,
  PolicyNotFound,
  PolicyNotParked,
  QuoteNotFound,
  QuoteOutdated,
  RoleInUse,
  RoleNotFound,
  TerminationNotPossible,
  TooManySecrets,
  UnknownProduct
])
export type DomainError = typeof DomainError.Type
