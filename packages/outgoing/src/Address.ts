/** Which addresses of the internet protocol are public, and which belong to a private network. */
import ipaddr from "ipaddr.js"

/** A range of addresses, such as `10.2.0.0/16`. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** All addresses of version 6 that are given out for use in public (RFC 4291, section 2.4; IANA). */
const globalUnicast: AddressRange = [ipaddr.IPv6.parse("2000::"), 3]

/** A cloud's services for the machine itself, at an address that looks public. */
const azurePlatform: AddressRange = [ipaddr.IPv4.parse("168.63.129.16"), 32]

/** The address without brackets; an IPv4 address within an IPv6 one is unpacked. `undefined` if it is none. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const bare = text.replace(/^\[(.*)\]$/u, "$1")
  // Only the usual four decimals: other forms mean different things to different programs.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isAddress ? ipaddr.process(bare) : undefined
}

/** Whether a host is an address, and no name that has to be looked up. */
export const isAddress = (host: string): boolean => parse(host) !== undefined

/** A range as an operator writes it, or a single address; `undefined` if it is none. */
export const range = (text: string): AddressRange | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = parse(text)
  return address === undefined ? undefined : [address, address.kind() === "ipv4" ? 32 : 128]
}

/** Whether an address is in one of the ranges. */
export const isWithin = (text: string, ranges: ReadonlyArray<AddressRange>): boolean => {
  const address = parse(text)
  return address !== undefined && ranges.some((one) => matches(address, one))
}

/** Addresses of different versions match no range of each other. */
const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: AddressRange): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/**
 * Whether the address is public: any host on the internet may have it. Private networks, link-local addresses
 * (those of a cloud's metadata among them), shared, documentation, benchmark, multicast and reserved ones
 * are not public, nor are those in which another address is hidden: NAT64, 6to4, Teredo.
 */
export const isPublic = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined || address.range() !== "unicast") return false
  return (
    matches(address, globalUnicast) ||
    (address.kind() === "ipv4" && !matches(address, azurePlatform))
  )
}

/** Whether an address is the machine itself. */
export const isLoopback = (text: string): boolean => parse(text)?.range() === "loopback"
