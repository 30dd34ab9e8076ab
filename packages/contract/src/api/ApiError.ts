/**
 * The one table from errors of the domain to what the wire shows: code, status, and when it happens.
 * Every failure is sent as `{ code, message, details }`, where `details` are the error's fields, and
 * decodes back into its domain class.
 */
import * as Asset from "@quittance/domain/assets/Asset"
import * as Branch from "@quittance/domain/policies/Branch"
import * as Caller from "@quittance/domain/requests/Caller"
import * as Change from "@quittance/domain/policies/Change"
import * as Client from "@quittance/domain/access/Client"
import * as Compliance from "@quittance/domain/policies/Compliance"
import * as Dunning from "@quittance/domain/dunning/Dunning"
import * as Firm from "@quittance/domain/access/Firm"
import * as Derogation from "@quittance/domain/products/Derogation"
import * as Lifecycle from "@quittance/domain/policies/Lifecycle"
import * as Merge from "@quittance/domain/branches/Merge"
import * as Parked from "@quittance/domain/policies/ParkedPolicy"
import * as Payment from "@quittance/domain/payments/Payment"
import * as Policy from "@quittance/domain/policies/Policy"
import * as Product from "@quittance/domain/products/Product"
import * as ProductFields from "@quittance/domain/products/ProductFields"
import * as Quote from "@quittance/domain/products/Quote"
import * as QuoteProvider from "@quittance/domain/products/QuoteProvider"
import * as RateLimit from "@quittance/domain/requests/RateLimit"
import * as Request from "@quittance/domain/requests/RequestErrors"
import * as Tenant from "@quittance/domain/tenants/Tenant"
import { notFound } from "./NotFound.ts"
import { peopleErrors } from "./PeopleErrors.ts"
import { wireError, wireErrorWithHeaders } from "../requests/WireError.ts"

