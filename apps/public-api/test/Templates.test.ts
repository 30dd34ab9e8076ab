/** Templates and files of documents, and products whose documents can be made. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { form } from "./Forms.ts"
import { farewell, farewellPath, logo, onePixel } from "./TemplateWrites.ts"

const prepared = Effect.map(newTenant, ({ client: token, tenant }) => ({
  put: (path: string, body: unknown, query = "") =>
    call(`${path}${query}`, { tenant, token, method: "PUT", body }),
  post: (path: string, body: unknown, headers = {}) =>
    call(path, { tenant, token, method: "POST", body, headers }),
  get: (path: string) => call(path, { tenant, token })
}))

const pointersOf = ({ body }: { readonly body: any }, list: "faults" | "issues" = "issues") =>
  body.details[list].map(({ pointer }: { readonly pointer: string }) => pointer)

const textOf = (bytes: Uint8Array) => {
  const file = join(mkdtempSync(join(tmpdir(), "preview-")), "preview.pdf")
  writeFileSync(file, bytes)
  return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" })
}

layer(TestLayer, { excludeTestServices: true })("templates of documents over HTTP", (it) => {
  it.effect("never change once they are published, and each fault of one is told", () =>
    Effect.gen(function* () {
      const { get, put } = yield* prepared
      const missing = yield* get(farewellPath)
      assert.deepStrictEqual([missing.status, missing.body.code], [404, "TEMPLATE_NOT_FOUND"])
      const faulty = {
        ...farewell,
        templateId: "another-fr",
        layout: "poster",
        blocks: [{ kind: "image", file: "0".repeat(64), alt: "Logo", width: 20 }]
      }
      const refused = yield* put(farewellPath, faulty)
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_TEMPLATE"])
      assert.deepStrictEqual(pointersOf(refused), ["/templateId", "/layout", "/blocks/0/file"])
      assert.strictEqual((yield* put(farewellPath, farewell, "?dryRun=true")).status, 201)
      assert.strictEqual((yield* get(farewellPath)).status, 404)
      const first = yield* put(farewellPath, farewell)
      assert.deepInclude(first.body, { version: "2026.1", origin: "TENANT" })
      assert.deepStrictEqual((yield* put(farewellPath, farewell)).body, first.body)
      const other = yield* put(farewellPath, { ...farewell, title: "Adieu" })
      assert.deepStrictEqual([other.status, other.body.code], [409, "TEMPLATE_IN_USE"])
      yield* put(farewellPath, { ...farewell, version: "2026.2", title: "Adieu" })
      assert.strictEqual((yield* get(farewellPath)).body.title, "Adieu")
      assert.deepStrictEqual((yield* get(`${farewellPath}?version=2026.1`)).body, farewell)
      const { body } = yield* get(`${farewellPath}/versions?count=1`)
      assert.deepStrictEqual([body.totalCount, body.data[0].version], [2, "2026.2"])
    })
  )

  it.effect("of the release are there from the first day on, and keep their text", () =>
    Effect.gen(function* () {
      const { get, put } = yield* prepared
      const path = "/admin/document-templates/contract-motor-fr"
      const { body } = yield* get(path)
      assert.strictEqual(body.templateId, "contract-motor-fr")
      const { data } = (yield* get(`${path}/versions`)).body
      assert.deepStrictEqual(data[0].origin, "RELEASE")
      assert.strictEqual((yield* put(path, { ...body, title: "x" })).body.code, "TEMPLATE_IN_USE")
    })
  )

  it.effect("are looked at with the examples of a product, which say that they are some", () =>
    Effect.gen(function* () {
      const { post, put } = yield* prepared
      const added = yield* post("/admin/document-files", logo.body, logo.headers)
      const sha256 = createHash("sha256").update(onePixel).digest("hex")
      assert.deepStrictEqual(
        [added.status, added.body],
        [201, { sha256, size: onePixel.length, mediaType: "image/png" }]
      )
      const image = { kind: "image", file: sha256, alt: "Logo", width: 20 }
      yield* put(farewellPath, { ...farewell, blocks: [image, ...farewell.blocks] })
      const request = { productId: motor.productId, on: "STOPPED" }
      const { bytes, status } = yield* post(`${farewellPath}/preview`, request)
      assert.strictEqual(status, 200)
      const text = textOf(bytes)
      assert.include(text, "Fin de votre contrat 2027-000123")
      assert.include(text, farewell.draft)
      const lacking = { ...farewell, version: "2", title: "{{notice.writtenOn|date}}" }
      yield* put(farewellPath, lacking)
      const refused = yield* post(`${farewellPath}/preview`, request)
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_TEMPLATE"])
      const unknown = yield* post(`${farewellPath}/preview`, { ...request, productId: "none" })
      assert.strictEqual(unknown.body.code, "PRODUCT_NOT_FOUND")
    })
  )

  it.effect("take files that can be shown, and nothing else", () =>
    Effect.gen(function* () {
      const { post } = yield* prepared
      const send = (bytes: string | Uint8Array, type: string) => {
        const { body, headers } = form({}, { name: "x", bytes, type })
        return post("/admin/document-files", body, headers)
      }
      assert.strictEqual((yield* send("a text", "text/plain")).status, 415)
      assert.strictEqual((yield* send(onePixel, "application/pdf")).status, 415)
      assert.strictEqual((yield* send("", "application/pdf")).body.code, "UPLOAD_REJECTED")
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a product with documents", (it) => {
  it.effect("is refused where one of them could not be made, with each reason", () =>
    Effect.gen(function* () {
      const { put } = yield* prepared
      const documents = motor.documents!.map((document, index) => {
        if (index === 0) return { ...document, source: { template: "no-such", version: "1" } }
        if (index === 1) return { ...document, source: { file: "0".repeat(64) } }
        // An invoice's template has nothing to show before there is an invoice.
        if (index === 2) return { ...document, source: sourceOf("INVOICE") }
        return index === 3
          ? { ...document, when: { path: "policy.colour", in: ["RED"] } }
          : document
      })
      const broken = { ...motor, version: "D.1", documents }
      const path = `/admin/products/${motor.productId}`
      const refused = yield* put(path, broken)
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "INVALID_PRODUCT"])
      assert.deepStrictEqual(pointersOf(refused, "faults"), [
        "/documents/3/when/path",
        "/documents/0/source",
        "/documents/1/source/file",
        "/documents/2/source"
      ])
      assert.strictEqual((yield* put(path, { ...motor, version: "D.1" })).status, 201)
    })
  )
})

const sourceOf = (kind: string) =>
  motor.documents!.find((document) => document.kind === kind)!.source
