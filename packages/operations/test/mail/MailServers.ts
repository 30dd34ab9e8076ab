/** Mail servers of tests: a real one with TLS, and one that answers what a test says, line by line. */
import type { MailSecurity } from "@quittance/domain/mail/MailServer"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { Mailer } from "../../src/mail/Mailer.ts"
import type { MailMessage } from "../../src/mail/MailMessage.ts"
import * as SmtpMailer from "../../src/mail/SmtpMailer.ts"
import type { DkimKey } from "../../src/mail/MailSettings.ts"

const pem = (name: string) => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), "utf8")

export const credentials = { user: "quittance", password: "s3cret" }

/** A message as the server has taken it. */
export interface Taken {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly isSecure: boolean
  readonly user: string | undefined
}

export interface Running {
  readonly port: number
  readonly taken: ReadonlyArray<Taken>
  /** How many connections were opened. */
  readonly connections: () => number
}

const listening = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

/** A server with sign-in and a certificate for `mail.test`, until the scope ends. */
export const real = (
  options: SMTPServerOptions = {},
  certificate: "mail" | "other" = "mail"
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function* () {
    const taken: Array<Taken> = []
    let connections = 0
    const server = new SMTPServer({
      cert: pem(certificate),
      key: pem(certificate),
      authMethods: ["PLAIN"],
      disableReverseLookup: true,
      closeTimeout: 10,
      onConnect: (_session, callback) => {
        connections++
        callback()
      },
      onAuth: ({ password, username }, _session, callback) =>
        username === credentials.user && password === credentials.password
          ? callback(null, { user: username })
          : callback(new Error("Wrong")),
      onData: (stream, { envelope, secure, user }, callback) => {
        const pieces: Array<Buffer> = []
        stream.on("data", (piece: Buffer) => pieces.push(piece))
        stream.on("end", () => {
          taken.push({
            from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(pieces).toString("latin1"),
            isSecure: secure,
            user: typeof user === "string" ? user : undefined
          })
          callback()
        })
      },
      ...options
    })
    server.on("error", () => undefined)
    const port = yield* Effect.acquireRelease(
      Effect.promise(() => listening(server.server)),
      () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
    )
    return { port, taken, connections: () => connections }
  })

/** What a scripted server does with a line that a client has said, or with its coming. */
export type Script = (line: string, socket: Socket) => void

/** A server that does what its script says; without one it takes all. */
export const scripted = (script: Script) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    let connections = 0
    const server = createServer((socket) => {
      connections++
      sockets.add(socket)
      socket.on("error", () => undefined)
      let rest = ""
      script("CONNECT", socket)
      socket.on("data", (data) => {
        const lines = (rest + data.toString("latin1")).split("\r\n")
        rest = lines.pop() ?? ""
        for (const line of lines) script(line, socket)
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.promise(() => listening(server)),
      () =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              for (const socket of sockets) socket.destroy()
              server.close(() => resolve())
            })
        )
    )
    return { port, connections: () => connections }
  })

/** The answers of a server that takes all, up to the step at which a script says otherwise. */
export const polite =
  (other: (line: string) => string | undefined): Script =>
  (line, socket) => {
    const step = line.split(" ")[0]!.toUpperCase()
    const usual: Readonly<Record<string, string>> = {
      CONNECT: "220 mail.test",
      EHLO: "250 mail.test",
      MAIL: "250 OK",
      RCPT: "250 OK",
      DATA: "354 Go on",
      ".": "250 Taken",
      RSET: "250 OK",
      QUIT: "221 Bye"
    }
    const answer = other(line) ?? usual[step]
    if (answer === "CLOSE") socket.destroy()
    else if (answer !== undefined && answer !== "SILENCE") socket.write(`${answer}\r\n`)
  }

export interface Sending {
  readonly port: number
  readonly security?: MailSecurity
  readonly credentials?: typeof credentials
  readonly dkim?: DkimKey
  readonly limits?: SmtpMailer.SmtpLimits
  /** Whether only the authorities that Node.js knows count, as without a `MAIL_CA`. */
  readonly isKnownAlone?: boolean
}

/** A mailer that hands over to a port of this machine. */
export const mailer = ({
  dkim,
  isKnownAlone = false,
  limits,
  port,
  security = "TLS",
  ...more
}: Sending) =>
  SmtpMailer.layer(
    {
      server: Redacted.make({ host: "127.0.0.1", port, security, ...more }),
      ...(isKnownAlone ? {} : { authorities: pem("authority") }),
      ...(dkim === undefined ? {} : { dkim })
    },
    limits
  )

/** Such a mailer, until the scope ends. */
export const mailing = (sending: Sending) =>
  Effect.map(Layer.build(mailer(sending)), Context.get(Mailer))

export const sendBy = (sending: Sending, ...messages: ReadonlyArray<MailMessage>) =>
  Effect.gen(function* () {
    const { send } = yield* mailing(sending)
    yield* Effect.forEach(messages, send, { discard: true })
  }).pipe(Effect.scoped)
