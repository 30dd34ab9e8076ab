import { Scope } from "@quittance/domain/requests/Caller"
import { Grant } from "@quittance/domain/access/Grant"
import { Environment, TenantId } from "@quittance/domain/tenants/Tenant"
import { TokenKind } from "@quittance/domain/tokens/Token"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needsNothing } from "./Access.ts"

/** Who the token speaks for. Only clients have scopes, only people have permissions. */
export const AccountInformation = Schema.Struct({
  kind: TokenKind,
  tenant: TenantId,
  environment: Environment,
  id: Schema.String,
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  permissions: Schema.optionalKey(Schema.Array(Grant))
}).annotate({ identifier: "AccountInformation" })
export type AccountInformation = typeof AccountInformation.Type

export class Account extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/account", { success: AccountInformation })
      .annotateMerge(needsNothing)
      .annotate(OpenApi.Summary, "Tell who the token is")
  )
  .annotateMerge(access({ scope: "platform/account", callers: everyone }))
  .annotateMerge(OpenApi.annotations({ title: "Account" })) {}
