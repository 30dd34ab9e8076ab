/** The letter with a link to a document. The document is not in it: a letter is read by each server on its way. */
import type { Instant } from "../values/Instant.ts"
import { html, text } from "./MailLayout.ts"
import { instantText, type MailText, origin, readable, type Sender } from "./MailText.ts"
import { wordingOf } from "./MailWording.ts"

export interface DocumentLetterContent {
  readonly tenant: Sender
  readonly name: string | undefined
  /** What lists call the document. */
  readonly title: string
  readonly link: string
  /** Until when the link works. */
  readonly expiresAt: Instant
}

interface Words {
  readonly subject: (tenant: string, title: string) => string
  readonly opening: (tenant: string, title: string) => string
  readonly action: string
  readonly until: (instant: string) => string
  readonly keep: string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: (tenant, title) => `${title}: a document from ${tenant}`,
    opening: (tenant, title) => `${tenant} has a document for you: ${title}.`,
    action: "Open the document",
    until: (instant) =>
      `The link works until ${instant}. It is for you alone: do not pass this e-mail on.`,
    keep: "Save the document when you have opened it. Where the link has ended, ask us for another one."
  },
  fr: {
    subject: (tenant, title) => `${title}\u00a0: un document de ${tenant}`,
    opening: (tenant, title) => `${tenant} met un document à votre disposition\u00a0: ${title}.`,
    action: "Ouvrir le document",
    until: (instant) =>
      `Ce lien fonctionne jusqu’au ${instant}. Il est strictement personnel\u00a0: ne transférez pas ce message.`,
    keep: "Enregistrez le document une fois ouvert. Si le lien a expiré, demandez-nous-en un autre."
  },
  de: {
    subject: (tenant, title) => `${title}: ein Dokument von ${tenant}`,
    opening: (tenant, title) => `${tenant} hat ein Dokument für Sie: ${title}.`,
    action: "Dokument öffnen",
    until: (instant) =>
      `Der Link funktioniert bis ${instant}. Er ist nur für Sie bestimmt: Leiten Sie diese Nachricht nicht weiter.`,
    keep: "Speichern Sie das Dokument, wenn Sie es geöffnet haben. Ist der Link abgelaufen, bitten Sie uns um einen neuen."
  },
  it: {
    subject: (tenant, title) => `${title}: un documento di ${tenant}`,
    opening: (tenant, title) => `${tenant} ha un documento per Lei: ${title}.`,
    action: "Apri il documento",
    until: (instant) =>
      `Il link funziona fino a ${instant}. È personale: non inoltri questo messaggio.`,
    keep: "Salvi il documento dopo averlo aperto. Se il link è scaduto, ce ne chieda un altro."
  },
  es: {
    subject: (tenant, title) => `${title}: un documento de ${tenant}`,
    opening: (tenant, title) => `${tenant} tiene un documento para usted: ${title}.`,
    action: "Abrir el documento",
    until: (instant) =>
      `El enlace funciona hasta el ${instant}. Es personal: no reenvíe este mensaje.`,
    keep: "Guarde el documento cuando lo haya abierto. Si el enlace ha caducado, pídanos otro."
  }
}

/** The letter, in the language of its tenant. */
export const writeDocumentLetter = (content: DocumentLetterContent): MailText => {
  const { expiresAt, link, name, tenant, title } = content
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const letter = {
    language: wording.language,
    subject: own.subject(tenant.name, title),
    before: [wording.greeting(readable(name)), own.opening(tenant.name, title)],
    button: { action: own.action, link, copyLink: wording.copyLink },
    after: [
      own.until(instantText(expiresAt, tenant, wording)),
      own.keep,
      ...origin(tenant, wording)
    ],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
