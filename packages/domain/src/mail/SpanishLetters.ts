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
  })
}
