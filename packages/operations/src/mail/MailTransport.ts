/** How letters leave, as the environment says it. */
import { Effect, Layer } from "effect"
import { Mailer } from "./Mailer.ts"
import * as SmtpMailer from "./SmtpMailer.ts"
import { smtpSettings } from "./MailSettings.ts"

/** By SMTP where there is a `MAIL_URL`; else they are left in a folder. */
export const layer = Layer.unwrap(
  Effect.map(smtpSettings, (settings) =>
    settings === undefined ? Mailer.layerFolder : SmtpMailer.layer(settings)
  )
)
