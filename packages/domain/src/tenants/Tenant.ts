import { Schema } from "effect"
import { Currency } from "../values/Amount.ts"
import { Environment, TenantId } from "../requests/Tenancy.ts"

/** A tenant, with the defaults of the products it sells. */
export const Tenant = Schema.Struct({
  id: TenantId,
  name: Schema.NonEmptyString,
  environment: Environment,
  /** BCP 47, such as `fr-FR`. */
  locale: Schema.NonEmptyString,
  currency: Currency,
  /** IANA, such as `Europe/Paris`. */
  timeZone: Schema.NonEmptyString
}).annotate({ identifier: "Tenant" })
export type Tenant = typeof Tenant.Type

export class TenantNotFound extends Schema.TaggedError<TenantNotFound>()("TenantNotFound", {}) {
  override get message() {
    return "No such tenant; check the header `tenant`."
  }
}

export class TenantTaken extends Schema.TaggedError<TenantTaken>()("TenantTaken", {
  tenant: TenantId
}) {
  override get message() {
    return `The tenant ${this.tenant} exists already; choose another identifier.`
  }
}
