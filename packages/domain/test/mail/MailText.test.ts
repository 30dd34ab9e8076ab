import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import {
  type LetterContent,
  type NoticeContent,
  write,
  writeNotice
} from "../../src/mail/MailText.ts"
import { wordingOf, wordings } from "../../src/mail/MailWording.ts"
import type { Instant } from "../../src/values/Instant.ts"
import type { Tenant } from "../../src/tenants/Tenant.ts"

// What instants are made from is checked where they come in.
const at = "2026-11-23T13:30:00.000Z" as Instant

const tenant = (locale: string, name = "Acme"): Tenant =>
  // Tenants are checked where they come in.
  ({
    id: "acme",
    name,
    environment: "production",
    locale,
    currency: "EUR",
    timeZone: "Europe/Paris"
  }) as Tenant

const letters = (own: Tenant, inviter?: string, firstName?: string) =>
  (["INVITATION", "WELCOME", "PASSWORD_RESET"] as const).map((kind): LetterContent => ({
    kind,
    tenant: own,
    firstName,
    inviter,
    link: "https://acme.auth.test/invitation?token=a&b",
    expiresAt: at
  }))

const unsubscribe = "https://acme.auth.test/letters/refuse?user=user_a&token=b"

const notices = (own: Tenant, firstName = "Ada"): ReadonlyArray<NoticeContent> => [
  ...(["PASSWORD_CHANGED", "SECOND_FACTOR_CHANGED"] as const).map((kind) => ({
    kind,
    tenant: own,
    firstName,
    at,
    link: "https://acme.auth.test/password/forgot"
  })),
  ...(["WEBHOOK_FAILING", "WEBHOOK_DISABLED"] as const).map((kind) => ({
    kind,
    tenant: own,
    firstName,
    at,
    webhookId: "webhook_346789ABCDEFGHJKLMNPQ",
    unsubscribe
  }))
]

/** What a reader of HTML shows. */
const shown = (html: string) =>
  html
    .slice(html.indexOf("<body"))
    .replaceAll(/<[^>]*>/gu, "\n")
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/gu,
      (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name]!
    )

const evil = Arbitrary.array(
  Arbitrary.schema(
    Schema.Literals(["<script>", "</p>", '"', "'", "&", "&lt;", "é", "漢", " ", "a", "javascript:"])
  ),
  { minLength: 1, maxLength: 12 }
).pipe(Arbitrary.map((pieces) => pieces.join("")))

describe("the words of letters", () => {
  it.each([
    ["fr-FR", "fr"],
    ["fr-BE", "fr"],
    ["en-US", "en"],
    ["es-ES", "es"],
    ["it-CH", "it"],
    ["de-AT", "de"],
    ["de", "de"],
    ["pt-PT", "en"],
    ["fry-NL", "en"]
  ])("of %s are in %s", (locale, language) => {
    assert.strictEqual(wordingOf(locale).language, language)
    for (const letter of letters(tenant(locale))) {
      assert.include(write(letter).html, `<html lang="${language}">`)
    }
  })

  it("are none of another language's", () => {
    const said = wordings.map(({ language }) =>
      letters(tenant(language), "Eva", "Ada").flatMap((letter) => {
        const { subject, text } = write(letter)
        return [subject, ...text.split("\n").filter((line) => line.length > 30)]
      })
    )
    const all = said.flatMap((lines) => [...new Set(lines)])
    const links = all.filter((line) => line.startsWith("https://"))
    assert.lengthOf(new Set(all), all.length - links.length + new Set(links).size)
  })

  it.each([
    ["fr-FR", "jusqu’au lundi 23 novembre 2026 à 14:30 (Europe/Paris)"],
    ["en-GB", "until Monday, 23 November 2026 at 14:30 (Europe/Paris)"],
    ["es-ES", "hasta el lunes, 23 de noviembre de 2026, 14:30 (Europe/Paris)"],
    ["it-IT", "fino a lunedì 23 novembre 2026 alle ore 14:30 (Europe/Paris)"],
    ["de-DE", "bis Montag, 23. November 2026 um 14:30 (Europe/Paris)"]
  ])("of %s say until when a link works in the tenant's time zone", (locale, until) => {
    for (const letter of letters(tenant(locale))) assert.include(write(letter).text, until)
  })

  it("say what comes from a sandbox", () => {
    for (const { language, sandbox } of wordings) {
      for (const letter of letters({ ...tenant(language), environment: "sandbox" })) {
        assert.include(write(letter).text, sandbox)
        assert.include(shown(write(letter).html), sandbox)
      }
      for (const letter of letters(tenant(language))) assert.notInclude(write(letter).text, sandbox)
    }
  })
})

