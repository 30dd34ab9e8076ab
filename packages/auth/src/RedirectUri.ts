/** Whether an answer may be sent to an address. */

const loopbackPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=\/)/u

/**
 * Compares exactly, as RFC 9700 (section 2.1) wants it; only the port of a loopback address is free,
 * because a program on the user's machine takes whichever it gets (RFC 8252, section 7.3). What
 * matches is an address: no text with a port beyond the last one does.
 */
export const matches = (registered: string, given: string): boolean =>
  given === registered || (given.replace(loopbackPort, "$1") === registered && URL.canParse(given))
