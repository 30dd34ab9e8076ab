/** Programs beside the service that price a tenant's products: how they are named and reached. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import type { Environment } from "../requests/Tenancy.ts"

/** The provider that quotes of the built-in engine name. */
export const builtInProvider = "quittance"

/** What an operator calls a provider: it stands on every quote of it. */
export const QuoteProviderId = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/u, {
    message: "Expected 3 to 40 characters: a lower-case letter, then letters, digits and hyphens"
  }),
  Schema.makeFilter((id) => id !== builtInProvider, {
    message: "Expected another name than that of the built-in engine"
  })
)

/** How a product names what prices it. Where that is only the tenant's operator says. */
export const QuoteProviderReference = Schema.Struct({
  type: Schema.Literal("HTTP"),
  id: QuoteProviderId
})
export type QuoteProviderReference = typeof QuoteProviderReference.Type

/** Names one of the secrets that a provider may know, so that a new one can be brought in. */
export const SecretKeyId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u, {
    message: "Expected at most 64 letters, digits, `.`, `_` and `-`, such as 2026-07"
  })
)

/** What both sides sign with. */
export const SharedSecret = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7E]{32,256}$/u, {
    message: "Expected 32 to 256 visible ASCII characters"
  })
)

const Milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 50, maximum: 9000 }))

/** A provider as the tenant's operator has set it up, but for its secret. */
export const QuoteProviderSettings = Schema.Struct({
  id: QuoteProviderId,
  url: Schema.String.check(Schema.isMaxLength(2000)),
  keyId: SecretKeyId,
  /** How long one try may take, in milliseconds. */
  tryTimeout: Milliseconds,
  /** How long all tries together may take: less than a request to the service may. */
  totalTimeout: Milliseconds
})
export type QuoteProviderSettings = typeof QuoteProviderSettings.Type

export const ListedQuoteProvider = Schema.Struct({
  ...QuoteProviderSettings.fields,
  createdAt: Instant,
  lastModifiedAt: Instant
})
export type ListedQuoteProvider = typeof ListedQuoteProvider.Type

/** Milliseconds, unless the operator says otherwise. */
export const defaultTimeouts = { tryTimeout: 2000, totalTimeout: 6000 } as const

/** The address was refused where the provider was to be set up. */
export class InvalidQuoteProviderUrl extends Schema.TaggedError<InvalidQuoteProviderUrl>()(
  "InvalidQuoteProviderUrl",
  { reason: Schema.Literals(["FORM", "CREDENTIALS", "SCHEME"]) }
) {
  override get message() {
    return {
      FORM: "Give the whole address, such as https://rates.example.com/v1/prices, without a fragment.",
      CREDENTIALS: "Leave user and password out of the address; requests are signed.",
      SCHEME: "Give an address that begins with https://; http:// is for this machine in a sandbox."
    }[this.reason]
  }
}

/** What is wrong with an address; `http` is for sandboxes on the machine itself. */
export const urlFault = (
  text: string,
  environment: Environment
): InvalidQuoteProviderUrl | undefined => {
  const url = URL.parse(text)
  if (url === null || text.includes("#")) return new InvalidQuoteProviderUrl({ reason: "FORM" })
  if (url.username !== "" || url.password !== "") {
    return new InvalidQuoteProviderUrl({ reason: "CREDENTIALS" })
  }
  const plain = url.protocol === "http:" && environment !== "production" && isLoopback(url)
  return url.protocol === "https:" || plain
    ? undefined
    : new InvalidQuoteProviderUrl({ reason: "SCHEME" })
}

/** The URL parser has written every form of an IPv4 address as four decimals. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/u.test(hostname)

/** The longest try is longer than all of them may take. */
export class InvalidTimeouts extends Schema.TaggedError<InvalidTimeouts>()("InvalidTimeouts", {}) {
  override get message() {
    return "Give one try at most as long as all of them together."
  }
}

/** The provider to change or remove does not exist. */
export class QuoteProviderNotFound extends Schema.TaggedError<QuoteProviderNotFound>()(
  "QuoteProviderNotFound",
  { id: Schema.String }
) {
  override get message() {
    return `The tenant has no quote provider ${this.id}; list those it has.`
  }
}

/** What the tenant sells would no longer have a price. */
export class QuoteProviderInUse extends Schema.TaggedError<QuoteProviderInUse>()(
  "QuoteProviderInUse",
  { id: Schema.String, products: Schema.Array(Schema.String) }
) {
  override get message() {
    return `${this.id} prices ${this.products.join(", ")}: publish versions that it does not price first.`
  }
}

/**
 * Why there is no price: `TIMEOUT` it took too long; `UNREACHABLE` it could not be reached, or broke
 * off; `BAD_STATUS` it answered an HTTP failure or a redirect; `BAD_SIGNATURE` the answer was not
 * signed for this request; `BAD_ANSWER` the answer is none, or does not add up; `NOT_CONFIGURED` the
 * tenant's operator has taken the provider away.
 */
export const QuoteProviderFailure = Schema.Literals([
  "TIMEOUT",
  "UNREACHABLE",
  "BAD_STATUS",
  "BAD_SIGNATURE",
  "BAD_ANSWER",
  "NOT_CONFIGURED"
])
export type QuoteProviderFailure = typeof QuoteProviderFailure.Type

/** There is no price now, and no old or partial one stands in for it. More is in the log. */
export class QuoteProviderUnavailable extends Schema.TaggedError<QuoteProviderUnavailable>()(
  "QuoteProviderUnavailable",
  { reason: QuoteProviderFailure }
) {
  override get message() {
    return "What prices this product gave no good answer; repeat the request in a moment, and report it if that does not help."
  }
}
