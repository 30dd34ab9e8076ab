/** What a mail server's refusal means for a letter. */

/** What the library says of a failure; its texts may name the recipient, so they go nowhere. */
export interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  /** Of what failed below, such as `ECONNREFUSED`. */
  readonly originalCode?: string
  readonly response?: string
  readonly responseCode?: number
  readonly timeoutType?: string
}

/**
 * A letter is refused for its address where the server will never take this recipient (RFC 5321, section
 * 4.2.1; RFC 3463, class 5.1), or can't take such an address at all (RFC 6531, code 5.6.7). Any other refusal
 * is retried: the operator can mend a password, a certificate or a sender that is not allowed, and a full
 * mailbox may be emptied.
 */
export const judge = (failure: SmtpFailure) =>
  ({
    reason: isWrongAddress(failure) ? "ADDRESS" : "TRANSPORT",
    detail: described(failure)
  }) as const

const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/u

const isWrongAddress = ({ command, response = "", responseCode = 0 }: SmtpFailure): boolean => {
  if (command !== "RCPT TO" || responseCode < 500) return false
  const [, code] = enhanced.exec(response) ?? []
  if (code !== undefined) return code.startsWith("5.1.") || code === "5.6.7"
  return [550, 551, 553].includes(responseCode)
}

/** The step, the codes and the name of the error: nothing that a server or a person has written. */
const described = ({
  code,
  command,
  originalCode,
  response = "",
  responseCode,
  timeoutType
}: SmtpFailure) => {
  const [, status] = enhanced.exec(response) ?? []
  const answer = [responseCode, status].filter((part) => part !== undefined).join(" ")
  const step =
    command === undefined || answer === "" ? command : `${command} was answered ${answer}`
  const said = [step, originalCode ?? code, timeoutType].filter((part) => part !== undefined)
  return said.length === 0 ? "no reason was given" : said.join(", ")
}