describe("a letter", () => {
  it("says the same as text and as HTML", () => {
    for (const { language } of wordings) {
      for (const letter of letters(tenant(language), "Eva Luna", "Ada")) {
        const { html, text } = write(letter)
        const lines = shown(html).split("\n")
        for (const line of text.split("\n").filter((line) => line !== "")) {
          assert.include(
            lines,
            line.endsWith(":") && !lines.includes(line) ? line.slice(0, -1) : line
          )
        }
      }
    }
  })

  it("leaves out a name that could be an address", () => {
    for (const name of ["Buy at evil.test", "https://evil.test", "a@evil.test", "www.evil.test"]) {
      for (const letter of letters(tenant("en-GB"), name, name)) {
        const { html, subject, text } = write(letter)
        assert.notInclude(html + text + subject, "evil.test")
      }
    }
  })

  it.effect.prop(
    "has the same markup whatever is in its names and its link",
    [evil, evil],
    ([name, link]) =>
      Effect.sync(() => {
        const tags = (html: string) =>
          html.match(/<[a-z/!][^>]*>/giu)!.map((tag) => tag.replaceAll(/"[^"]*"/gu, ""))
        for (const letter of letters(tenant("de-DE", name), name, name)) {
          const { html } = write({ ...letter, link: `https://acme.auth.test/${link}` })
          const usual = write({ ...letter, tenant: tenant("de-DE") }).html
          assert.deepStrictEqual(tags(html), tags(usual))
          assert.include(shown(html), name)
        }
      }),
    { arbitrary: { runs: 200 } }
  )

  it("loads nothing and runs nothing", () => {
    for (const letter of letters(tenant("fr-FR"))) {
      assert.notMatch(write(letter).html, /<(?:img|script|link|iframe|object)|src=|url\(|@import/iu)
    }
  })
})

describe("a letter that tells of something", () => {
  it("says the same as text and as HTML, and when it happened in the tenant's time zone", () => {
    for (const { language } of wordings) {
      for (const notice of notices(tenant(language))) {
        const { html, text } = writeNotice(notice)
        const lines = shown(html).split("\n")
        for (const line of text.split("\n").filter((line) => line !== "")) {
          const isButton = line.endsWith(":") && !lines.includes(line)
          assert.include(lines, isButton ? line.slice(0, -1) : line)
        }
        assert.match(text, /(?:14:30|2:30).*\(Europe\/Paris\)/u)
      }
    }
  })

  it("is worded for each language and kind", () => {
    const subjects = wordings.flatMap(({ language }) =>
      notices(tenant(language)).map((notice) => writeNotice(notice).subject)
    )
    assert.lengthOf(new Set(subjects), wordings.length * 4)
  })

  it("names the webhook, and how to get no more, where it is about a webhook alone", () => {
    for (const notice of notices(tenant("en-GB"))) {
      const { html, text } = writeNotice(notice)
      const isOfWebhook = "webhookId" in notice
      assert.strictEqual(text.includes(unsubscribe), isOfWebhook)
      assert.strictEqual(html.includes(unsubscribe.replaceAll("&", "&amp;")), isOfWebhook)
      assert.strictEqual(text.includes("webhook_346789ABCDEFGHJKLMNPQ"), isOfWebhook)
    }
  })

  it("says that it comes from a sandbox, and leaves out a name that could be an address", () => {
    for (const notice of notices({ ...tenant("en"), environment: "sandbox" }, "www.evil.test")) {
      const { html, text } = writeNotice(notice)
      assert.include(text, wordingOf("en").sandbox)
      assert.notInclude(html + text, "evil.test")
    }
  })
})
