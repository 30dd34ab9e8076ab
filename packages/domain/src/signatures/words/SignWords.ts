/** What the page says on which a signer signs, by language. Readers are addressed formally. */
import type { SignatureStatus } from "../SignatureLifecycle.ts"
import { english } from "./English.ts"
import { french } from "./French.ts"
import { german } from "./German.ts"
import { italian } from "./Italian.ts"
import { spanish } from "./Spanish.ts"

/** What a page says at its top. */
export interface Said {
  readonly heading: string
  readonly lead: string
}

/** One language. */
export interface SignWords {
  /** ISO 639-1. */
  readonly language: string
  /** Begins the title of a page after a try that has failed. */
  readonly error: string
  readonly heading: string
  readonly lead: (tenant: string, policy: string) => string
  readonly signer: (name: string) => string
  readonly until: (instant: string) => string
  readonly begin: string
  readonly read: Said
  /** A document, and how many pages it has. */
  readonly open: (title: string, pages: number) => string
  readonly isRead: string
  readonly prove: { readonly heading: string; readonly lead: (email: string) => string }
  readonly sendCode: string
  readonly sendAnother: string
  readonly code: string
  readonly codeHint: string
  readonly enter: string
  readonly sign: Said
  readonly name: string
  readonly nameHint: (name: string) => string
  readonly signNow: string
  readonly decline: Said
  readonly reason: string
  readonly declineNow: string
  readonly notYet: Said
  /** The signer has signed, and others have not. */
  readonly signed: Said
  readonly ended: Readonly<Record<Exclude<SignatureStatus, "OPEN">, Said>>
  readonly wrongLink: Said
  readonly problems: {
    readonly wait: (minutes: number) => string
    readonly code: (triesLeft: number) => string
    readonly codeForm: string
    readonly locked: string
    readonly name: string
    readonly unread: string
    readonly consents: string
    readonly reason: string
    readonly moved: string
  }
}

const all: ReadonlyArray<SignWords> = [english, french, german, italian, spanish]

/** The words of the first of these locales (BCP 47) whose language there is, or English ones. */
export const signWordsOf = (...locales: ReadonlyArray<string>): SignWords => {
  for (const locale of locales) {
    const own = all.find(({ language }) => language === locale.split("-")[0]?.toLowerCase())
    if (own !== undefined) return own
  }
  return english
}
