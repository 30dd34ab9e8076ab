/** What is taken of what people send, and what of it is not: failures first. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { deflateSync } from "node:zlib"
import { judgePdf } from "../../src/uploads/PdfJudgement.ts"
import { judge } from "../../src/uploads/UploadJudgement.ts"
import { packed, pdf, stream } from "./Pdfs.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex")

/** The reason of a refusal, the type that it is not, or what is known of what is taken. */
const said = (mediaType: string, bytes: Uint8Array) =>
  Effect.map(Effect.result(judge({ mediaType, bytes })), (result) =>
    Result.isSuccess(result)
      ? result.success
      : result.failure._tag === "UploadRejected"
        ? result.failure.reason
        : result.failure._tag
  )
const ofPdf = (bytes: Uint8Array) => said("application/pdf", bytes)

describe("a file that people send", () => {
  it.effect("is no PDF that can do more than be shown, wherever it hides that", () =>
    Effect.gen(function* () {
      const action = "<< /S /JavaScript /JS (app.alert(1)) >>"
      const program = stream("", Buffer.from("MZ\u0090\0 a program"))
      const small = stream("/Filter /FlateDecode", deflateSync("MZ\u0090\0 a program"))
      const files = "<< /Type /Filespec /EF << /F 5 0 R >> >>"
      const active = [
        pdf({ page: `/OpenAction ${action}` }),
        pdf({ page: "/A << /S /J#61vaScript >>" }),
        pdf({ page: "/AA << /O << /S /#4Caunch /F (cmd.exe) >> >>" }),
        pdf({ objects: [packed(action)] }),
        pdf({ objects: ["<< /AcroForm << /XFA [] >> >>"] }),
        pdf({ objects: [files, program] }),
        pdf({ objects: [files, small] }),
        // Hidden where a reader that repairs looks, and a table of objects does not lead.
        pdf({ objects: [stream("", Buffer.from(`77 0 obj ${action} endobj`))] }),
        pdf({ objects: [`% a comment\n<< /A (a \\) string) /B ${action} >>`] })
      ]
      for (const [index, bytes] of active.entries()) {
        assert.strictEqual(yield* ofPdf(bytes), "ACTIVE_CONTENT", `${index}`)
      }
    })
  )

  it.effect("is no PDF that can't be looked through", () =>
    Effect.gen(function* () {
      const whole = pdf()
      const unreadable = [
        whole.subarray(0, whole.length - 20),
        pdf({ pages: 0 }),
        // A stream of objects that is packed otherwise, rearranged, or not what it says.
        pdf({ objects: [stream("/N 1 /First 4", Buffer.from("9 0 << /JS 1 >>"))] }),
        pdf({ objects: [stream("/N 1 /First 4 /Filter 8 0 R", deflateSync("9 0 null"))] }),
        pdf({ objects: [packed("null", "/DecodeParms << /Predictor 12 >>")] }),
        pdf({ objects: [stream("/#46irst 4 /N 1 /Filter /LZWDecode", Buffer.from("x"))] }),
        pdf({ objects: [stream("/First 4 /N 1 /Filter /FlateDecode", Buffer.from("x"))] }),
        // 16 MiB of a few kilobytes.
        pdf({ objects: [packed(" ".repeat(16_777_216))] })
      ]
      for (const [index, bytes] of unreadable.entries()) {
        assert.strictEqual(yield* ofPdf(bytes), "UNREADABLE", `${index}`)
      }
      assert.strictEqual(yield* ofPdf(pdf({ trailer: "/Encrypt 9 0 R" })), "ENCRYPTED")
      assert.strictEqual(yield* ofPdf(pdf({ pages: 501 })), "TOO_MANY_PAGES")
      assert.strictEqual(yield* ofPdf(Buffer.alloc(0)), "EMPTY")
    })
  )

  it.effect("is one kind of file alone, and the one that it says", () =>
    Effect.gen(function* () {
      const script = Buffer.concat([Buffer.from("#!/bin/sh\nexit 0\n"), pdf()])
      const picture = Buffer.concat([jpeg, pdf()])
      for (const type of ["application/pdf", "text/plain"]) {
        assert.strictEqual(yield* said(type, script), "LEADING_BYTES", type)
      }
      assert.strictEqual(yield* said("image/jpeg", picture), "LEADING_BYTES")
      const lies: ReadonlyArray<readonly [string, Uint8Array]> = [
        ["application/pdf", png],
        ["image/png", pdf()],
        ["image/jpeg", png],
        ["text/plain", png],
        ["image/png", Buffer.from("a text")],
        ["text/html", Buffer.from("<script>alert(1)</script>")],
        ["image/svg+xml", Buffer.from("<svg/>")],
        ["application/zip", Buffer.from("PK\u0003\u0004")],
        ["text/csv", Buffer.from("a;b\0c")],
        ["text/plain", Buffer.from([0x61, 0xff, 0x62])],
        ["text/plain", Buffer.from([0x61, 0xc3])]
      ]
      for (const [type, bytes] of lies) {
        assert.strictEqual(yield* said(type, bytes), "UnsupportedMediaType", type)
      }
    })
  )

  it.effect("is taken where it is what it says", () =>
    Effect.gen(function* () {
      const data = stream("/Type /EmbeddedFile", Buffer.from("{}"))
      const scan = stream("/Subtype /Image /Filter /DCTDecode", jpeg)
      const taken = pdf({
        pages: 500,
        page: "/Contents (JavaScript /JS \\) /Launch) /Title <2f4a53>",
        objects: ["<< /Type /Filespec /EF << /F 5 0 R >> >>", data, scan, packed("<< /A 1 >>")]
      })
      assert.deepStrictEqual(yield* ofPdf(taken), { mediaType: "application/pdf", pages: 500 })
      // A later version of a page is the same page.
      const saved = Buffer.concat([pdf(), pdf({ page: "/Rotate 90" }).subarray(9)])
      assert.deepStrictEqual(yield* ofPdf(saved), { mediaType: "application/pdf", pages: 1 })
      assert.deepStrictEqual(yield* said("image/png", png), { mediaType: "image/png" })
      assert.deepStrictEqual(yield* said("Image/JPEG", jpeg), { mediaType: "image/jpeg" })
      const text = Buffer.from("Prénom;Nom\r\nZoë;Łukasz\r\n")
      assert.deepStrictEqual(yield* said("text/csv; charset=utf-8", text), {
        mediaType: "text/csv"
      })
    })
  )

  it("costs a bounded number of steps, whatever it holds", () => {
    // Each object would be read to the end of the file.
    const nested = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      Buffer.from("1 0 obj\n/A ".repeat(100_000)),
      Buffer.from("startxref\n9\n%%EOF\n")
    ])
    const steps = judgePdf(nested)
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) count++
    assert.deepStrictEqual(step.value, { reason: "UNREADABLE" })
    assert.isBelow(count, 2000)
  })
})
