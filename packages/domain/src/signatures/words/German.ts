/** The page of a signer in German. */
import type { SignWords } from "./SignWords.ts"

export const german: SignWords = {
  language: "de",
  error: "Fehler",
  heading: "Ihre Unterschrift",
  lead: (tenant, policy) => `${tenant} bittet Sie, den Vertrag ${policy} zu unterschreiben.`,
  signer: (name) => `Diese Seite ist für ${name}.`,
  until: (instant) => `Sie können unterschreiben bis: ${instant}.`,
  begin: "Beginnen",
  read: {
    heading: "Dokumente lesen",
    lead: "Öffnen Sie jedes von ihnen. Sie unterschreiben genau diese Dateien."
  },
  open: (title, pages) => `${title} (${pages === 1 ? "1 Seite" : `${pages} Seiten`})`,
  isRead: "geöffnet",
  prove: {
    heading: "Adresse bestätigen",
    lead: (email) => `Wir senden einen Code aus sechs Ziffern an ${email}.`
  },
  sendCode: "Code senden",
  sendAnother: "Einen anderen Code senden",
  code: "Code",
  codeHint: "Er gilt 10 Minuten.",
  enter: "Code bestätigen",
  sign: {
    heading: "Zustimmen und unterschreiben",
    lead: "Sie unterschreiben mit einer einfachen elektronischen Signatur (Verordnung (EU) Nr. 910/2014)."
  },
  name: "Ihr Vorname und Nachname",
  nameHint: (name) => `Wie im Vertrag: ${name}`,
  signNow: "Unterschreiben",
  decline: {
    heading: "Ich möchte nicht unterschreiben",
    lead: "Damit endet die Unterschrift für alle."
  },
  reason: "Ihr Grund",
  declineNow: "Ablehnen",
  notYet: {
    heading: "Sie sind noch nicht an der Reihe",
    lead: "Andere unterschreiben vor Ihnen. Wir schreiben Ihnen, wenn Sie an der Reihe sind."
  },
  signed: {
    heading: "Sie haben unterschrieben",
    lead: "Andere unterschreiben nach Ihnen. Sie müssen nichts weiter tun."
  },
  ended: {
    SEALING: {
      heading: "Es ist unterschrieben",
      lead: "Alle haben unterschrieben. Sie können diese Seite schließen."
    },
    COMPLETED: {
      heading: "Es ist unterschrieben",
      lead: "Alle haben unterschrieben. Sie können diese Seite schließen."
    },
    DECLINED: {
      heading: "Es wurde abgelehnt",
      lead: "Eine der Personen hat abgelehnt. Nichts wurde unterschrieben."
    },
    EXPIRED: {
      heading: "Die Frist ist abgelaufen",
      lead: "Nichts wurde unterschrieben. Bitten Sie um eine neue Anfrage."
    },
    CANCELLED: {
      heading: "Die Anfrage wurde zurückgezogen",
      lead: "Nichts wurde unterschrieben, und Sie müssen nichts tun."
    },
    VOID: {
      heading: "Der Vertrag hat sich geändert",
      lead: "Deshalb wurde nichts unterschrieben. Sie erhalten eine neue Nachricht, wenn Sie erneut gebeten werden."
    }
  },
  wrongLink: {
    heading: "Dieser Link funktioniert nicht",
    lead: "Öffnen Sie den Link der neuesten Nachricht, oder bitten Sie den Absender um einen anderen."
  },
  problems: {
    wait: (minutes) =>
      `Es waren zu viele Versuche. Versuchen Sie es in ${minutes} Min. noch einmal.`,
    code: (triesLeft) => `Der Code ist ein anderer. Verbleibende Versuche: ${triesLeft}.`,
    codeForm: "Ein Code hat sechs Ziffern.",
    locked: "Dieser Code gilt nicht mehr. Lassen Sie sich einen anderen senden.",
    name: "Schreiben Sie Vornamen und Nachnamen so, wie sie unter dem Feld stehen.",
    unread: "Öffnen Sie zuerst jedes Dokument.",
    consents: "Stimmen Sie jedem Text zu, um zu unterschreiben.",
    reason: "Nennen Sie einen Grund.",
    moved: "Inzwischen hat sich etwas geändert. Sehen Sie diese Seite noch einmal an."
  }
}
