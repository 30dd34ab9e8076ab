/**
 * The address of a database, as variables give it. What is wrong with one is told in words that repeat
 * nothing of it: it has the password.
 */
import { Config, Schema } from "effect"

/** The parameters that have an effect. libpq knows more; one that is ignored may be thought to protect. */
const parameters = ["sslmode", "host", "port", "user", "password", "dbname", "options"]

/** `verify-ca` and `require` do as `verify-full` does: chain and host of the certificate are verified. */
const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

const form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE"

/** What is wrong with an address, as the end of a sentence; `undefined` when it can be used. */
export const fault = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (url === null || !/^postgres(?:ql)?:$/u.test(url.protocol)) {
    return `Expected an address such as ${form}, with signs like @ or / in the password written as %40 or %2F`
  }
  if ([url.username, url.password, url.pathname, url.hostname].some(isMiswritten)) {
    return `Expected an address such as ${form}, with % in the password written as %25`
  }
  if (url.hash !== "") return `Expected an address without #, which a password writes as %23`
  const names = [...url.searchParams.keys()]
  const unknown = names.find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    // A name is no secret unless the password has a question mark; then it is not repeated either.
    return `Expected no parameters but ${parameters.join(", ")}; TLS with a verified server is sslmode=verify-full`
  }
  if (new Set(names).size < names.length) return "Expected each parameter at most once"
  const ssl = url.searchParams.get("sslmode")
  if (ssl !== null && !sslModes.includes(ssl))
    return `Expected sslmode to be one of ${sslModes.join(", ")}`
  const port = url.searchParams.get("port")
  if (port !== null && !isPort(port)) return "Expected a port from 1 to 65535"
  if (url.port === "0") return "Expected a port from 1 to 65535"
  return url.hostname === "" && !names.includes("host") ? `Expected a host: ${form}` : undefined
}

const isMiswritten = (part: string): boolean => {
  try {
    decodeURIComponent(part)
    return false
  } catch {
    return true
  }
}

const isPort = (text: string): boolean =>
  /^\d{1,5}$/u.test(text) && Number(text) >= 1 && Number(text) <= 65_535

const Address = Schema.Redacted(
  Schema.String.check(Schema.makeFilter((address) => fault(address) ?? true))
)

/** A variable with the address of a database. */
export const address = (name: string) => Config.schema(Address, name)
