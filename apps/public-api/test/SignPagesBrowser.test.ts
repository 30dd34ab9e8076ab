/** The page of a signer in a real browser: nothing keeps people out, light and dark, 320 pixels wide. */
import { assert, describe, layer } from "@effect/vitest"
import type { CeremonyVisit } from "@quittance/domain/signatures/CeremonyVisit"
import type { SignerStatus } from "@quittance/domain/signatures/SignatureLifecycle"
import { SignerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect } from "effect"
import { signPage, wrongLinkPage } from "../src/http/SignPages.ts"
import { serve } from "./PageServer.ts"
import { hasBrowser, RealBrowser } from "./RealBrowser.ts"

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
  "/begin": signPage(visitOf("NOTIFIED"), "/sign/x"),
  "/code": signPage(visitOf("OPENED"), "/sign/x", { name: "code", field: "code", triesLeft: 3 }),
  "/sign": signPage(visitOf("PROVEN"), "/sign/x", { name: "name", field: "name" }),
  "/decline": signPage(visitOf("PROVEN"), "/sign/x", { name: "reason", field: "reason" }),
  "/signed": signPage(visitOf("SIGNED", { status: "COMPLETED" }), "/sign/x"),
  "/wrongLink": wrongLinkPage(["it"])
}

describe.skipIf(!hasBrowser)("the page of a signer in a browser", () => {
  layer(RealBrowser.layer, { excludeTestServices: true })((it) => {
    it.effect("keeps no one out, whatever it asks for", () =>
      Effect.gen(function* () {
        const { url } = yield* serve(pages)
        const tab = yield* RealBrowser.use((browser) => browser.tab)
        for (const path of Object.keys(pages)) {
          yield* Effect.promise(() => tab.go(url + path))
          for (const isDark of [false, true]) {
            yield* Effect.promise(() => tab.look(isDark))
            const judgement = yield* Effect.promise(tab.judge)
            assert.deepStrictEqual(judgement, { found: [], width: 320, isDark, hasRun: true }, path)
          }
        }
      })
    )
  })
})
