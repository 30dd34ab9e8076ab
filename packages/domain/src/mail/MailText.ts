/** What letters say, in the language of their tenant, as plain text and as HTML. */
import { type Instant, toEpochMillis } from "../values/Instant.ts"
import { html, text } from "./MailLayout.ts"
import { wordingOf, type Wording } from "./MailWording.ts"

/** What a letter is for: its link lets its reader in. */
type LetterKind = "INVITATION" | "WELCOME" | "PASSWORD_RESET"

/** What letters say of the tenant that sends them. */
export interface Sender {
  readonly name: string
  readonly environment: string
  /** BCP 47. */
  readonly locale: string
  /** IANA. */
  readonly timeZone: string
}

export interface LetterContent {
  readonly kind: LetterKind
  readonly tenant: Sender
  readonly firstName: string | undefined
  /** Who wants it sent. */
  readonly inviter: string | undefined
  /** What the button opens. */
  readonly link: string
  /** Until when the link works. */
  readonly expiresAt: Instant
}

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A letter of any kind: the words of its language, in the layout of all letters. */
export const write = (content: LetterContent): MailText => {
  const { expiresAt, firstName, inviter, kind, link, tenant } = content
  const wording = wordingOf(tenant.locale)
  const { action, closing, opening, subject } = wording[kind](tenant.name, readable(inviter))
  const until = wording.linkUntil(instant(expiresAt, tenant, wording))
  const letter = {
    language: wording.language,
    subject,
    before: [wording.greeting(readable(firstName)), opening],
    action,
    link,
    copyLink: wording.copyLink,
    after: [until, closing, ...(tenant.environment === "production" ? [] : [wording.sandbox])],
    signature: tenant.name
  }
  return { subject, text: text(letter), html: html(letter) }
}

/**
 * A name that a user typed, if it can be nothing but a name. Mail programs make links of what looks like an
 * address, so an inviter could otherwise send advertisements through the service.
 */
const readable = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\p{L}\p{M}][\p{L}\p{M} '’-]{0,79}$/u.test(name) ? name : undefined

/** In the tenant's time zone, which it names. */
const instant = (at: Instant, { locale, timeZone }: Sender, { formats, language }: Wording) => {
  const ownFormats = locale.split("-")[0] === language ? locale : formats
  const format = new Intl.DateTimeFormat(ownFormats, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone
  })
  return `${format.format(toEpochMillis(at))} (${timeZone})`
}
