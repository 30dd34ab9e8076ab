/** A sign-in: a user gets tokens by it once, and new ones until it ends. */
import { Schema } from "effect"
import { ClientId } from "../requests/Caller.ts"
import { Instant } from "../values/Instant.ts"

/** The `sid` of its access tokens. It opens nothing. */
export const SignInId = Schema.String.check(
  Schema.isPattern(/^[\w-]{43}$/u, {
    message: "Expected the identifier of a sign-in, as its list shows it"
  })
).pipe(Schema.brand("SignInId"))
export type SignInId = typeof SignInId.Type

/** A sign-in that has not ended, as the person and their administrators see it. All times are real. */
export const SignIn = Schema.Struct({
  id: SignInId,
  /** The program at which they signed in. */
  clientId: ClientId,
  clientName: Schema.String,
  startedAt: Instant,
  /** When tokens were last asked for. */
  lastUsedAt: Instant,
  /** When it ends by itself, unless it is used before. */
  expiresAt: Instant,
  /** How they signed in (RFC 8176), in the order in which they did. */
  methods: Schema.Array(Schema.String),
  /** The address that signed in, of IPv6 the first 64 bits; absent where it is not known. */
  address: Schema.optionalKey(Schema.String),
  /** The browser and its system, such as `Firefox on Linux`; absent where it is not known. */
  browser: Schema.optionalKey(Schema.String),
  /** Whether it is the one by which the caller asks. */
  isCurrent: Schema.Boolean
}).annotate({ identifier: "SignIn" })
export type SignIn = typeof SignIn.Type

export class SignInNotFound extends Schema.TaggedError<SignInNotFound>()("SignInNotFound", {
  signInId: SignInId
}) {
  override get message() {
    return `There is no sign-in ${this.signInId} of this person, or it has ended; list those that there are.`
  }
}
