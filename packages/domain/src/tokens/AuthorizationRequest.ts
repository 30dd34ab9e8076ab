/** A front end's request to sign a user in (RFC 6749, section 4.1.1, with RFC 7636). */
import { Schema } from "effect"
import type { ClientId } from "../requests/Caller.ts"

/** A request that was checked: the redirect address belongs to the client. */
export interface AuthorizationRequest {
  readonly clientId: ClientId
  /** What the person at the login page is told to sign in to. */
  readonly clientName: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly codeChallenge: string
  /** The key that the code is for alone (RFC 9449, section 10), by its thumbprint; absent: any. */
  readonly dpopJkt?: string | null
}

/**
 * The client or its redirect address is wrong, or a parameter is sent twice: said on a page and never
 * by a redirect, since the address may be anyone's.
 */
export class InvalidAuthorizationRequest extends Schema.TaggedError<InvalidAuthorizationRequest>()(
  "InvalidAuthorizationRequest",
  { parameter: Schema.String }
) {
  override get message() {
    return `Start again from the application: its request has a wrong \`${this.parameter}\`.`
  }
}

/** The request can't be served, which the client is told through a redirect. */
export class AuthorizationRefused extends Schema.TaggedError<AuthorizationRefused>()(
  "AuthorizationRefused",
  {
    error: Schema.Literals([
      "invalid_request",
      "unsupported_response_type",
      "invalid_scope",
      "login_required"
    ]),
    redirectUri: Schema.String,
    state: Schema.optionalKey(Schema.String)
  }
) {
  override get message() {
    if (this.error === "login_required") return "Ask without prompt=none: people sign in each time."
    return "Ask for a code with PKCE: response_type=code, code_challenge_method=S256, no scope."
  }
}

/** The address or the password is wrong, or the user is disabled: which, is not said. */
export class WrongCredentials extends Schema.TaggedError<WrongCredentials>()(
  "WrongCredentials",
  {}
) {
  override get message() {
    return "The e-mail address or the password is not right. Check both and try again."
  }
}
