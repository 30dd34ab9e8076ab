/** The page of a signer in French: no-break spaces stand before double signs. */
import type { SignWords } from "./SignWords.ts"

export const french: SignWords = {
  language: "fr",
  error: "Erreur",
  heading: "Votre signature",
  lead: (tenant, policy) => `${tenant} vous demande de signer le contrat ${policy}.`,
  signer: (name) => `Cette page est destinée à ${name}.`,
  until: (instant) => `Vous pouvez signer jusqu’au ${instant}.`,
  begin: "Commencer",
  read: {
    heading: "Lire les documents",
    lead: "Ouvrez chacun d’eux. Vous signez exactement ces fichiers."
  },
  open: (title, pages) => `${title} (${pages === 1 ? "1 page" : `${pages} pages`})`,
  isRead: "ouvert",
  prove: {
    heading: "Confirmer votre adresse",
    lead: (email) => `Nous envoyons un code de six chiffres à ${email}.`
  },
  sendCode: "Recevoir le code",
  sendAnother: "Recevoir un autre code",
  code: "Code",
  codeHint: "Il est valable 10 minutes.",
  enter: "Valider le code",
  sign: {
    heading: "Accepter et signer",
    lead: "Vous signez par une signature électronique simple (règlement (UE) nº 910/2014)."
  },
  name: "Votre prénom et votre nom",
  nameHint: (name) => `Saisissez-les comme dans le contrat\u00a0: ${name}`,
  signNow: "Signer",
  decline: {
    heading: "Je ne souhaite pas signer",
    lead: "La signature prend fin pour tous les signataires."
  },
  reason: "Votre raison",
  declineNow: "Refuser de signer",
  notYet: {
    heading: "Ce n’est pas encore votre tour",
    lead: "D’autres signent avant vous. Nous vous écrirons quand ce sera votre tour."
  },
  signed: {
    heading: "Vous avez signé",
    lead: "D’autres signent après vous. Vous n’avez rien d’autre à faire."
  },
  ended: {
    SEALING: {
      heading: "C’est signé",
      lead: "Tous les signataires ont signé. Vous pouvez fermer cette page."
    },
    COMPLETED: {
      heading: "C’est signé",
      lead: "Tous les signataires ont signé. Vous pouvez fermer cette page."
    },
    DECLINED: {
      heading: "La signature a été refusée",
      lead: "Un signataire a refusé. Rien n’a été signé."
    },
    EXPIRED: {
      heading: "Il est trop tard pour signer",
      lead: "Le délai est passé. Rien n’a été signé. Demandez une autre signature."
    },
    CANCELLED: {
      heading: "La demande a été retirée",
      lead: "Rien n’a été signé, et vous n’avez rien à faire."
    },
    VOID: {
      heading: "Le contrat a changé",
      lead: "Rien n’a donc été signé. Vous recevrez un autre message si une signature vous est demandée."
    }
  },
  wrongLink: {
    heading: "Ce lien ne fonctionne pas",
    lead: "Ouvrez le lien du message le plus récent, ou demandez-en un autre à l’expéditeur."
  },
  problems: {
    wait: (minutes) => `Il y a eu trop d’essais. Réessayez dans ${minutes} min.`,
    code: (triesLeft) => `Ce code n’est pas le bon. Essais restants\u00a0: ${triesLeft}.`,
    codeForm: "Un code a six chiffres.",
    locked: "Ce code n’est plus valable. Demandez-en un autre.",
    name: "Saisissez votre prénom et votre nom comme ils figurent sous le champ.",
    unread: "Ouvrez d’abord chaque document.",
    consents: "Acceptez chaque texte pour signer.",
    reason: "Indiquez une raison.",
    moved: "Quelque chose a changé entre-temps. Relisez cette page."
  }
}
