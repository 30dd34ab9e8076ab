/** The letter that asks a customer for a document: its link takes one file, without a sign-in. */
import type { Instant } from "../values/Instant.ts"
import type { LocalDate } from "../values/LocalDate.ts"
import { html, text } from "./MailLayout.ts"
import { instantText, type MailText, origin, readable, type Sender } from "./MailText.ts"
import { dayText } from "./MailValues.ts"
import { wordingOf } from "./MailWording.ts"

export interface DocumentRequestContent {
  readonly tenant: Sender
  readonly name: string | undefined
  /** What is asked for. */
  readonly label: string
  readonly note?: string | undefined
  readonly dueOn?: LocalDate | undefined
  /** Whether a file has come before, and was rejected. */
  readonly isRepeated: boolean
  readonly link: string
  /** Until when the link takes a file. */
  readonly expiresAt: Instant
}

interface Words {
  readonly subject: (label: string) => string
  readonly asks: (tenant: string, label: string) => string
  readonly rejected: string
  readonly due: (day: string) => string
  readonly action: string
  readonly once: string
  readonly until: (instant: string) => string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: (label) => `A document that we need from you: ${label}`,
    asks: (tenant, label) => `${tenant} asks you for this document: ${label}.`,
    rejected:
      "The file that came before was not safe to open, and was destroyed. Send another one.",
    due: (day) => `Please send it by ${day}.`,
    action: "Send the document",
    once: "The link takes one file: a PDF or a picture of at most 25 MB. Do not pass this e-mail on.",
    until: (instant) => `It works until ${instant}.`
  },
  fr: {
    subject: (label) => `Un document à nous envoyer\u00a0: ${label}`,
    asks: (tenant, label) => `${tenant} vous demande ce document\u00a0: ${label}.`,
    rejected:
      "Le fichier reçu auparavant présentait un danger et a été détruit. Envoyez-en un autre.",
    due: (day) => `Merci de l’envoyer au plus tard le ${day}.`,
    action: "Envoyer le document",
    once: "Le lien accepte un seul fichier\u00a0: un PDF ou une image de 25\u00a0Mo au plus. Ne transférez pas ce message.",
    until: (instant) => `Il fonctionne jusqu’au ${instant}.`
  },
  de: {
    subject: (label) => `Ein Dokument, das wir von Ihnen brauchen: ${label}`,
    asks: (tenant, label) => `${tenant} bittet Sie um dieses Dokument: ${label}.`,
    rejected:
      "Die zuvor eingegangene Datei war nicht sicher und wurde vernichtet. Bitte senden Sie eine andere.",
    due: (day) => `Bitte senden Sie es bis zum ${day}.`,
    action: "Dokument senden",
    once: "Der Link nimmt eine einzige Datei an: ein PDF oder ein Bild von höchstens 25 MB. Leiten Sie diese Nachricht nicht weiter.",
    until: (instant) => `Er funktioniert bis ${instant}.`
  },
  it: {
    subject: (label) => `Un documento che Le chiediamo: ${label}`,
    asks: (tenant, label) => `${tenant} Le chiede questo documento: ${label}.`,
    rejected: "Il file arrivato prima non era sicuro ed è stato distrutto. Ne invii un altro.",
    due: (day) => `La preghiamo di inviarlo entro il ${day}.`,
    action: "Inviare il documento",
    once: "Il link accetta un solo file: un PDF o un’immagine di 25 MB al massimo. Non inoltri questo messaggio.",
    until: (instant) => `Funziona fino a: ${instant}.`
  },
  es: {
    subject: (label) => `Un documento que necesitamos de usted: ${label}`,
    asks: (tenant, label) => `${tenant} le pide este documento: ${label}.`,
    rejected: "El archivo recibido antes no era seguro y se ha destruido. Envíe otro.",
    due: (day) => `Le rogamos que lo envíe a más tardar el ${day}.`,
    action: "Enviar el documento",
    once: "El enlace admite un solo archivo: un PDF o una imagen de 25 MB como máximo. No reenvíe este mensaje.",
    until: (instant) => `Funciona hasta: ${instant}.`
  }
}

/** The letter, in the language of its tenant. */
export const writeDocumentRequest = (content: DocumentRequestContent): MailText => {
  const { dueOn, expiresAt, isRepeated, label, link, name, note, tenant } = content
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const letter = {
    language: wording.language,
    subject: own.subject(label),
    before: [
      wording.greeting(readable(name)),
      ...(isRepeated ? [own.rejected] : []),
      own.asks(tenant.name, label),
      ...(note === undefined || note === label ? [] : [note]),
      ...(dueOn === undefined ? [] : [own.due(dayText(dueOn, wording.formats))])
    ],
    button: { action: own.action, link, copyLink: wording.copyLink },
    after: [
      own.once,
      own.until(instantText(expiresAt, tenant, wording)),
      ...origin(tenant, wording)
    ],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
