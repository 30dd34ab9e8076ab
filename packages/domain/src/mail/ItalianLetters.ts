/** Letters in Italian. */
import type { Wording } from "./MailWording.ts"

export const italian: Wording = {
  language: "it",
  formats: "it-IT",
  greeting: (firstName) => (firstName === undefined ? "Buongiorno," : `Buongiorno ${firstName},`),
  linkUntil: (instant) =>
    `Il link funziona una sola volta, fino a ${instant}. È personale: non inoltri questo messaggio.`,
  copyLink: "Se il pulsante non funziona, copi questo indirizzo nel browser:",
  sandbox:
    "Questo messaggio proviene da un ambiente di prova: nulla di ciò che vi si fa riguarda una polizza reale.",
  INVITATION: (tenant, inviter) => ({
    subject: `Il Suo invito da ${tenant}`,
    opening:
      inviter === undefined
        ? `${tenant} Le invia un invito.`
        : `${inviter} La invita a unirsi a ${tenant}.`,
    action: "Accetti l’invito",
    closing: "Se non aspettava alcun invito, non deve fare nulla: senza il link non ha effetto."
  }),
  WELCOME: (tenant, inviter) => ({
    subject: `Il Suo account presso ${tenant}`,
    opening: `${
      inviter === undefined
        ? `È stato creato un account per Lei presso ${tenant}.`
        : `${inviter} ha creato un account per Lei presso ${tenant}.`
    } Scelga una password per utilizzarlo.`,
    action: "Scelga una password",
    closing:
      "Se non aspettava alcun account, non deve fare nulla: senza password non può essere utilizzato."
  }),
  PASSWORD_RESET: (tenant) => ({
    subject: `Nuova password per ${tenant}`,
    opening: `È stata richiesta una nuova password per il Suo account presso ${tenant}, probabilmente da Lei.`,
    action: "Scelga una nuova password",
    closing:
      "Se la richiesta non proviene da Lei, non deve fare nulla: la Sua password resta invariata. Una nuova password chiude tutte le Sue sessioni."
  }),
  PASSWORD_CHANGED: (tenant, instant) => ({
    subject: `La Sua password per ${tenant} è stata modificata`,
    opening: `La password del Suo account presso ${tenant} è stata modificata: ${instant}. Gli altri Suoi dispositivi sono stati disconnessi.`,
    action: "Scelga un’altra password",
    closing:
      "Se la modifica è Sua, non deve fare nulla. In caso contrario, scelga subito un’altra password."
  }),
  SECOND_FACTOR_CHANGED: (tenant, instant) => ({
    subject: `Il Suo secondo fattore per ${tenant} è stato modificato`,
    opening: `Un secondo fattore del Suo account presso ${tenant} è stato aggiunto o rimosso: ${instant}.`,
    action: "Scelga un’altra password",
    closing:
      "Se la modifica è Sua, non deve fare nulla. In caso contrario, scelga subito un’altra password e avvisi un amministratore."
  }),
  WEBHOOK_FAILING: (tenant, webhookId, instant) => ({
    subject: `Un webhook di ${tenant} non riceve nulla`,
    opening: `Al webhook ${webhookId} non è arrivato nulla dal momento seguente: ${instant}.`,
    closing:
      "L’elenco dei tentativi ne indica il motivo. Ogni evento viene tentato dieci volte, per circa tre giorni. Dopo cinque giorni senza consegne il webhook viene disattivato."
  }),
  WEBHOOK_DISABLED: (tenant, webhookId, instant) => ({
    subject: `Un webhook di ${tenant} è stato disattivato`,
    opening: `Il webhook ${webhookId} è stato disattivato (${instant}): il destinatario ha risposto 410 o non ha ricevuto nulla per cinque giorni.`,
    closing: "Corregga il destinatario, poi riattivi il webhook: riprende da dove si era fermato."
  }),
  unsubscribe:
    "Riceve questo messaggio perché può gestire i webhook. Per non ricevere altri messaggi al riguardo:"
}
