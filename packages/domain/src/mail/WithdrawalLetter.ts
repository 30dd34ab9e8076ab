/**
 * The letter that acknowledges a withdrawal: what was received, when, and its effects, on a durable medium
 * (art. 11a(4) of directive 2011/83/EU).
 */
import type { Instant } from "../values/Instant.ts"
import type { LocalDate } from "../values/LocalDate.ts"
import { html, text } from "./MailLayout.ts"
import { amountText, dayText } from "./MailValues.ts"
import { instantText, type MailText, origin, readable, type Sender } from "./MailText.ts"
import { wordingOf } from "./MailWording.ts"

export interface WithdrawalContent {
  readonly tenant: Sender
  readonly name: string
  readonly policyNumber: number
  readonly confirmedAt: Instant
  readonly endsAt: Instant
  /** In minor units. */
  readonly refund: number
  readonly currency: string
  readonly refundDueOn: LocalDate
}

interface Words {
  readonly subject: (policy: string) => string
  readonly received: (policy: string, at: string) => string
  readonly ends: (at: string) => string
  readonly refund: (amount: string, day: string) => string
  readonly keep: string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: (policy) => `Your withdrawal from policy ${policy}`,
    received: (policy, at) => `Your withdrawal from policy ${policy} was received on ${at}.`,
    ends: (at) => `The contract and its cover end on ${at}.`,
    refund: (amount, day) =>
      `${amount} of what was invoiced is credited. What you have paid of it is paid back by ${day}.`,
    keep: "Keep this e-mail: it proves your withdrawal."
  },
  fr: {
    subject: (policy) => `Votre renonciation au contrat ${policy}`,
    received: (policy, at) => `Votre renonciation au contrat ${policy} a été reçue le ${at}.`,
    ends: (at) => `Le contrat et ses garanties prennent fin le ${at}.`,
    refund: (amount, day) =>
      `${amount} sont portés à votre crédit. Ce que vous en avez payé vous est remboursé au plus tard le ${day}.`,
    keep: "Conservez ce message\u00a0: il prouve votre renonciation."
  },
  de: {
    subject: (policy) => `Ihr Widerruf des Vertrags ${policy}`,
    received: (policy, at) => `Ihr Widerruf des Vertrags ${policy} ist eingegangen: ${at}.`,
    ends: (at) => `Der Vertrag und sein Schutz enden: ${at}.`,
    refund: (amount, day) =>
      `Gutgeschrieben werden ${amount}. Was Sie davon gezahlt haben, wird spätestens am ${day} erstattet.`,
    keep: "Bewahren Sie diese Nachricht auf: Sie belegt Ihren Widerruf."
  },
  it: {
    subject: (policy) => `Il Suo recesso dalla polizza ${policy}`,
    received: (policy, at) => `Il Suo recesso dalla polizza ${policy} è stato ricevuto: ${at}.`,
    ends: (at) => `Il contratto e la copertura terminano: ${at}.`,
    refund: (amount, day) =>
      `Le vengono accreditati ${amount}. Quanto ne ha pagato Le viene rimborsato entro il ${day}.`,
    keep: "Conservi questo messaggio: prova il Suo recesso."
  },
  es: {
    subject: (policy) => `Su desistimiento de la póliza ${policy}`,
    received: (policy, at) => `Su desistimiento de la póliza ${policy} se ha recibido: ${at}.`,
    ends: (at) => `El contrato y su cobertura terminan: ${at}.`,
    refund: (amount, day) =>
      `Se le abonan ${amount}. Lo que haya pagado de ello se le devuelve a más tardar el ${day}.`,
    keep: "Conserve este mensaje: prueba su desistimiento."
  }
}

/** The letter, in the language of its tenant. */
export const writeWithdrawal = (content: WithdrawalContent): MailText => {
  const { confirmedAt, currency, endsAt, name, policyNumber, refund, refundDueOn, tenant } = content
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const policy = String(policyNumber)
  const letter = {
    language: wording.language,
    subject: own.subject(policy),
    before: [
      wording.greeting(readable(name)),
      own.received(policy, instantText(confirmedAt, tenant, wording)),
      own.ends(instantText(endsAt, tenant, wording)),
      ...(refund === 0
        ? []
        : [
            own.refund(
              amountText(refund, currency, wording.formats),
              dayText(refundDueOn, wording.formats)
            )
          ])
    ],
    after: [own.keep, ...origin(tenant, wording)],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
