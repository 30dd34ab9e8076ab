/** The letter that asks a signer to sign, and asks them once more: who asks, until when, and the link of theirs. */
import { Schema } from "effect"
import type { Instant } from "../values/Instant.ts"
import { html, text } from "./MailLayout.ts"
import { instantText, type MailText, origin, readable, type Sender } from "./MailText.ts"
import { wordingOf } from "./MailWording.ts"

/** Whether it is the first letter of a signer, or a reminder. */
export const RequestLetterKind = Schema.Literals(["NOTIFIED", "REMINDED"])
export type RequestLetterKind = typeof RequestLetterKind.Type

export interface SignerRequestContent {
  readonly kind: RequestLetterKind
  readonly tenant: Sender
  readonly firstName: string
  readonly policyNumber: number
  readonly link: string
  readonly expiresAt: Instant
}

interface Words {
  readonly subject: Readonly<Record<RequestLetterKind, (tenant: string) => string>>
  readonly opening: Readonly<Record<RequestLetterKind, (tenant: string, policy: string) => string>>
  readonly action: string
  readonly until: (instant: string) => string
  readonly closing: string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: {
      NOTIFIED: (tenant) => `${tenant} asks you to sign`,
      REMINDED: (tenant) => `Reminder: ${tenant} asks you to sign`
    },
    opening: {
      NOTIFIED: (tenant, policy) => `${tenant} asks you to read and to sign policy ${policy}.`,
      REMINDED: (tenant, policy) =>
        `Policy ${policy} with ${tenant} still waits for your signature.`
    },
    action: "Read and sign",
    until: (instant) =>
      `You may sign until ${instant}. The link is for you alone: do not pass this e-mail on.`,
    closing: "If you do not want to sign, you can refuse on the same page."
  },
  fr: {
    subject: {
      NOTIFIED: (tenant) => `${tenant} vous demande une signature`,
      REMINDED: (tenant) => `Rappel\u00a0: ${tenant} vous demande une signature`
    },
    opening: {
      NOTIFIED: (tenant, policy) =>
        `${tenant} vous demande de lire et de signer le contrat ${policy}.`,
      REMINDED: (tenant, policy) =>
        `Le contrat ${policy} avec ${tenant} attend toujours votre signature.`
    },
    action: "Lire et signer",
    until: (instant) =>
      `Vous pouvez signer jusqu’au ${instant}. Le lien est strictement personnel\u00a0: ne transférez pas ce message.`,
    closing: "Si vous ne souhaitez pas signer, vous pouvez refuser sur la même page."
  },
  de: {
    subject: {
      NOTIFIED: (tenant) => `${tenant} bittet um Ihre Unterschrift`,
      REMINDED: (tenant) => `Erinnerung: ${tenant} bittet um Ihre Unterschrift`
    },
    opening: {
      NOTIFIED: (tenant, policy) =>
        `${tenant} bittet Sie, den Vertrag ${policy} zu lesen und zu unterschreiben.`,
      REMINDED: (tenant, policy) =>
        `Der Vertrag ${policy} mit ${tenant} wartet noch auf Ihre Unterschrift.`
    },
    action: "Lesen und unterschreiben",
    until: (instant) =>
      `Sie können unterschreiben bis: ${instant}. Der Link ist nur für Sie bestimmt: Leiten Sie diese Nachricht nicht weiter.`,
    closing: "Wenn Sie nicht unterschreiben möchten, können Sie auf derselben Seite ablehnen."
  },
  it: {
    subject: {
      NOTIFIED: (tenant) => `${tenant} Le chiede una firma`,
      REMINDED: (tenant) => `Promemoria: ${tenant} Le chiede una firma`
    },
    opening: {
      NOTIFIED: (tenant, policy) =>
        `${tenant} Le chiede di leggere e firmare la polizza ${policy}.`,
      REMINDED: (tenant, policy) =>
        `La polizza ${policy} con ${tenant} attende ancora la Sua firma.`
    },
    action: "Leggere e firmare",
    until: (instant) =>
      `Può firmare fino a: ${instant}. Il link è strettamente personale: non inoltri questo messaggio.`,
    closing: "Se non desidera firmare, può rifiutare nella stessa pagina."
  },
  es: {
    subject: {
      NOTIFIED: (tenant) => `${tenant} le pide una firma`,
      REMINDED: (tenant) => `Recordatorio: ${tenant} le pide una firma`
    },
    opening: {
      NOTIFIED: (tenant, policy) => `${tenant} le pide que lea y firme la póliza ${policy}.`,
      REMINDED: (tenant, policy) => `La póliza ${policy} con ${tenant} aún espera su firma.`
    },
    action: "Leer y firmar",
    until: (instant) =>
      `Puede firmar hasta: ${instant}. El enlace es estrictamente personal: no reenvíe este mensaje.`,
    closing: "Si no desea firmar, puede rechazarlo en la misma página."
  }
}

/** The letter, in the language of its tenant. */
export const writeSignerRequest = (content: SignerRequestContent): MailText => {
  const { expiresAt, firstName, kind, link, policyNumber, tenant } = content
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const letter = {
    language: wording.language,
    subject: own.subject[kind](tenant.name),
    before: [
      wording.greeting(readable(firstName)),
      own.opening[kind](tenant.name, String(policyNumber))
    ],
    button: { action: own.action, link, copyLink: wording.copyLink },
    after: [
      own.until(instantText(expiresAt, tenant, wording)),
      own.closing,
      ...origin(tenant, wording)
    ],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
