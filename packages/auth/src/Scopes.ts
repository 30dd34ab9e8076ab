/** The `scope` parameter of a token request (RFC 6749, section 3.3). */
import type { Scope } from "@quittance/domain/requests/Caller"
import { TokenRefused } from "@quittance/domain/tokens/Token"
import { Result } from "effect"

/** A longer list than all scopes together is no honest request. */
const maxLength = 2048

/** One or more tokens of printable ASCII without `"` and `\`, with one space between two. */
const grammar = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/u

/** The scopes that a request names, each once; `undefined` when the text is no scope list. */
export const parse = (text: string): ReadonlyArray<string> | undefined =>
  text.length <= maxLength && grammar.test(text) ? [...new Set(text.split(" "))] : undefined

/**
 * The scopes of the token: those asked for, if every one of them was granted to the client, compared
 * exactly; all that were granted when none is named. A client without scopes gets no token.
 */
export const allow = (
  requested: string | undefined,
  granted: ReadonlyArray<Scope>
): Result.Result<ReadonlyArray<Scope>, TokenRefused> => {
  const names = requested === undefined || requested === "" ? granted : parse(requested)
  if (names === undefined || names.length === 0) return refused
  const allowed = granted.filter((scope) => names.includes(scope))
  if (allowed.length !== names.length) return refused
  // In the order of the request, so that the answer's `scope` equals it.
  return Result.succeed(allowed.sort((a, b) => names.indexOf(a) - names.indexOf(b)))
}

const refused = Result.fail(new TokenRefused({ error: "invalid_scope" }))