/** By tag. The order is that of the published catalogue. */
export const ApiError = {
  MissingTenant: wireError(
    Tenant.MissingTenant,
    400,
    "MISSING_TENANT",
    "The header `tenant` is absent. Checked before the token."
  ),
  InvalidTenant: wireError(
    Tenant.InvalidTenant,
    400,
    "INVALID_TENANT",
    "The header `tenant` is no well-formed tenant identifier, or is sent twice."
  ),
  InvalidRequest: wireError(
    Request.InvalidRequest,
    400,
    "INVALID_REQUEST",
    "Path, query, a header or the body does not fit; `details.issues` lists every fault."
  ),
  Unauthorized: wireError(
    Caller.Unauthorized,
    401,
    "UNAUTHORIZED",
    "The token is missing, malformed, expired or withdrawn, or another tenant's server issued it."
  ),
  Forbidden: wireError(
    Caller.Forbidden,
    403,
    "FORBIDDEN",
    "The token lacks the scope of the area, or the identity has no permission on the record."
  ),
  ...notFound,
  MethodNotAllowed: wireError(
    Request.MethodNotAllowed,
    405,
    "METHOD_NOT_ALLOWED",
    "The route does not take this method; the header `allow` lists those it takes."
  ),
  InvalidTransition: wireError(
    Lifecycle.InvalidTransition,
    409,
    "INVALID_TRANSITION",
    "The life cycle has no such step from where the policy, invoice or payment stands; `details.allowed` lists those it has."
  ),
  PolicyNotParked: wireError(
    Parked.PolicyNotParked,
    409,
    "POLICY_NOT_PARKED",
    "The policy is not parked: there is nothing to try again."
  ),
  Conflict: wireError(
    Request.Conflict,
    409,
    "CONFLICT",
    "`if-match` names a state of the record that is no longer the present one, or others kept changing what the command was about."
  ),
  BranchRequired: wireError(
    Branch.BranchRequired,
    409,
    "BRANCH_REQUIRED",
    "Priced data of a signed policy was to be changed outside a branch."
  ),
  BranchConflict: wireError(
    Merge.BranchConflict,
    409,
    "BRANCH_CONFLICT",
    "Since the fork both the branch and what is in force gave a path another value, and not the same; or what the branch takes back of the contract's steps (`/contract`) no longer fits those in force."
  ),
  ChangeHasDependents: wireError(
    Change.ChangeHasDependents,
    409,
    "CHANGE_HAS_DEPENDENTS",
    "Later changes lie in what the change added; they have to be reverted first."
  ),
  ChangeNotRevertible: wireError(
    Change.ChangeNotRevertible,
    409,
    "CHANGE_NOT_REVERTIBLE",
    "The change is part of the sale itself, or has been taken back already."
  ),
  BranchClosed: wireError(
    Branch.BranchClosed,
    409,
    "BRANCH_CLOSED",
    "The branch has been merged or invalidated."
  ),
  AssetAlreadyStopped: wireError(
    Asset.AssetAlreadyStopped,
    409,
    "ASSET_ALREADY_STOPPED",
    "The asset's cover ends on a day that is recorded."
  ),
  QuoteOutdated: wireError(
    Quote.QuoteOutdated,
    409,
    "QUOTE_OUTDATED",
    "Priced data changed after the quote, or the quote expired."
  ),
  ComplianceGateNotMet: wireError(
    Compliance.ComplianceGateNotMet,
    409,
    "COMPLIANCE_GATE",
    "What the product demands before this step is not there; `details.gates` lists it."
  ),
  DerogationRequired: wireError(
    Derogation.DerogationRequired,
    409,
    "DEROGATION_REQUIRED",
    "A rule of the product refers the risk to somebody; `details.derogations` lists the rules."
  ),
  DuplicateExternalId: wireError(
    Policy.DuplicateExternalId,
    409,
    "DUPLICATE_EXTERNAL_ID",
    "Another policy of the tenant has this external identifier."
  ),
  ...peopleErrors,
  IdempotencyKeyReused: wireError(
    Request.IdempotencyKeyReused,
    409,
    "IDEMPOTENCY_KEY_REUSED",
    "The idempotency key came with another request before."
  ),
  IdempotencyKeyInUse: wireError(
    Request.IdempotencyKeyInUse,
    409,
    "IDEMPOTENCY_KEY_IN_USE",
    "The first request with the idempotency key is still running."
  ),
  PayloadTooLarge: wireError(
    Request.PayloadTooLarge,
    413,
    "PAYLOAD_TOO_LARGE",
    "The body is larger than 1 MiB."
  ),
  UnsupportedMediaType: wireError(
    Request.UnsupportedMediaType,
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "The body is of a type, character set or encoding that the route does not take."
  ),
  InvalidStopReason: wireError(
    Policy.InvalidStopReason,
    422,
    "INVALID_STOP_REASON",
    "The product has no such reason to stop a policy; `details.accepted` lists those it has."
  ),
  TerminationNotPossible: wireError(
    Dunning.TerminationNotPossible,
    409,
    "TERMINATION_NOT_POSSIBLE",
    "A stop for unpaid premiums before the product lets the contract end; `details.earliest` says from when on it may, where that is known."
  ),
  InvalidBranch: wireError(
    Branch.InvalidBranch,
    422,
    "INVALID_BRANCH",
    "The branch belongs to another policy."
  ),
  InvalidEffectiveDate: wireError(
    Policy.InvalidEffectiveDate,
    422,
    "INVALID_EFFECTIVE_DATE",
    "A time lies outside the limits of the product or of the clock; `details` says which."
  ),
  InvalidBillingAssignment: wireError(
    Policy.InvalidBillingAssignment,
    422,
    "INVALID_BILLING_ASSIGNMENT",
    "The billing assignment names a configuration, component or payer that isn't there."
  ),
  InvalidInvoicingConfig: wireError(
    Policy.InvalidInvoicingConfig,
    422,
    "INVALID_INVOICING_CONFIG",
    "The product does not offer this way of invoicing."
  ),
  InvalidProduct: wireError(
    Product.InvalidProduct,
    422,
    "INVALID_PRODUCT",
    "A product document has faults; `details.faults` lists each with its JSON pointer."
  ),
  InvalidCustomField: wireError(
    ProductFields.InvalidCustomField,
    422,
    "INVALID_CUSTOM_FIELD",
    "A custom field is unknown to the product, of a wrong type, outside its rules, or missing."
  ),
  InvalidRole: wireError(
    Product.InvalidRole,
    422,
    "INVALID_ROLE",
    "The product has no such customer role."
  ),
  InvalidReference: wireError(
    Policy.InvalidReference,
    422,
    "INVALID_REFERENCE",
    "A firm, parent, invoice, payer, role or record is named that isn't there."
  ),
  FirmTreeTooDeep: wireError(
    Firm.FirmTreeTooDeep,
    422,
    "FIRM_TREE_TOO_DEEP",
    "Too many firms would stand one below the other."
  ),
  InternalScope: wireError(
    Client.InternalScope,
    422,
    "INTERNAL_SCOPE",
    "A scope is asked for that only applications of the service itself may hold."
  ),
  InvalidAmount: wireError(
    Payment.InvalidAmount,
    422,
    "INVALID_AMOUNT",
    "An amount is out of bounds."
  ),
  UnknownProduct: wireError(
    Product.UnknownProduct,
    422,
    "UNKNOWN_PRODUCT",
    "`productId` is not configured for the tenant."
  ),
  RateLimited: wireErrorWithHeaders(
    RateLimit.RateLimited,
    429,
    "RATE_LIMITED",
    "A limit is used up; `retry-after` says when to come back, in seconds.",
    {
      "retry-after": ({ retryAfter }) => retryAfter,
      "ratelimit-limit": ({ limit }) => limit,
      "ratelimit-remaining": ({ remaining }) => remaining,
      "ratelimit-reset": ({ reset }) => reset
    }
  ),
  InternalError: wireError(
    Request.InternalError,
    500,
    "INTERNAL_ERROR",
    "A fault of the service. It says nothing about its inside."
  ),
  NotReady: wireError(
    Request.NotReady,
    503,
    "NOT_READY",
    "What the service depends on is away: at `/health/ready`, and where a limit can't be counted."
  ),
  QuoteProviderUnavailable: wireError(
    QuoteProvider.QuoteProviderUnavailable,
    503,
    "QUOTE_PROVIDER_UNAVAILABLE",
    "The program that prices the product gave no good answer; `details.reason` says how it failed."
  ),
  Timeout: wireError(
    Request.Timeout,
    503,
    "TIMEOUT",
    "The request took too long and was given up; nothing it began was kept."
  )
} as const
