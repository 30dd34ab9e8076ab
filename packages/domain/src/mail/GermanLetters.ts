/** Letters in German. */
import type { Wording } from "./MailWording.ts"

export const german: Wording = {
  language: "de",
  formats: "de-DE",
  greeting: (firstName) => (firstName === undefined ? "Guten Tag," : `Guten Tag ${firstName},`),
  linkUntil: (instant) =>
    `Der Link funktioniert einmal, bis ${instant}. Er ist nur für Sie bestimmt: Leiten Sie diese Nachricht nicht weiter.`,
  copyLink:
    "Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  sandbox:
    "Diese Nachricht kommt aus einer Testumgebung: Nichts, was dort geschieht, betrifft einen echten Vertrag.",
  INVITATION: (tenant, inviter) => ({
    subject: `Ihre Einladung von ${tenant}`,
    opening:
      inviter === undefined ? `${tenant} lädt Sie ein.` : `${inviter} lädt Sie zu ${tenant} ein.`,
    action: "Einladung annehmen",
    closing:
      "Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun: Ohne den Link hat sie keine Wirkung."
  }),
  WELCOME: (tenant, inviter) => ({
    subject: `Ihr Konto bei ${tenant}`,
    opening: `${
      inviter === undefined
        ? `Für Sie wurde ein Konto bei ${tenant} angelegt.`
        : `${inviter} hat für Sie ein Konto bei ${tenant} angelegt.`
    } Wählen Sie ein Passwort, um es zu nutzen.`,
    action: "Passwort wählen",
    closing:
      "Wenn Sie kein Konto erwartet haben, brauchen Sie nichts zu tun: Ohne Passwort kann es nicht genutzt werden."
  }),
  PASSWORD_RESET: (tenant) => ({
    subject: `Neues Passwort für ${tenant}`,
    opening: `Für Ihr Konto bei ${tenant} wurde ein neues Passwort angefordert, vermutlich von Ihnen.`,
    action: "Neues Passwort wählen",
    closing:
      "Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist. Ein neues Passwort meldet Sie überall ab."
  }),
  PASSWORD_CHANGED: (tenant, instant) => ({
    subject: `Ihr Passwort für ${tenant} wurde geändert`,
    opening: `Das Passwort Ihres Kontos bei ${tenant} wurde geändert: ${instant}. Ihre anderen Geräte wurden abgemeldet.`,
    action: "Anderes Passwort wählen",
    closing:
      "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, wählen Sie sofort ein anderes Passwort."
  }),
  SECOND_FACTOR_CHANGED: (tenant, instant) => ({
    subject: `Ihr zweiter Faktor für ${tenant} wurde geändert`,
    opening: `Ein zweiter Faktor Ihres Kontos bei ${tenant} wurde hinzugefügt oder entfernt: ${instant}.`,
    action: "Ein anderes Passwort wählen",
    closing:
      "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, wählen Sie sofort ein anderes Passwort und informieren Sie die Administration."
  }),
  WEBHOOK_FAILING: (tenant, webhookId, instant) => ({
    subject: `Ein Webhook von ${tenant} empfängt nichts`,
    opening: `Beim Webhook ${webhookId} ist nichts mehr angekommen seit: ${instant}.`,
    closing:
      "Die Liste seiner Versuche nennt den Grund. Jedes Ereignis wird zehnmal versucht, etwa drei Tage lang. Nach fünf Tagen ohne Zustellung wird der Webhook deaktiviert."
  }),
  WEBHOOK_DISABLED: (tenant, webhookId, instant) => ({
    subject: `Ein Webhook von ${tenant} wurde deaktiviert`,
    opening: `Der Webhook ${webhookId} wurde deaktiviert (${instant}): Sein Empfänger hat mit 410 geantwortet oder fünf Tage lang nichts empfangen.`,
    closing:
      "Bringen Sie den Empfänger in Ordnung und aktivieren Sie den Webhook: Er macht dort weiter, wo er stehen blieb."
  }),
  unsubscribe:
    "Sie erhalten dies, weil Sie Webhooks verwalten dürfen. So erhalten Sie keine E-Mails mehr darüber:"
}
