/** The letter that proves that a signer has their address: it has a code of six digits, and no link. */
import { html, text } from "./MailLayout.ts"
import { type MailText, origin, readable, type Sender } from "./MailText.ts"
import { wordingOf } from "./MailWording.ts"

export interface SignerCodeContent {
  readonly tenant: Sender
  readonly firstName: string
  readonly code: string
}

interface Words {
  readonly subject: (tenant: string) => string
  readonly code: (code: string) => string
  readonly until: string
  readonly secret: string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: (tenant) => `Your code to sign with ${tenant}`,
    code: (code) => `Your code to sign is ${code}.`,
    until: "It holds for 10 minutes, for the documents that you were shown.",
    secret: "Tell it to no one. If you do not sign anything, ignore this e-mail."
  },
  fr: {
    subject: (tenant) => `Votre code de signature pour ${tenant}`,
    code: (code) => `Votre code de signature est ${code}.`,
    until: "Il est valable 10 minutes, pour les documents qui vous ont été présentés.",
    secret: "Ne le communiquez à personne. Si vous ne signez rien, ignorez ce message."
  },
  de: {
    subject: (tenant) => `Ihr Code zum Unterschreiben bei ${tenant}`,
    code: (code) => `Ihr Code zum Unterschreiben ist ${code}.`,
    until: "Er gilt 10 Minuten, für die Dokumente, die Ihnen gezeigt wurden.",
    secret:
      "Nennen Sie ihn niemandem. Wenn Sie nichts unterschreiben, ignorieren Sie diese Nachricht."
  },
  it: {
    subject: (tenant) => `Il Suo codice per firmare con ${tenant}`,
    code: (code) => `Il Suo codice per firmare è ${code}.`,
    until: "Vale 10 minuti, per i documenti che Le sono stati mostrati.",
    secret: "Non lo comunichi a nessuno. Se non firma nulla, ignori questo messaggio."
  },
  es: {
    subject: (tenant) => `Su código para firmar con ${tenant}`,
    code: (code) => `Su código para firmar es ${code}.`,
    until: "Es válido durante 10 minutos, para los documentos que se le han mostrado.",
    secret: "No se lo diga a nadie. Si no firma nada, ignore este mensaje."
  }
}

/** The letter, in the language of its tenant. */
export const writeSignerCode = ({ code, firstName, tenant }: SignerCodeContent): MailText => {
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const letter = {
    language: wording.language,
    subject: own.subject(tenant.name),
    before: [wording.greeting(readable(firstName)), own.code(code), own.until],
    after: [own.secret, ...origin(tenant, wording)],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
