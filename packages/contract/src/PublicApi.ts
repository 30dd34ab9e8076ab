import { HttpApi } from "effect/http-api"
import { AccessControl } from "./AccessControl.ts"
import { Account } from "./Account.ts"
import { AccountingSummaries } from "./AccountingSummaries.ts"
import { Assets } from "./Assets.ts"
import { Audit } from "./Audit.ts"
import { Authorization } from "./Authorization.ts"
import { Billing } from "./Billing.ts"
import { Branches } from "./Branches.ts"
import { Clients } from "./Clients.ts"
import { Contracts } from "./Contracts.ts"
import { Customers } from "./Customers.ts"
import { Dunning } from "./Dunning.ts"
import { Firms } from "./Firms.ts"
import { Invitations } from "./Invitations.ts"
import { parsing } from "./Parsing.ts"
import { Payments } from "./Payments.ts"
import { Permissions } from "./Permissions.ts"
import { Policies } from "./Policies.ts"
import { Products } from "./Products.ts"
import { Quotes } from "./Quotes.ts"
import { RequestValidation } from "./RequestValidation.ts"
import { Tenancy } from "./Tenancy.ts"
import { TestClocks } from "./TestClocks.ts"
import { Users } from "./Users.ts"

/** The bearer routes. The middlewares run from the last to the first: tenant, token, access, the rest. */
export class PublicApi extends HttpApi.make("public")
  .add(
    Policies,
    Contracts,
    Branches,
    Customers,
    Assets,
    Quotes,
    AccountingSummaries,
    Billing,
    Dunning,
    Payments,
    Account,
    Firms,
    Users,
    Clients,
    Invitations,
    Permissions,
    Audit,
    Products,
    TestClocks
  )
  .middleware(RequestValidation)
  .middleware(AccessControl)
  .middleware(Authorization)
  .middleware(Tenancy)
  .annotateMerge(parsing) {}
