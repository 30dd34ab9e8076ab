/** Letters by SMTP: a few connections that stay open, each letter within its time. */
import type { MailSecurity, MailServer } from "@quittance/domain/mail/MailServer"
import { judge, type SmtpFailure } from "@quittance/domain/mail/SmtpFailure"
import { Clock, Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Mailer, MailNotSent } from "./Mailer.ts"
import { encode, envelopeOf, type MailMessage } from "./MailMessage.ts"
import type { SmtpSettings } from "./MailSettings.ts"

/** As many as letters that are sent at a time. */
const connections = 4
const lettersOfConnection = 100

/** How long a server is waited for, in milliseconds. */
export interface SmtpLimits {
  /** Each for the name, the connection and the greeting. */
  readonly connecting: number
  /** That a server may say nothing. */
  readonly silence: number
  /** For a letter in all: shorter than it is claimed for, so that it is sent by one sender at a time. */
  readonly letter: number
}

const usual: SmtpLimits = { connecting: 15_000, silence: 60_000, letter: 90_000 }

/** What a signature covers: all that people and their programs are shown. */
const signedHeads =
  "From:To:Subject:Date:Message-ID:MIME-Version:Content-Type:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post"

const security = {
  TLS: { secure: true },
  STARTTLS: { secure: false, requireTLS: true },
  NONE: { secure: false, ignoreTLS: true }
} as const satisfies Record<MailSecurity, object>

const transportOf = (
  { authorities, dkim, server: given }: SmtpSettings,
  { connecting, silence }: SmtpLimits
) => {
  const server = Redacted.value(given)
  const { credentials, host, port } = server
  return createTransport({
    pool: true,
    maxConnections: connections,
    maxMessages: lettersOfConnection,
    // What a server cuts off is tried again once; then it is for the back-off of letters.
    maxRequeues: 1,
    host,
    port,
    ...security[server.security],
    tls: {
      // Whatever the environment says of certificates.
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(authorities === undefined ? {} : { ca: authorities })
    },
    connectionTimeout: connecting,
    greetingTimeout: connecting,
    dnsTimeout: connecting,
    socketTimeout: silence,
    // A server that offers no sign-in is not handed letters by mistake.
    forceAuth: credentials !== undefined,
    ...(credentials === undefined
      ? {}
      : { auth: { user: credentials.user, pass: credentials.password } }),
    ...(dkim === undefined
      ? {}
      : {
          dkim: {
            domainName: dkim.domain,
            keySelector: dkim.selector,
            privateKey: Redacted.value(dkim.privateKey),
            headerFieldNames: signedHeads
          }
        })
  })
}

/** The span of a letter's way to the server, which tells of the server and of no letter. */
const inSpan = (
  server: MailServer,
  sending: Effect.Effect<unknown, MailNotSent>
): Effect.Effect<void, MailNotSent> =>
  Effect.useSpan("SMTP", { kind: "client" }, (span) => {
    span.attribute("network.protocol.name", "smtp")
    span.attribute("server.address", server.host)
    span.attribute("server.port", server.port)
    return sending.pipe(
      Effect.tapError(({ reason }) => Effect.sync(() => span.attribute("error.type", reason))),
      Effect.asVoid
    )
  })

const isFailure = (error: unknown): error is SmtpFailure => error instanceof Error

/** Hands each message to one server. A letter is `SENT` once the server has answered that it has it. */
export const layer = (settings: SmtpSettings, limits: SmtpLimits = usual): Layer.Layer<Mailer> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => transportOf(settings, limits)),
        (transport) => Effect.sync(() => transport.close())
      )
      // Each letter hears of its own failure.
      transport.on("error", () => undefined)

      const send = Effect.fn("Mailer.send")(function* (message: MailMessage) {
        const envelope = envelopeOf(message)
        const raw = encode(message, yield* Clock.currentTimeMillis, "quoted-printable")
        if (envelope === undefined || raw === undefined) {
          return yield* new MailNotSent({ reason: "ADDRESS" })
        }
        const sending = Effect.tryPromise({
          try: () =>
            transport.sendMail({ envelope, raw, signal: AbortSignal.timeout(limits.letter) }),
          catch: (error) => new MailNotSent(judge(isFailure(error) ? error : {}))
        })
        yield* inSpan(Redacted.value(settings.server), sending)
      })

      return Mailer.of({ send })
    })
  )
