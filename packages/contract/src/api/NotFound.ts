/** The part of the error table about what isn't there: 404, the same for what another tenant has. */
import * as Asset from "@quittance/domain/assets/Asset"
import * as Branch from "@quittance/domain/policies/Branch"
import * as Caller from "@quittance/domain/requests/Caller"
import * as Change from "@quittance/domain/policies/Change"
import * as Client from "@quittance/domain/access/Client"
import * as Customer from "@quittance/domain/customers/Customer"
import * as Dunning from "@quittance/domain/dunning/Dunning"
import * as Firm from "@quittance/domain/access/Firm"
import * as Invitation from "@quittance/domain/access/Invitation"
import * as Invoice from "@quittance/domain/billing/Invoice"
import * as Payment from "@quittance/domain/payments/Payment"
import * as Policy from "@quittance/domain/policies/Policy"
import * as Product from "@quittance/domain/products/Product"
import * as Quote from "@quittance/domain/products/Quote"
import * as Request from "@quittance/domain/requests/RequestErrors"
import * as Role from "@quittance/domain/access/Role"
import * as Tenant from "@quittance/domain/tenants/Tenant"
import { wireError } from "../requests/WireError.ts"

export const notFound = {
  TenantNotFound: wireError(
    Tenant.TenantNotFound,
    404,
    "TENANT_NOT_FOUND",
    "No such tenant, on a route that takes no token."
  ),
  UserNotFound: wireError(
    Caller.UserNotFound,
    404,
    "USER_NOT_FOUND",
    "A client-credentials token on a route that acts on a policy's records: a client is no user. Or the tenant has no such user."
  ),
  InvitationNotFound: wireError(
    Invitation.InvitationNotFound,
    404,
    "INVITATION_NOT_FOUND",
    "The tenant has no such invitation, or the link of a letter can no longer be used: the answer is the same for one that was used, has expired, was withdrawn, or never was."
  ),
  PolicyNotFound: wireError(
    Policy.PolicyNotFound,
    404,
    "POLICY_NOT_FOUND",
    "The tenant has no such policy."
  ),
  BranchNotFound: wireError(
    Branch.BranchNotFound,
    404,
    "BRANCH_NOT_FOUND",
    "The tenant has no such branch."
  ),
  ChangeNotFound: wireError(
    Change.ChangeNotFound,
    404,
    "CHANGE_NOT_FOUND",
    "The policy has no such change."
  ),
  CustomerNotFound: wireError(
    Customer.CustomerNotFound,
    404,
    "CUSTOMER_NOT_FOUND",
    "The tenant has no such customer."
  ),
  AssetNotFound: wireError(
    Asset.AssetNotFound,
    404,
    "ASSET_NOT_FOUND",
    "The tenant has no such asset."
  ),
  QuoteNotFound: wireError(
    Quote.QuoteNotFound,
    404,
    "QUOTE_NOT_FOUND",
    "The tenant has no such quote."
  ),
  InvoiceNotFound: wireError(
    Invoice.InvoiceNotFound,
    404,
    "INVOICE_NOT_FOUND",
    "The tenant has no such invoice or credit note."
  ),
  HoldNotFound: wireError(
    Dunning.HoldNotFound,
    404,
    "HOLD_NOT_FOUND",
    "The policy has no such hold, or it is over."
  ),
  PaymentNotFound: wireError(
    Payment.PaymentNotFound,
    404,
    "PAYMENT_NOT_FOUND",
    "The tenant has no such payment."
  ),
  ProductNotFound: wireError(
    Product.ProductNotFound,
    404,
    "PRODUCT_NOT_FOUND",
    "The path names no product of the tenant."
  ),
  BrokerageFirmNotFound: wireError(
    Firm.BrokerageFirmNotFound,
    404,
    "BROKERAGE_FIRM_NOT_FOUND",
    "The tenant has no such brokerage firm."
  ),
  ClientNotFound: wireError(
    Client.ClientNotFound,
    404,
    "CLIENT_NOT_FOUND",
    "The tenant has no such client, or it was deleted."
  ),
  ClientSecretNotFound: wireError(
    Client.ClientSecretNotFound,
    404,
    "CLIENT_SECRET_NOT_FOUND",
    "The client has no such secret."
  ),
  RoleNotFound: wireError(
    Role.RoleNotFound,
    404,
    "ROLE_NOT_FOUND",
    "The tenant has defined no such role."
  ),
  RecordNotFound: wireError(
    Request.RecordNotFound,
    404,
    "RECORD_NOT_FOUND",
    "A record that is named beside the path isn't in the tenant."
  ),
  RouteNotFound: wireError(Request.RouteNotFound, 404, "ROUTE_NOT_FOUND", "No such route.")
} as const
