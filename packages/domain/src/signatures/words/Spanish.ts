/** The page of a signer in Spanish. */
import type { SignWords } from "./SignWords.ts"

export const spanish: SignWords = {
  language: "es",
  error: "Error",
  heading: "Su firma",
  lead: (tenant, policy) => `${tenant} le pide que firme la póliza ${policy}.`,
  signer: (name) => `Esta página es para ${name}.`,
  until: (instant) => `Puede firmar hasta: ${instant}.`,
  begin: "Empezar",
  read: {
    heading: "Leer los documentos",
    lead: "Abra cada uno de ellos. Firma exactamente estos archivos."
  },
  open: (title, pages) => `${title} (${pages === 1 ? "1 página" : `${pages} páginas`})`,
  isRead: "abierto",
  prove: {
    heading: "Confirmar su dirección",
    lead: (email) => `Enviamos un código de seis cifras a ${email}.`
  },
  sendCode: "Recibir el código",
  sendAnother: "Recibir otro código",
  code: "Código",
  codeHint: "Es válido durante 10 minutos.",
  enter: "Confirmar el código",
  sign: {
    heading: "Aceptar y firmar",
    lead: "Firma con una firma electrónica simple (Reglamento (UE) n.º 910/2014)."
  },
  name: "Su nombre y apellidos",
  nameHint: (name) => `Escríbalos como figuran en el contrato: ${name}`,
  signNow: "Firmar",
  decline: {
    heading: "No deseo firmar",
    lead: "La firma termina para todos los firmantes."
  },
  reason: "Su motivo",
  declineNow: "Rechazar la firma",
  notYet: {
    heading: "Aún no es su turno",
    lead: "Otros firman antes. Le escribiremos cuando sea su turno."
  },
  signed: {
    heading: "Ha firmado",
    lead: "Otros firman después. No tiene que hacer nada más."
  },
  ended: {
    SEALING: {
      heading: "Está firmado",
      lead: "Todos los firmantes han firmado. Puede cerrar esta página."
    },
    COMPLETED: {
      heading: "Está firmado",
      lead: "Todos los firmantes han firmado. Puede cerrar esta página."
    },
    DECLINED: {
      heading: "La firma fue rechazada",
      lead: "Un firmante la ha rechazado. No se ha firmado nada."
    },
    EXPIRED: {
      heading: "Es demasiado tarde para firmar",
      lead: "El plazo ha terminado. No se ha firmado nada. Pida otra firma."
    },
    CANCELLED: {
      heading: "La solicitud fue retirada",
      lead: "No se ha firmado nada y no tiene que hacer nada."
    },
    VOID: {
      heading: "El contrato ha cambiado",
      lead: "Por eso no se ha firmado nada. Recibirá otro mensaje si se le pide de nuevo."
    }
  },
  wrongLink: {
    heading: "Este enlace no funciona",
    lead: "Abra el enlace del mensaje más reciente o pida otro al remitente."
  },
  problems: {
    wait: (minutes) => `Hubo demasiados intentos. Inténtelo de nuevo dentro de ${minutes} min.`,
    code: (triesLeft) => `El código es otro. Intentos restantes: ${triesLeft}.`,
    codeForm: "Un código tiene seis cifras.",
    locked: "Este código ya no es válido. Pida otro.",
    name: "Escriba su nombre y apellidos como figuran debajo del campo.",
    unread: "Abra antes cada documento.",
    consents: "Acepte cada texto para firmar.",
    reason: "Indique un motivo.",
    moved: "Algo ha cambiado mientras tanto. Vuelva a leer esta página."
  }
}
