/**
 * How a client says who it is: HTTP Basic (RFC 6749, section 2.3.1), a signed assertion (RFC 7523,
 * section 2.2), or only its id if it is public.
 */
import { TokenRefused } from "@quittance/domain/tokens/Token"
import {
  assertionType,
  type Credentials
} from "@quittance/operations/authorization-server/ClientAuthentication"
import { Effect, Redacted } from "effect"
import { decode, type Parameters } from "@quittance/http/FormText"

const scheme = /^basic ([A-Za-z0-9+/]+={0,2})$/iu

/** The credentials of a request; two ways at once, or two different ids, are no valid request. */
export const read = (
  authorization: string | undefined,
  form: Parameters
): Effect.Effect<Credentials, TokenRefused> => {
  const id = form.get("client_id")
  const assertion = form.get("client_assertion")
  if (assertion !== undefined || form.has("client_assertion_type")) {
    if (authorization !== undefined || form.has("client_secret")) return invalid
    if (form.get("client_assertion_type") !== assertionType || !assertion) return invalid
    return Effect.succeed({ _tag: "Assertion", id, assertion: Redacted.make(assertion) })
  }
  if (authorization === undefined) {
    // A secret in the body is not supported; to say so would help only who tries.
    return Effect.succeed(
      id === undefined || form.has("client_secret") ? none : { _tag: "Public", id }
    )
  }
  if (form.has("client_secret")) return invalid
  const basic = parse(authorization)
  if (basic._tag === "Basic" && id !== undefined && id !== basic.id) return invalid
  return Effect.succeed(basic)
}

const none: Credentials = { _tag: "None" }

const invalid = Effect.fail(new TokenRefused({ error: "invalid_request" }))

/** Clients encode id and secret as in a form before they join them; some do not, and need not. */
const parse = (authorization: string): Credentials => {
  const encoded = scheme.exec(authorization)?.[1]
  const text = encoded === undefined ? undefined : fromBase64(encoded)
  const colon = text?.indexOf(":") ?? -1
  if (text === undefined || colon < 0) return none
  const id = decode(text.slice(0, colon))
  const secret = decode(text.slice(colon + 1))
  return isVisible(id) && isVisible(secret)
    ? { _tag: "Basic", id, secret: Redacted.make(secret) }
    : none
}

/** Credentials consist of printable ASCII (RFC 6749, appendix A). */
const isVisible = (text: string | undefined): text is string =>
  text !== undefined && /^[ -~]*$/u.test(text)

/** A character for each byte: what is no ASCII is no credential, so it need not be understood. */
const fromBase64 = (encoded: string): string | undefined => {
  const bytes = Buffer.from(encoded, "base64")
  return withoutPadding(bytes.toString("base64")) === withoutPadding(encoded)
    ? bytes.toString("latin1")
    : undefined
}

const withoutPadding = (base64: string) => base64.replaceAll("=", "")
