/**
 * An e-mail as it is handed over for delivery (RFC 5322, RFC 2045 to 2047, RFC 6532). Nothing that a
 * message carries can start a line of its head or end it, whatever names and addresses are in it.
 */
import { isEmailAddress } from "@quittance/domain/values/EmailAddress"
import { DateTime } from "effect"
import { createHash } from "node:crypto"
import { domainToASCII } from "node:url"

export interface MailMessage {
  /** Of letters, digits, `.`, `_` and `-`: the same message sent again has the same. */
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The page that ends letters of its kind, also by a `POST` alone (RFC 2369, RFC 8058). */
  readonly unsubscribe?: string
}

/** From whom and to whom a message goes, as a mail server is told; `undefined` when no mail can be sent there. */
export const envelopeOf = (message: MailMessage) => {
  const to = address(message.to)
  const from = address(message.from.address)
  return to === undefined || from === undefined ? undefined : { from, to }
}

/**
 * How a body is written: as it is, for people who look into the file, or in ASCII alone, so that no server
 * on the way has to write it again, which would break its signature.
 */
type Transfer = "8bit" | "quoted-printable"

/** The message as text, lines ended by CR LF; `undefined` when no mail can be sent to the address. */
export const encode = (
  message: MailMessage,
  sentAtMillis: number,
  transfer: Transfer = "8bit"
): string | undefined => {
  const envelope = envelopeOf(message)
  if (envelope === undefined) return undefined
  const { from, to } = envelope
  const boundary = `=_${createHash("sha256").update(message.id).digest("hex").slice(0, 32)}`
  const host = from.slice(from.lastIndexOf("@") + 1)
  const lines = [
    `Date: ${date(sentAtMillis)}`,
    `From: ${phrase("From", message.from.name)} <${from}>`,
    `To: <${to}>`,
    `Message-ID: <${message.id}@${host}>`,
    `Subject: ${phrase("Subject", message.subject)}`,
    "MIME-Version: 1.0",
    // No answering machine need answer (RFC 3834).
    "Auto-Submitted: auto-generated",
    ...(message.unsubscribe === undefined ? [] : unsubscribing(message.unsubscribe)),
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    ...part(boundary, "text/plain", message.text, transfer),
    ...part(boundary, "text/html", message.html, transfer),
    `--${boundary}--`,
    ""
  ]
  return lines.join("\r\n")
}

/** As ASCII without blanks, whatever the address is: it can end no line. */
const unsubscribing = (page: string): ReadonlyArray<string> => [
  `List-Unsubscribe: <${new URL(page).href}>`,
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click"
]

/** The longest line that any mail server has to take, in octets and without its end. */
const longestLine = 998

const part = (
  boundary: string,
  type: string,
  content: string,
  transfer: Transfer
): ReadonlyArray<string> => {
  const lines = content.split(/\r\n|\r|\n/u)
  const fits = lines.every((line) => Buffer.byteLength(line) <= longestLine)
  const encoding = fits ? transfer : "quoted-printable"
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    ...(encoding === "8bit" ? lines : lines.flatMap(quotedPrintable))
  ]
}

/** What a line of quoted-printable has room for, beside the sign that it goes on (RFC 2045, section 6.7). */
const quotedLine = 75

/** A line in ASCII, in as many lines as it takes. */
const quotedPrintable = (line: string): ReadonlyArray<string> => {
  const octets = [...Buffer.from(line)]
  const lines = [""]
  for (const [index, octet] of octets.entries()) {
    const isLast = index === octets.length - 1
    const isBlank = octet === 0x20 || octet === 0x09
    const isPlain = octet >= 0x21 && octet <= 0x7e && octet !== 0x3d
    const sign =
      isPlain || (isBlank && !isLast)
        ? String.fromCharCode(octet)
        : `=${octet.toString(16).toUpperCase().padStart(2, "0")}`
    if (lines.at(-1)!.length + sign.length <= quotedLine) lines[lines.length - 1] += sign
    else lines.push(sign)
  }
  return lines.map((text, index) => (index === lines.length - 1 ? text : `${text}=`))
}

const plain = /^[A-Za-z0-9 ]*$/u
/** What an encoded word of 75 characters has room for, in octets (RFC 2047, section 2). */
const wordBytes = 45

/** A text of the head: as it is if nothing in it can be misread, else in encoded words. */
const phrase = (header: string, text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
  if (plain.test(line) && header.length + line.length < 70) return line === "" ? '""' : line
  return words(line)
    .map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`)
    .join("\r\n ")
}

/** The text in pieces that fit into an encoded word, no character cut in two. */
const words = (text: string): ReadonlyArray<string> => {
  const pieces = [""]
  for (const character of text) {
    const grown = pieces.at(-1)! + character
    if (Buffer.byteLength(grown) <= wordBytes) pieces[pieces.length - 1] = grown
    else pieces.push(character)
  }
  return pieces
}

const host = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

/**
 * An address as a head takes it; `undefined` for one that no mail server would. Addresses that were
 * stored before they were judged as they are now may need quotes.
 */
const address = (text: string): string | undefined => {
  const at = text.lastIndexOf("@")
  const [local, domain] = [text.slice(0, at), domainToASCII(text.slice(at + 1))]
  if (isEmailAddress(text)) return domain === "" ? undefined : `${local}@${domain}`
  if (at < 1 || !host.test(domain) || domain.includes("..") || /\p{C}/u.test(local)) {
    return undefined
  }
  return `"${local.replaceAll(/["\\]/gu, String.raw`\$&`)}"@${domain}`
}

/** `Sat, 21 Nov 2026 07:00:00 +0000` */
const date = (millis: number) =>
  DateTime.toDateUtc(DateTime.makeUnsafe(millis)).toUTCString().replace("GMT", "+0000")
