/** Where letters are handed over by SMTP, as one address says it. */

/** How a connection is protected: TLS from the first byte, by STARTTLS before anything is said, or not. */
export type MailSecurity = "TLS" | "STARTTLS" | "NONE"

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly credentials?: { readonly user: string; readonly password: string }
}

const takes =
  "Expected smtps://USER:PASSWORD@HOST:PORT, or smtp://… with STARTTLS; no path, and signs such as @ and : percent-encoded in a password"

/** The ports of submission (RFC 6409, and RFC 8314 for TLS from the first byte). */
const ports = { "smtps:": 465, "smtp:": 587 } as const

const isScheme = (protocol: string): protocol is keyof typeof ports =>
  Object.hasOwn(ports, protocol)

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(host)

/**
 * The server that an address names, or what is wrong with it, in words that repeat nothing of it. A
 * connection to another machine is always protected; `smtp:` is allowed on the same machine only.
 */
export const mailServerOf = (text: string): MailServer | { readonly fault: string } => {
  const url = parsed(text)
  if (url === undefined || !isScheme(url.protocol) || url.hostname === "") return { fault: takes }
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    return { fault: takes }
  if ((url.username === "") !== (url.password === "")) return { fault: takes }
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (user === undefined || password === undefined) return { fault: takes }
  const plain = isLoopback(url.hostname) ? "NONE" : "STARTTLS"
  return {
    host: url.hostname.replaceAll(/[[\]]/gu, ""),
    port: url.port === "" ? ports[url.protocol] : Number(url.port),
    security: url.protocol === "smtps:" ? "TLS" : plain,
    ...(user === "" ? {} : { credentials: { user, password } })
  }
}

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const decoded = (text: string): string | undefined => {
  try {
    const whole = decodeURIComponent(text)
    return /\p{Cc}/u.test(whole) ? undefined : whole
  } catch {
    return undefined
  }
}
