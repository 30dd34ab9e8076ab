/**
 * HTTP for a command on its user's own machine. `{tenant}.auth.localhost` is this machine
 * (RFC 6761, section 6.3), but most systems' resolvers don't know it, so names below `localhost` are
 * not asked for.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { lookup, type LookupAddress, type LookupOptions } from "node:dns"

const loopback: Array<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

type Found = (
  error: NodeJS.ErrnoException | null,
  address: string | Array<LookupAddress>,
  family?: number
) => void

const resolve = (host: string, options: LookupOptions, found: Found): void => {
  if (host !== "localhost" && !host.endsWith(".localhost")) return lookup(host, options, found)
  if (options.all === true) return found(null, loopback)
  return found(null, "127.0.0.1", 4)
}

/**
 * Redirects are answers to it: a sign-in reads its code from one. A busy machine may take longer than
 * the quarter of a second after which Node gives an address up for the next one.
 */
export const layer = NodeHttpClient.layerNodeHttpOptions({
  lookup: resolve,
  timeout: 60_000,
  autoSelectFamilyAttemptTimeout: 10_000
})
