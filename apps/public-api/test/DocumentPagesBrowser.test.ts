/** The pages of links that take a file, and that open a document, in a real browser: by the keyboard alone too. */
import { assert, describe, layer } from "@effect/vitest"
import { DocumentLinkExpired, DocumentLinkNotFound } from "@quittance/domain/documents/DocumentLink"
import { DocumentRequestId } from "@quittance/domain/documents/requests/DocumentRequest"
import { RateLimited } from "@quittance/domain/requests/RateLimit"
import { PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LinkedDocument } from "@quittance/operations/documents/links/LinkOpenings"
import type { LinkedRequest } from "@quittance/operations/documents/requests/LinkedUploads"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { linkPage, refusedLinkPage } from "../src/http/DocumentLinkPages.ts"
import {
  formPage,
  receivedPage,
  waitToUploadPage,
  wrongUploadPage
} from "../src/http/UploadPages.ts"
import { serve } from "./PageServer.ts"
import { hasBrowser, RealBrowser } from "./RealBrowser.ts"

const longName = `Compagnie d’assurances ${"Donaudampfschifffahrt".repeat(6)} & Fils`
const tenant = { ...sandboxTenant(), name: longName }

const request: LinkedRequest = {
  tenant,
  id: DocumentRequestId.make("document_request_test_346789ABCDEFGHJKLMNPQ"),
  policyId: PolicyId.make("policy_test_346789ABCDEFGHJKLMNPQ"),
  label: `Relevé de sinistralité ${"x".repeat(120)}`,
  note: `Des cinq dernières années <b>${"y".repeat(120)}</b>`,
  tokenHash: new Uint8Array()
}

const linked: LinkedDocument = {
  tenant,
  title: `Conditions particulières ${"z".repeat(120)}`,
  // The text of a date is the canonical one.
  expiresAt: "2026-12-24T22:59:59.000Z" as Instant,
  once: true
}

const upload = "/uploads/token"
const link = "/documents/links/token"

const pages = {
  [upload]: formPage(request, upload),
  "/refused": formPage(request, upload, true),
  "/received": receivedPage(request),
  "/wrong": wrongUploadPage(["it"]),
  "/wait": waitToUploadPage(["de"], 60),
  [link]: linkPage(linked, link),
  "/ended": refusedLinkPage(new DocumentLinkExpired({}), ["fr"]),
  "/unknown": refusedLinkPage(new DocumentLinkNotFound({}), ["es"]),
  "/limited": refusedLinkPage(
    new RateLimited({ retryAfter: 60, limit: 60, remaining: 0, reset: 60 }),
    ["en"]
  )
}

const focused = "document.activeElement.getAttribute('type') ?? document.activeElement.tagName"
/** How thick the line is that shows where the keyboard is. */
const outline = "parseFloat(getComputedStyle(document.activeElement).outlineWidth)"
const heading = "document.querySelector('h1').textContent"

describe.skipIf(!hasBrowser)("pages of links of documents in a browser", () => {
  layer(RealBrowser.layer, { excludeTestServices: true })((it) => {
    it.effect("keep no one out, light and dark, 320 pixels wide, with long names", () =>
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

    it.effect(
      "take a file by the keyboard alone, without script, and again after a wrong one",
      () =>
        Effect.gen(function* () {
          const folder = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(path.join(tmpdir(), "quittance-upload-"))),
            (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
          )
          const file = path.join(folder, "relevé.pdf")
          writeFileSync(file, "%PDF-1.7 a wrong one")
          const { sent, url } = yield* serve(pages, ({ body }) =>
            body.includes("a wrong one") ? formPage(request, upload, true) : receivedPage(request)
          )
          const tab = yield* RealBrowser.use((browser) => browser.tab)
          yield* Effect.promise(async () => {
            await tab.go(url + upload)
            for (const text of ["a wrong one", "the right one"]) {
              writeFileSync(file, `%PDF-1.7 ${text}`)
              await tab.press("Tab")
              assert.strictEqual(await tab.ask(focused), "file")
              assert.isAtLeast(Number(await tab.ask(outline)), 2)
              await tab.choose("Enter", file)
              await tab.press("Tab")
              assert.strictEqual(await tab.ask(focused), "submit")
              assert.isAtLeast(Number(await tab.ask(outline)), 2)
              await tab.follow("Enter")
              if (text === "the right one") break
              // What went wrong and what to do is read out with the field.
              const described = `document.getElementById(document.querySelector('[type=file]')
              .getAttribute('aria-describedby').split(' ')[0]).textContent`
              assert.match(String(await tab.ask(described)), /Choisissez un PDF sans mot de passe/u)
              assert.match(String(await tab.ask("document.title")), /^Erreur/u)
            }
            assert.match(String(await tab.ask("document.body.textContent")), /est arrivé/u)
          })
          assert.deepStrictEqual(
            sent.map((one) => one.path),
            [upload, upload]
          )
          assert.include(sent[1]!.body, "the right one")
        })
    )

    it.effect("open a document by the keyboard alone, without script", () =>
      Effect.gen(function* () {
        const ended = refusedLinkPage(new DocumentLinkExpired({}), ["fr"])
        const { sent, url } = yield* serve(pages, () => ended)
        const tab = yield* RealBrowser.use((browser) => browser.tab)
        yield* Effect.promise(async () => {
          await tab.go(url + link)
          await tab.press("Tab")
          assert.strictEqual(await tab.ask(focused), "submit")
          assert.isAtLeast(Number(await tab.ask(outline)), 2)
          await tab.follow("Enter")
          assert.strictEqual(await tab.ask(heading), ended.heading)
        })
        assert.deepStrictEqual(sent, [{ path: link, body: "" }])
      })
    )
  })
})
