/** The tenant of a request, and what can be wrong with it. */
import { Context, Schema } from "effect"

const pattern = /^[a-z][a-z0-9-]{1,38}[a-z0-9]$/u

/** A tenant's slug, also the first label of its authorization server's host. */
export const TenantId = Schema.String.check(
  Schema.isPattern(pattern, {
    message: "Expected 3 to 40 characters: a lower-case letter, then letters, digits and hyphens"
  })
).pipe(Schema.brand("TenantId"))

export type TenantId = typeof TenantId.Type

/**
 * The tenant the running request or job acts for. Repositories require it, so a query that is not
 * scoped to a tenant does not compile.
 */
export class CurrentTenant extends Context.Service<CurrentTenant, TenantId>()(
  "@quittance/domain/CurrentTenant"
) {}

export const Environment = Schema.Literals(["production", "sandbox", "development"])

export type Environment = typeof Environment.Type

export class MissingTenant extends Schema.TaggedError<MissingTenant>()("MissingTenant", {}) {
  override get message() {
    return "Name the tenant in the header `tenant`."
  }
}

export class InvalidTenant extends Schema.TaggedError<InvalidTenant>()("InvalidTenant", {}) {
  override get message() {
    return "Send the header `tenant` once, with a tenant's identifier such as `acme`."
  }
}
