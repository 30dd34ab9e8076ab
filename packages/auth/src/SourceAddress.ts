/** Which address a limit counts: one household is one caller, however many addresses it has. */
import { bare } from "@quittance/domain/requests/SourceAddress"
import { isIPv4, isIPv6, SocketAddress } from "node:net"

/**
 * The key of an address: an IPv4 address as it is, also when written as IPv6 (`::ffff:…`), an IPv6
 * address by its first 64 bits, which is what one subscriber gets. A port is no part of it. What is no
 * address is one key.
 */
export const key = (text: string): string => {
  const address = bare(text).split("%")[0]!
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return "unknown"
  const groups = expand(new SocketAddress({ address, family: "ipv6" }).address)
  const [high, low] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [high! >> 8, high! & 255, low! >> 8, low! & 255].join(".")
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** The eight groups of a canonical IPv6 address, whose tail may be dotted. */
const expand = (address: string): ReadonlyArray<number> => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/u.exec(address)
  const text =
    dotted === null
      ? address
      : dotted[1]! + hex(dotted[2]!, dotted[3]!) + ":" + hex(dotted[4]!, dotted[5]!)
  const [head = "", tail] = text.split("::")
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const hex = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)

const groupsOf = (text: string): ReadonlyArray<number> =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
