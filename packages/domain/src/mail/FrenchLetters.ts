/** Letters in French: no-break spaces stand before double signs. */
import type { Wording } from "./MailWording.ts"

export const french: Wording = {
  language: "fr",
  formats: "fr-FR",
  greeting: (firstName) => (firstName === undefined ? "Bonjour," : `Bonjour ${firstName},`),
  linkUntil: (instant) =>
    `Ce lien fonctionne une seule fois, jusqu’au ${instant}. Il est strictement personnel\u00a0: ne transférez pas ce message.`,
  copyLink: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:",
  sandbox:
    "Ce message provient d’un environnement de test\u00a0: rien de ce qui s’y fait ne concerne un contrat réel.",
  INVITATION: (tenant, inviter) => ({
    subject: `Votre invitation de ${tenant}`,
    opening:
      inviter === undefined
        ? `${tenant} vous adresse une invitation.`
        : `${inviter} vous invite à rejoindre ${tenant}.`,
    action: "Accepter l’invitation",
    closing:
      "Si vous n’attendiez pas d’invitation, vous n’avez rien à faire\u00a0: sans le lien, elle reste sans effet."
  }),
  WELCOME: (tenant, inviter) => ({
    subject: `Votre compte chez ${tenant}`,
    opening: `${
      inviter === undefined
        ? `Un compte a été créé pour vous chez ${tenant}.`
        : `${inviter} a créé un compte pour vous chez ${tenant}.`
    } Choisissez un mot de passe pour l’utiliser.`,
    action: "Choisir un mot de passe",
    closing:
      "Si vous n’attendiez pas de compte, vous n’avez rien à faire\u00a0: sans mot de passe, il ne peut pas être utilisé."
  }),
  PASSWORD_RESET: (tenant) => ({
    subject: `Nouveau mot de passe pour ${tenant}`,
    opening: `Un nouveau mot de passe a été demandé, sans doute par vous, pour votre compte chez ${tenant}.`,
    action: "Choisir un nouveau mot de passe",
    closing:
      "Si cette demande ne vient pas de vous, vous n’avez rien à faire\u00a0: votre mot de passe reste inchangé. Un nouveau mot de passe met fin à toutes vos connexions."
  }),
  PASSWORD_CHANGED: (tenant, instant) => ({
    subject: `Votre mot de passe pour ${tenant} a été modifié`,
    opening: `Le mot de passe de votre compte chez ${tenant} a été modifié le ${instant}. Vos autres appareils ont été déconnectés.`,
    action: "Choisir un autre mot de passe",
    closing:
      "Si c’était vous, vous n’avez rien à faire. Sinon, choisissez immédiatement un autre mot de passe."
  }),
  SECOND_FACTOR_CHANGED: (tenant, instant) => ({
    subject: `Votre second facteur pour ${tenant} a été modifié`,
    opening: `Un second facteur de votre compte chez ${tenant} a été ajouté ou supprimé le ${instant}.`,
    action: "Choisir un autre mot de passe",
    closing:
      "Si c’était vous, vous n’avez rien à faire. Dans le cas contraire, choisissez immédiatement un autre mot de passe et prévenez un administrateur."
  }),
  WEBHOOK_FAILING: (tenant, webhookId, instant) => ({
    subject: `Un webhook de ${tenant} ne reçoit plus rien`,
    opening: `Rien n’est arrivé au webhook ${webhookId} depuis le ${instant}.`,
    closing:
      "La liste de ses tentatives en donne la raison. Chaque événement est tenté dix fois, pendant environ trois jours. Après cinq jours sans livraison, le webhook est désactivé."
  }),
  WEBHOOK_DISABLED: (tenant, webhookId, instant) => ({
    subject: `Un webhook de ${tenant} a été désactivé`,
    opening: `Le webhook ${webhookId} a été désactivé le ${instant}\u00a0: son destinataire a répondu 410, ou n’a rien reçu pendant cinq jours.`,
    closing:
      "Corrigez le destinataire, puis réactivez le webhook\u00a0: il reprend là où il s’est arrêté."
  }),
  unsubscribe:
    "Vous recevez ce message parce que vous pouvez gérer les webhooks. Pour ne plus en recevoir à ce sujet\u00a0:"
}
