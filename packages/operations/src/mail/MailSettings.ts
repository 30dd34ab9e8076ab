/** From whom letters come, where they are handed over and what they are signed with: from the environment. */
import { type MailServer, mailServerOf } from "@quittance/domain/mail/MailServer"
import { Email } from "@quittance/domain/values/Email"
import { WrongSetting } from "@quittance/domain/values/Settings"
import { Config, Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"

/** A key that letters are signed with (RFC 6376), and where its public half is found. */
export interface DkimKey {
  readonly domain: string
  readonly selector: string
  /** PEM. */
  readonly privateKey: Redacted.Redacted
}

export interface SmtpSettings {
  readonly server: Redacted.Redacted<MailServer>
  /** PEM: by which of these the server's certificate has to be signed, where not by one that Node.js knows. */
  readonly authorities?: string
  readonly dkim?: DkimKey
}

const EmailOrNone = Schema.Union([Email, Schema.Literal("")])

/** `MAIL_FROM`: the address that letters come from, where it is the same for all tenants. */
export const mailFrom = Config.schema(EmailOrNone, "MAIL_FROM").pipe(
  Config.withDefault(""),
  Config.map((address) => (address === "" ? undefined : address))
)

/** A secret; an empty one is none, as deployments pass on what is not set. */
const secret = (variable: Config.Config<Redacted.Redacted>) =>
  Effect.map(Config.option(variable), (value) =>
    Option.getOrUndefined(Option.filter(value, (text) => Redacted.value(text) !== ""))
  )

/** A name of hosts, such as a domain or the label before it. */
const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/u
const named = (variable: string, example: string) =>
  Config.schema(
    Schema.String.check(
      Schema.isPattern(hostName, {
        message: `Expected a name in small letters, such as ${example}`
      })
    ),
    variable
  )

const dkim = Effect.gen(function* () {
  const key = yield* secret(Config.Redacted("MAIL_DKIM_KEY"))
  if (key === undefined) return undefined
  const domain = yield* named("MAIL_DKIM_DOMAIN", "example.com")
  const selector = yield* named("MAIL_DKIM_SELECTOR", "letters")
  const privateKey = Redacted.make(Redacted.value(key).replaceAll(String.raw`\n`, "\n"))
  if (!isSigningKey(privateKey)) {
    return yield* new WrongSetting({
      variable: "MAIL_DKIM_KEY",
      takes: "a private RSA key of 2048 bits or more in PEM, its lines ended by line breaks or \\n"
    })
  }
  const from = yield* mailFrom
  const host = from?.slice(from.lastIndexOf("@") + 1)
  if (host !== undefined && host !== domain && !host.endsWith(`.${domain}`)) {
    return yield* new WrongSetting({
      variable: "MAIL_DKIM_DOMAIN",
      takes: "the domain of MAIL_FROM or one above it"
    })
  }
  return { domain, selector, privateKey }
})

/** RFC 8301, section 3.2. */
const isSigningKey = (pem: Redacted.Redacted): boolean => {
  let key: KeyObject
  try {
    key = createPrivateKey(Redacted.value(pem))
  } catch {
    return false
  }
  return key.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
}

const authorities = Effect.gen(function* () {
  const file = yield* Config.withDefault(Config.String("MAIL_CA"), "")
  if (file === "") return undefined
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  if (/^-----BEGIN CERTIFICATE-----$/mu.test(text)) return text
  return yield* new WrongSetting({
    variable: "MAIL_CA",
    takes: "a file that can be read, with certificates in PEM"
  })
})

/** `MAIL_URL`, `MAIL_CA` and `MAIL_DKIM_*`; `undefined` where letters are left in a folder. */
export const smtpSettings = Effect.gen(function* () {
  const url = yield* secret(Config.Redacted("MAIL_URL"))
  if (url === undefined) return undefined
  const server = mailServerOf(Redacted.value(url))
  if ("fault" in server) {
    const takes = server.fault.replace(/^Expected /u, "")
    return yield* new WrongSetting({ variable: "MAIL_URL", takes })
  }
  const signing = yield* dkim
  const ca = yield* authorities
  const settings: SmtpSettings = {
    server: Redacted.make(server),
    ...(ca === undefined ? {} : { authorities: ca }),
    ...(signing === undefined ? {} : { dkim: signing })
  }
  return settings
})
