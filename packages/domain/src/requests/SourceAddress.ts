/** Addresses of callers, as proxies write them down. */

/**
 * An address without what proxies write around it: quotes, the brackets of IPv6 and the port, as in
 * `"[2001:db8::1]:4711"` and `192.0.2.7:4711` (RFC 7239, section 6). Any other text stays as it is.
 */
export const bare = (text: string): string => {
  const unquoted = text.trim().replace(/^"(.*)"$/u, "$1")
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/u.exec(unquoted)
  return bracketed?.[1] ?? /^(\d[\d.]*):\d{1,5}$/u.exec(unquoted)?.[1] ?? unquoted
}
