/** What letters say, in the language of their tenant, as plain text and as HTML. */
import { type Instant, toEpochMillis } from "../values/Instant.ts"
import { html, text } from "./MailLayout.ts"
import type { AccountNotice, WebhookNotice } from "./Notice.ts"
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

/** What a letter tells of that lets its reader in nowhere. */
export type NoticeContent = {
  readonly tenant: Sender
  readonly firstName: string
  /** When it happened. */
  readonly at: Instant
} & (
  | {
      readonly kind: AccountNotice
      /** The page on which another password is asked for. */
      readonly link: string
    }
  | {
      readonly kind: WebhookNotice
      readonly webhookId: string
      /** The page on which the reader ends letters of the kind. */
      readonly unsubscribe: string
    }
)

/** A letter with a link that lets its reader in: the words of its language, in the layout of all letters. */
export const write = (content: LetterContent): MailText => {
  const { expiresAt, firstName, inviter, kind, link, tenant } = content
  const wording = wordingOf(tenant.locale)
  const { action, closing, opening, subject } = wording[kind](tenant.name, readable(inviter))
  const until = wording.linkUntil(instantText(expiresAt, tenant, wording))
  const letter = {
    language: wording.language,
    subject,
    before: [wording.greeting(readable(firstName)), opening],
    button: { action, link, copyLink: wording.copyLink },
    after: [until, closing, ...origin(tenant, wording)],
    signature: tenant.name
  }
  return { subject, text: text(letter), html: html(letter) }
}

/** A letter that tells of something, in the same layout. */
export const writeNotice = (content: NoticeContent): MailText => {
  const { at, firstName, tenant } = content
  const wording = wordingOf(tenant.locale)
  const when = instantText(at, tenant, wording)
  const { closing, opening, subject, ...parts } = isOfAccount(content)
    ? accountNotice(content, when, wording)
    : {
        ...wording[content.kind](tenant.name, content.webhookId, when),
        unsubscribe: { words: wording.unsubscribe, link: content.unsubscribe }
      }
  const letter = {
    language: wording.language,
    subject,
    before: [wording.greeting(readable(firstName)), opening],
    after: [closing, ...origin(tenant, wording)],
    signature: tenant.name,
    ...parts
  }
  return { subject, text: text(letter), html: html(letter) }
}

type OfAccount = Extract<NoticeContent, { readonly link: string }>

const isOfAccount = (content: NoticeContent): content is OfAccount => "link" in content

const accountNotice = ({ kind, link, tenant }: OfAccount, when: string, wording: Wording) => {
  const { action, ...parts } = wording[kind](tenant.name, when)
  return { ...parts, button: { action, link, copyLink: wording.copyLink } }
}

/** Outside production, that it comes from there. */
export const origin = ({ environment }: Sender, { sandbox }: Wording): ReadonlyArray<string> =>
  environment === "production" ? [] : [sandbox]

/**
 * A name that a user typed, if it can be nothing but a name. Mail programs make links of what looks like an
 * address, so an inviter could otherwise send advertisements through the service.
 */
export const readable = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\p{L}\p{M}][\p{L}\p{M} '’-]{0,79}$/u.test(name) ? name : undefined

/** In the tenant's time zone, which it names. */
export const instantText = (
  at: Instant,
  { locale, timeZone }: Sender,
  { formats, language }: Wording
) => {
  const ownFormats = locale.split("-")[0] === language ? locale : formats
  const format = new Intl.DateTimeFormat(ownFormats, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone
  })
  return `${format.format(toEpochMillis(at))} (${timeZone})`
}
