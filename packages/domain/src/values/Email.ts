/** E-mail addresses. */
import { Schema } from "effect"
import { isEmailAddress } from "./EmailAddress.ts"

/** An address as it was stored, perhaps before addresses were judged as `Email` does. */
export const StoredEmail = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(/^[^\s@]+@[^\s@]+\.[^\s@]+$/u, { message: "Expected an e-mail address" })
).annotate({ format: "email" })

/** An address that is taken: a letter can be sent to it. */
export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.makeFilter(isEmailAddress, {
    message: "Expected an e-mail address, such as ada@example.com, without a name or <> around it"
  })
).annotate({ format: "email" })
