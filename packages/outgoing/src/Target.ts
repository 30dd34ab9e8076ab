/** Where a call goes, read and judged once for all calls to the same URL. */
import { type Rules, urlFault, type UrlFault } from "./CallRules.ts"

/** The parts of an URL. */
export interface Place {
  readonly origin: string
  /** The path and the query. */
  readonly path: string
  /** Without the brackets of an address of version 6. */
  readonly host: string
  readonly port: number
  readonly scheme: string
}

export interface Target {
  /** Why it is not called. */
  readonly fault: UrlFault | undefined
  /** Absent of what is no URL. */
  readonly place: Place | undefined
}

const placeOf = (text: string): Place | undefined => {
  const url = URL.parse(text)
  if (url === null) return undefined
  const { hostname, origin, pathname, port, protocol, search } = url
  return {
    origin,
    path: pathname + search,
    host: hostname.replace(/^\[(.*)\]$/u, "$1"),
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    scheme: protocol.slice(0, -1)
  }
}

/** How many are remembered: a program calls few, again and again. */
const remembered = 1000

/** Judges URLs by these rules. Addresses of names are judged at each connection. */
export const judging = (rules: Rules): ((url: string) => Target) => {
  const targets = new Map<string, Target>()
  return (url) => {
    const known = targets.get(url)
    if (known !== undefined) return known
    const target = { fault: urlFault(url, rules), place: placeOf(url) }
    if (targets.size >= remembered) targets.clear()
    targets.set(url, target)
    return target
  }
}
