/** The words of letters, by language. */
import { english } from "./EnglishLetters.ts"
import { french } from "./FrenchLetters.ts"
import { german } from "./GermanLetters.ts"
import { italian } from "./ItalianLetters.ts"
import { spanish } from "./SpanishLetters.ts"

/** What is particular to a letter. */
export interface Parts {
  readonly subject: string
  readonly opening: string
  /** What its button says. */
  readonly action: string
  /** What readers are told who did not expect it. */
  readonly closing: string
}

/** A letter of a tenant, asked for by a user where that is known. */
type Asked = (tenant: string, inviter: string | undefined) => Parts

/** A letter about the reader's own account, which says when something has changed there. */
type Changed = (tenant: string, instant: string) => Parts

/** A letter to those who manage webhooks: about which webhook, and since when. */
type OfWebhook = (tenant: string, webhookId: string, instant: string) => Omit<Parts, "action">

/** One language. Readers are addressed formally, and no word depends on their gender. */
export interface Wording {
  /** ISO 639-1. */
  readonly language: string
  /** The locale by which instants are written. */
  readonly formats: string
  readonly greeting: (firstName: string | undefined) => string
  readonly linkUntil: (instant: string) => string
  readonly copyLink: string
  readonly sandbox: string
  readonly INVITATION: Asked
  readonly WELCOME: Asked
  readonly PASSWORD_RESET: Asked
  readonly PASSWORD_CHANGED: Changed
  readonly SECOND_FACTOR_CHANGED: Changed
  readonly WEBHOOK_FAILING: OfWebhook
  readonly WEBHOOK_DISABLED: OfWebhook
  /** Introduces the link that ends letters about webhooks. */
  readonly unsubscribe: string
}

export const wordings: ReadonlyArray<Wording> = [english, french, german, italian, spanish]

/** The words for a locale (BCP 47): of its language, or English ones. */
export const wordingOf = (locale: string): Wording =>
  wordings.find(({ language }) => language === locale.split("-")[0]) ?? english
