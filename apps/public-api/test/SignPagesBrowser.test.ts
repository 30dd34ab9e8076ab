/** The page of a signer in a real browser: nothing keeps people out, light and dark, 320 pixels wide. */
import { assert, describe, it } from "@effect/vitest"
import type { CeremonyVisit } from "@quittance/domain/signatures/CeremonyVisit"
import type { SignerStatus } from "@quittance/domain/signatures/SignatureLifecycle"
import { SignerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { escape } from "@quittance/http/HtmlPage"
import * as HostedPage from "@quittance/http/HostedPage"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import axe from "axe-core"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { signPage, wrongLinkPage } from "../src/http/SignPages.ts"

/** Debian's chromium, which `.ci/run` installs. */
const hasBrowser = spawnSync("which", ["chromium"], { stdio: "ignore" }).status === 0

const visitOf = (status: SignerStatus, more: Partial<CeremonyVisit> = {}): CeremonyVisit => ({
  tenant: { ...sandboxTenant(), name: "Assurances Dupont & Fils", locale: "fr-FR" },
  status: "OPEN",
  signer: {
    id: SignerId.make("signer_test_346789ABCDEFGHJKLMNPQ"),
    firstName: "Maximilienne-Charlotte",
    lastName: "de la Rochefoucauld-Montmorency",
    email: "maximilienne@example.test",
    role: "POLICYHOLDER",
    order: 1,
    delivery: "EMAIL",
    otp: "EMAIL",
    status
  },
  policyNumber: 10_042,
  message: "Le contrat dont nous avons parlé",
  // The text of a date is the canonical one.
  expiresAt: "2026-12-24T22:59:59.000Z" as Instant,
  documents: [
    { documentId: "one", title: "Conditions particulières", pages: 5, isShown: true },
    { documentId: "two", title: "Document d’information", pages: 1, isShown: false }
  ],
  texts: [
    { textId: "TERMS", text: "J’ai lu les conditions.", textHash: "0".repeat(64) },
    { textId: "ADVICE", text: "Le conseil répond à mes besoins.", textHash: "0".repeat(64) }
  ],
  isCodeSent: true,
  ...more
})

const pages = {
  begin: signPage(visitOf("NOTIFIED"), "/sign/x"),
  code: signPage(visitOf("OPENED"), "/sign/x", { name: "code", field: "code", triesLeft: 3 }),
  sign: signPage(visitOf("PROVEN"), "/sign/x", { name: "name", field: "name" }),
  decline: signPage(visitOf("PROVEN"), "/sign/x", { name: "reason", field: "reason" }),
  signed: signPage(visitOf("SIGNED", { status: "COMPLETED" }), "/sign/x"),
  wrongLink: wrongLinkPage(["it"])
}

/** What the browser says of a page: what axe finds, and how wide the page is. */
const judged = (page: HostedPage.Page, isDark: boolean): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-page-"))
  try {
    const file = path.join(folder, "page.html")
    const run = `${axe.source};axe.run(document).then(({ violations, passes }) => {
      const found = violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html))
      const width = document.documentElement.scrollWidth
      const isDark = matchMedia("(prefers-color-scheme: dark)").matches
      parent.document.title = JSON.stringify({ found, width, isDark, hasRun: passes.length > 10 })
    })`
    const html = HostedPage.html(page).replace("</body>", () => `<script>${run}</script></body>`)
    // No window of the browser is as narrow as a telephone; a frame is.
    const frame = `<iframe style="width: 320px; height: 1900px; border: 0" srcdoc="${escape(html)}">`
    writeFileSync(file, `<html style="color-scheme: light dark"><title></title>${frame}</iframe>`)
    const options = [
      "--headless=new",
      "--no-sandbox",
      `--user-data-dir=${folder}/profile`,
      "--virtual-time-budget=20000",
      "--dump-dom",
      `--blink-settings=preferredColorScheme=${isDark ? 0 : 1}`
    ]
    const { stdout } = spawnSync("chromium", [...options, `file://${file}`], { encoding: "utf8" })
    return /<title>([^<]*)/u.exec(stdout)?.[1] ?? "no answer"
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!hasBrowser)("the page of a signer in a browser", () => {
  for (const [name, page] of Object.entries(pages)) {
    it(`keeps no one out where it is to ${name}`, () => {
      for (const isDark of [false, true]) {
        const expected = { found: [], width: 320, isDark, hasRun: true }
        assert.deepStrictEqual(JSON.parse(judged(page, isDark)), expected)
      }
    })
  }
})
