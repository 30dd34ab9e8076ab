import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { attachment, fileNameOf, matchesEtag, rangeOf } from "../../src/documents/ContentHeaders.ts"

const offset = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })))

describe("a range", () => {
  it("is the bytes that are asked for, as far as there are any", () => {
    const cases = [
      ["bytes=0-0", { start: 0, end: 1 }],
      ["bytes=5-14", { start: 5, end: 15 }],
      ["bytes=90-200", { start: 90, end: 100 }],
      ["bytes=90-", { start: 90, end: 100 }],
      ["bytes=-10", { start: 90, end: 100 }],
      ["bytes=-200", { start: 0, end: 100 }],
      ["bytes=100-", "NONE"],
      ["bytes=100-120", "NONE"],
      ["bytes=-0", "NONE"]
    ] as const
    for (const [header, range] of cases) assert.deepStrictEqual(rangeOf(header, 100), range, header)
  })

  it("is not there where the whole is to be answered", () => {
    const headers = [undefined, "", "bytes=", "bytes=-", "bytes=9-3", "bytes=0-1,4-5", "lines=1-2"]
    for (const header of headers) assert.isUndefined(rangeOf(header, 100), header)
  })

  it.prop("lies within the bytes", [offset, offset, offset], ([first, last, size]) => {
    for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
      const range = rangeOf(header, size)
      if (range === undefined || range === "NONE") continue
      assert.isAtLeast(range.start, 0)
      assert.isBelow(range.start, range.end)
      assert.isAtMost(range.end, size)
    }
  })
})

describe("an etag", () => {
  it("is known where it is among those that the reader has", () => {
    for (const header of ['"a"', 'W/"a"', '"b", "a"', "*"])
      assert.isTrue(matchesEtag(header, '"a"'))
    for (const header of [undefined, "", "a", '"ab"', '"b"'])
      assert.isFalse(matchesEtag(header, '"a"'))
  })
})

describe("a file", () => {
  it("has the ending of its media type, whatever its title says", () => {
    assert.strictEqual(fileNameOf("Devis", "application/pdf"), "Devis.pdf")
    assert.strictEqual(fileNameOf("Devis.PDF", "application/pdf"), "Devis.pdf")
    assert.strictEqual(fileNameOf("../../etc/passwd", "application/pdf"), "etc passwd.pdf")
    assert.strictEqual(fileNameOf("virus.exe", "application/pdf"), "virus.exe.pdf")
    assert.strictEqual(fileNameOf("???", "application/pdf"), "document.pdf")
    assert.strictEqual(fileNameOf("a", "text/html"), "a.bin")
  })

  it.prop(
    "is named in one line of a header that says no other thing",
    [Arbitrary.schema(Schema.String)],
    ([title]) => {
      const header = attachment(fileNameOf(title, "application/pdf"))
      assert.match(
        header,
        /^attachment; filename="[\u0020-\u0021\u0023-\u005b\u005d-\u007e]+"; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+$/u
      )
      const [, encoded = ""] = header.split("filename*=UTF-8''")
      assert.strictEqual(
        decodeURIComponent(encoded),
        fileNameOf(title, "application/pdf").toWellFormed()
      )
    }
  )
})
