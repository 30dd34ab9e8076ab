/** Makes of a received answer what is the same in every run, and no longer than a reader reads. */
import { exampleSecret } from "@quittance/contract/requests/Examples"

/** When the stories are played. */
export interface Run {
  readonly from: number
  readonly to: number
}

const hour = 3_600_000
const week = 7 * 24 * hour

/** The instant that stands for the real time of a run: where the stories end. */
const shown = Date.parse("2026-09-02T09:00:00Z")

/** How long things last that do so in real time: not at all, a session, an old secret, an invitation. */
const lifetimes = [0, hour, 24 * hour, week]

/** Some clocks of a run give whole seconds. */
const tolerance = 2000

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u

/** Business time goes by the test clock and stays; real time becomes the same in every run. */
const stableInstant = (text: string, { from, to }: Run): string => {
  const at = Date.parse(text)
  const lifetime = lifetimes.find(
    (length) => at - length >= from - tolerance && at - length <= to + tolerance
  )
  return lifetime === undefined ? text : new Date(shown + lifetime).toISOString()
}

const token = {
  pattern: /^eyJ/u,
  example: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.example"
}
const fingerprint = { pattern: /^[0-9a-f]{16}$/u, example: "5f1d7a84db00d2fc" }

/** A SHA-256. The zeros before the first step of a signature stay as they are. */
const digest = {
  pattern: /^(?!0{64})[0-9a-f]{64}$/u,
  example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}

/** What is drawn anew in each run, by the name of the member that holds it. */
const drawn: Readonly<
  Record<string, ReadonlyArray<{ readonly pattern: RegExp; readonly example: string }>>
> = {
  accessToken: [token],
  access_token: [token],
  clientSecret: [{ pattern: /^[\w-]{43}$/u, example: exampleSecret }],
  /** Of a sign-in, and of a webhook's secret; all other identifiers have a prefix. */
  id: [{ pattern: /^(?!.*_test_)[\w-]{43}$/u, example: exampleSecret }, fingerprint],
  secretId: [fingerprint],
  /** Of a webhook. */
  secret: [{ pattern: /^whsec_/u, example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwx1H4vYtQqzA=" }],
  /** Of the feed of a database. */
  epoch: [{ pattern: /^[0-9a-f-]{36}$/u, example: "0d1f6a52-9c1e-4f43-8a5e-3d6f0e1c7b2a" }],
  /** Of rows of the audit trail, and of the steps of a signature, which have real time in them. */
  hash: [digest],
  head: [digest],
  prev: [digest]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Operations that answer a whole document, of which the beginning is shown. */
const documents: ReadonlySet<string> = new Set([
  "products.document",
  "service.document",
  "service.eventsSchema",
  "service.productSchema",
  "service.priceExchangeSchema"
])

/** The members before the first that is long, or that readers of the example could not follow. */
const beginningOf = (document: Readonly<Record<string, unknown>>) => {
  const members = Object.entries(document)
  const end = members.findIndex((member) => {
    const text = JSON.stringify(member)
    return text.length > 1500 || text.includes('"$ref"')
  })
  return Object.fromEntries(members.slice(0, end))
}

/** Characters of a list of records that is shown whole. */
const longestList = 600

const copied = (value: unknown, run: Run, name = ""): unknown => {
  if (Array.isArray(value)) {
    // Plain values, such as scopes, are short; so are the taxes of an amount, which add up.
    const isLong = value.some(isObject) && JSON.stringify(value).length > longestList
    const kept = isLong ? value.slice(0, 2) : value
    return kept.map((item) => copied(item, run))
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, copied(member, run, key)])
    )
  }
  // How long a call took.
  if (name === "milliseconds") return 12
  if (typeof value !== "string") return value
  const fresh = drawn[name]?.find(({ pattern }) => pattern.test(value))
  if (fresh !== undefined) return fresh.example
  return instant.test(value) ? stableInstant(value, run) : value
}

/** The example that an operation's answer makes. */
export const exampleOf = (operation: string, answer: unknown, run: Run): unknown =>
  copied(documents.has(operation) && isObject(answer) ? beginningOf(answer) : answer, run)
