/** Letters in Spanish. */
import type { Wording } from "./MailWording.ts"

export const spanish: Wording = {
  language: "es",
  formats: "es-ES",
  greeting: (firstName) => (firstName === undefined ? "Hola:" : `Hola, ${firstName}:`),
  linkUntil: (instant) =>
    `El enlace funciona una sola vez, hasta el ${instant}. Es personal: no reenvíe este mensaje.`,
  copyLink: "Si el botón no funciona, copie esta dirección en su navegador:",
  sandbox:
    "Este mensaje procede de un entorno de pruebas: nada de lo que se haga en él afecta a una póliza real.",
  INVITATION: (tenant, inviter) => ({
    subject: `Su invitación de ${tenant}`,
    opening:
      inviter === undefined
        ? `${tenant} le envía una invitación.`
        : `${inviter} le invita a unirse a ${tenant}.`,
    action: "Aceptar la invitación",
    closing:
      "Si no esperaba ninguna invitación, no tiene que hacer nada: sin el enlace no tiene efecto."
  }),
  WELCOME: (tenant, inviter) => ({
    subject: `Su cuenta en ${tenant}`,
    opening: `${
      inviter === undefined
        ? `Se ha creado una cuenta para usted en ${tenant}.`
        : `${inviter} ha creado una cuenta para usted en ${tenant}.`
    } Elija una contraseña para utilizarla.`,
    action: "Elegir una contraseña",
    closing:
      "Si no esperaba ninguna cuenta, no tiene que hacer nada: sin contraseña no se puede utilizar."
  }),
  PASSWORD_RESET: (tenant) => ({
    subject: `Nueva contraseña para ${tenant}`,
    opening: `Se ha solicitado una nueva contraseña para su cuenta en ${tenant}, probablemente por usted.`,
    action: "Elegir una nueva contraseña",
    closing:
      "Si no la ha solicitado usted, no tiene que hacer nada: su contraseña no cambia. Una contraseña nueva cierra todas sus sesiones."
  }),
  PASSWORD_CHANGED: (tenant, instant) => ({
    subject: `Se ha cambiado su contraseña de ${tenant}`,
    opening: `La contraseña de su cuenta en ${tenant} se cambió el ${instant}. Se han cerrado las sesiones de sus otros dispositivos.`,
    action: "Elegir otra contraseña",
    closing:
      "Si fue usted, no tiene que hacer nada. Si no fue usted, elija otra contraseña de inmediato."
  }),
  SECOND_FACTOR_CHANGED: (tenant, instant) => ({
    subject: `Se ha cambiado su segundo factor de ${tenant}`,
    opening: `Se añadió o eliminó un segundo factor de su cuenta en ${tenant} el ${instant}.`,
    action: "Elegir otra contraseña",
    closing:
      "Si fue usted, no tiene que hacer nada. En caso contrario, elija otra contraseña de inmediato y avise a un administrador."
  }),
  WEBHOOK_FAILING: (tenant, webhookId, instant) => ({
    subject: `Un webhook de ${tenant} no recibe nada`,
    opening: `No ha llegado nada al webhook ${webhookId} desde el ${instant}.`,
    closing:
      "La lista de sus intentos indica el motivo. Cada evento se intenta diez veces, durante unos tres días. Tras cinco días sin ninguna entrega, el webhook se desactiva."
  }),
  WEBHOOK_DISABLED: (tenant, webhookId, instant) => ({
    subject: `Se ha desactivado un webhook de ${tenant}`,
    opening: `El webhook ${webhookId} se desactivó el ${instant}: su receptor respondió 410 o no recibió nada durante cinco días.`,
    closing: "Corrija el receptor y active de nuevo el webhook: continúa donde se detuvo."
  }),
  unsubscribe:
    "Recibe este mensaje porque puede gestionar webhooks. Para no recibir más mensajes sobre ellos:"
}
