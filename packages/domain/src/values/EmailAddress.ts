/** E-mail addresses that letters can be sent to (RFC 5321, section 4.1.2, with RFC 6531 for other scripts). */

/** The longest address and the longest part before the `@`, in octets (RFC 5321, section 4.5.3.1). */
const longest = 254
const longestLocal = 64
/** The longest label of a host (RFC 1035, section 2.3.4). */
const longestLabel = 63

const letter = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]`
const local = new RegExp(`^${letter}+(?:\\.${letter}+)*$`, "u")
const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

const octets = (text: string): number => new TextEncoder().encode(text).length

/**
 * Whether a letter can be sent to the address: dots and letters, digits and signs before the `@`, the
 * name of a host with a domain after it. Nothing of what a head or a list is written with stands in it:
 * no quotes, angle brackets, commas, colons, blanks or control characters.
 */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf("@")
  const [before, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || octets(text) > longest || octets(before) > longestLocal) return false
  const labels = host.split(".")
  return (
    local.test(before) &&
    labels.length >= 2 &&
    labels.every((one) => label.test(one) && octets(one) <= longestLabel) &&
    // An address of the network is no host's name, and no domain is made of digits alone.
    !/^\d+$/u.test(labels.at(-1)!)
  )
}
