/** What may be called: the judgement of an URL and of the addresses that its host has. */
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Config, Context, Effect, Layer, Schema } from "effect"
import { type AddressRange, isAddress, isLoopback, isPublic, isWithin, range } from "./Address.ts"

export interface Rules {
  /** Ranges that the operator has allowed beside public addresses. */
  readonly allowed: ReadonlyArray<AddressRange>
  /** Whether this machine itself may be called, by `http` too. */
  readonly loopback: boolean
}

/**
 * Why an URL is not called: `SCHEME` it is not `https`; `CREDENTIALS` it has a user or a password;
 * `FRAGMENT` it has a part after `#`; `PORT` it is neither 443 nor from 1024 on; `ADDRESS` its host is an
 * address that is not public; `NAME` its host is no name that is resolved in public.
 */
export const UrlFault = Schema.Literals([
  "SCHEME",
  "CREDENTIALS",
  "FRAGMENT",
  "PORT",
  "ADDRESS",
  "NAME"
])
export type UrlFault = typeof UrlFault.Type

const httpsPort = 443
const firstOpenPort = 1024
const defaultPorts: Readonly<Record<string, number>> = { "https:": httpsPort, "http:": 80 }

/** Names that mean something only within a network (RFC 6761, RFC 6762, RFC 8375, ICANN 2024). */
const innerName = /^[^.]*$|\.(?:local|internal|home\.arpa|onion|invalid)$/u

const isLocalhost = (host: string): boolean => /^(?:.*\.)?localhost$/u.test(host)

/** Labels of letters, digits, `-` and `_`, as the URL parser leaves them, and no dot at the end. */
const hostName = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/u

/** What is wrong with an URL, before any name is looked up. */
export const urlFault = (text: string, rules: Rules): UrlFault | undefined => {
  const url = URL.parse(text)
  if (url === null) return /^https?:\/\//iu.test(text) ? "NAME" : "SCHEME"
  // The parser removes them: what is stored and what is called would differ.
  if (/[\s\p{Cc}]/u.test(text)) return "NAME"
  const { hostname } = url
  const isOwn = rules.loopback && (isLocalhost(hostname) || isLoopback(hostname))
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isOwn)) return "SCHEME"
  if (url.username !== "" || url.password !== "") return "CREDENTIALS"
  if (text.includes("#")) return "FRAGMENT"
  const port = url.port === "" ? defaultPorts[url.protocol] : Number(url.port)
  if (port === undefined || (port !== httpsPort && port < firstOpenPort)) return "PORT"
  if (isAddress(hostname)) return mayReach(hostname, rules) ? undefined : "ADDRESS"
  if (isLocalhost(hostname)) return isOwn ? undefined : "NAME"
  const isKnown = rules.allowed.length > 0 || !innerName.test(hostname)
  return isKnown && hostName.test(hostname) ? undefined : "NAME"
}

/** Whether a connection to an address may be opened. */
export const mayReach = (address: string, { allowed, loopback }: Rules): boolean =>
  isPublic(address) || isWithin(address, allowed) || (loopback && isLoopback(address))

/** The addresses of a name that always is the machine itself (RFC 6761, section 6.3). */
export const ownAddresses = (host: string): ReadonlyArray<string> | undefined =>
  isLocalhost(host) ? ["127.0.0.1", "::1"] : undefined

const Ranges = Schema.String.check(
  Schema.makeFilter((text) => read(text).every((one) => one !== undefined), {
    message: "Expected ranges of addresses with commas between, such as 10.2.0.0/16,fd00:12::/32"
  })
)

const read = (text: string) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map(range)

/** The rules of this program, as its operator has set them. */
export class CallRules extends Context.Service<CallRules, Rules>()(
  "@quittance/outgoing/CallRules"
) {
  /**
   * `WEBHOOK_ALLOW` names ranges that may be called beside public addresses, for calls of every kind. The
   * machine itself may be called outside production while the program listens on loopback (`HOST`).
   */
  static readonly layer = Layer.effect(
    CallRules,
    Effect.gen(function* () {
      const environment = yield* runningEnvironment
      const host = yield* Config.String("HOST").pipe(Config.withDefault("127.0.0.1"))
      const ranges = yield* Config.schema(Ranges, "WEBHOOK_ALLOW").pipe(Config.withDefault(""))
      return CallRules.of({
        allowed: read(ranges).filter((one) => one !== undefined),
        loopback: environment !== "production" && (isLocalhost(host) || isLoopback(host))
      })
    })
  )
}
