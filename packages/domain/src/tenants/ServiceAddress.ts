/** Where the service is reached, as `AUTH_URL` and `BASE_URL` say, and what keeps such an address out. */
import type { Environment } from "../requests/Tenancy.ts"

/** Stands in `AUTH_URL` for a tenant, as the first label of the host. */
export const tenantPlaceholder = "{tenant}"

/**
 * What is wrong with `AUTH_URL`, as a sentence without its end; `undefined` when it can be used.
 * Production is reached over TLS alone; a sandbox, whose secrets may be public, also without.
 */
export const authUrlFault = (text: string, environment: Environment): string | undefined => {
  const example = `${schemeOf(environment)}://${tenantPlaceholder}.auth.example.com`
  // Letters, digits and hyphens in labels: what else URL takes, it takes as something else.
  if (!/^https?:\/\/\{tenant\}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d+)?$/u.test(text)) {
    return `Expected an address such as ${example}`
  }
  return faultOf(text.replace(tenantPlaceholder, "a"), environment, example)
}

/** What is wrong with `BASE_URL`, likewise. */
export const baseUrlFault = (text: string, environment: Environment): string | undefined =>
  faultOf(text, environment, `${schemeOf(environment)}://api.example.com`)

const schemeOf = (environment: Environment) => (environment === "production" ? "https" : "http")

const faultOf = (text: string, environment: Environment, example: string): string | undefined => {
  const url = URL.parse(text)
  const isAddress =
    url !== null &&
    /^https?:$/u.test(url.protocol) &&
    /^https?:\/\/[a-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~/-]*)?$/u.test(text) &&
    !url.host.includes("..") &&
    url.port !== "0"
  if (!isAddress) return `Expected an address such as ${example}`
  const scheme = schemeOf(environment)
  if (url.protocol === `${scheme}:`) return undefined
  return environment === "production"
    ? `Expected an address with https in production, such as ${example}`
    : `Expected an address with http outside production, such as ${example}; what is reached with https is production, and ENVIRONMENT says so`
}
