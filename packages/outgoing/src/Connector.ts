/**
 * How connections are opened: the name is resolved here, each of its addresses is judged, and the
 * connection goes to one that was judged. Nothing looks the name up a second time.
 */
import { Data, Redacted } from "effect"
import * as http from "node:http"
import * as https from "node:https"
import { isIPv6, type LookupFunction } from "node:net"
import type { Duplex } from "node:stream"
import { buildConnector } from "undici"
import { isAddress, isLoopback } from "./Address.ts"
import { mayReach, ownAddresses, type Rules } from "./CallRules.ts"
import type { Resolve } from "./Resolver.ts"

/** Milliseconds until a connection with its TLS has to stand. */
const connectTimeout = 10_000

/** A name has an address that must not be called. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly address: string
}> {}

/** The egress proxy opens no connection. */
class TunnelRefused extends Data.TaggedError("TunnelRefused")<{ readonly status: number }> {}

export interface Connecting {
  readonly rules: Rules
  readonly resolve: Resolve
  /** The operator's egress proxy: it is told addresses, never names. */
  readonly proxy: Redacted.Redacted<URL> | undefined
  /** Told of the address that a host's connection goes to. */
  readonly onAddress: (host: string, address: string) => void
}

export const make = ({
  onAddress,
  proxy,
  resolve,
  rules
}: Connecting): buildConnector.connector => {
  /** The addresses of a host, all of which may be called. */
  const judged = async (host: string): Promise<readonly [string, ...ReadonlyArray<string>]> => {
    const [first, ...others] = isAddress(host)
      ? [host]
      : (ownAddresses(host) ?? (await resolve(host)))
    if (first === undefined) throw new AddressRefused({ address: "none" })
    const refused = [first, ...others].find((address) => !mayReach(address, rules))
    if (refused !== undefined) throw new AddressRefused({ address: refused })
    onAddress(host, first)
    return [first, ...others]
  }

  const lookup: LookupFunction = (host, { all }, found) => {
    judged(host).then(
      (addresses) => {
        const records = addresses.map((address) => ({ address, family: familyOf(address) }))
        if (all === true) found(null, records)
        else found(null, addresses[0], familyOf(addresses[0]))
      },
      (cause: Error) => found(cause, [])
    )
  }

  const direct = buildConnector({ allowH2: false, lookup, timeout: connectTimeout })

  return (options, opened) => {
    const host = options.hostname.replace(/^\[(.*)\]$/u, "$1")
    if (!isAddress(host) && (proxy === undefined || ownAddresses(host) !== undefined)) {
      return direct(options, opened)
    }
    // An address never reaches `lookup`.
    judged(host)
      .then(async ([address]) => {
        if (proxy === undefined || isLoopback(address)) return direct(options, opened)
        const httpSocket = await tunnel(Redacted.value(proxy), address, options.port)
        // Undici's types know a socket of `net` alone; TLS runs over any stream.
        direct({ ...options, httpSocket: httpSocket as never }, opened)
      })
      .catch((cause: Error) => opened(cause, null))
  }
}

const familyOf = (address: string): 4 | 6 => (isIPv6(address) ? 6 : 4)

/** A stream to an address through the proxy (RFC 9110, section 9.3.6). */
const tunnel = (proxy: URL, address: string, port: string): Promise<Duplex> =>
  new Promise((opened, failed) => {
    const target = `${isIPv6(address) ? `[${address}]` : address}:${port === "" ? 443 : port}`
    const { password, username } = proxy
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const headers = {
      host: target,
      ...(username === ""
        ? {}
        : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` })
    }
    const { request } = proxy.protocol === "https:" ? https : http
    const asked = request({
      host: proxy.hostname.replace(/^\[(.*)\]$/u, "$1"),
      port: proxy.port,
      method: "CONNECT",
      path: target,
      headers,
      agent: false,
      timeout: connectTimeout
    })
    asked
      .on("connect", ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) return opened(socket)
        socket.destroy()
        failed(new TunnelRefused({ status: statusCode }))
      })
      .on("response", (response) => {
        response.destroy()
        failed(new TunnelRefused({ status: response.statusCode ?? 0 }))
      })
      .on("timeout", () => asked.destroy(new TunnelRefused({ status: 0 })))
      .on("error", failed)
      .end()
  })
