import { PriceAnswer, PriceRequest } from "@quittance/domain/products/PriceExchange"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash, createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { isAnswerSigned, signAnswer, signRequest } from "../src/ExchangeSignature.ts"

const page = readFileSync(new URL("../../../docs/quote-providers.md", import.meta.url), "utf8")
const secret = /The secret of this example is `([^`]+)`/u.exec(page)?.[1] ?? ""

/** The two messages of the worked example: their first line, header of the signature and body. */
const messages = [
  ...page.matchAll(/```http\n(.+)\n[^`]*?\nquittance-signature: (.+)\n\n(.+)\n```/gu)
].map(([, first = "", header = "", body = ""]) => ({ first, header, body }))
const [asked, answered] = messages as [(typeof messages)[0], (typeof messages)[0]]
const keyId = createHash("sha256").update(secret).digest("hex").slice(0, 16)
const strict = { onExcessProperty: "error" } as const
const request = Schema.decodeUnknownSync(PriceRequest)(JSON.parse(asked.body), strict)
const key = { keyId, secret }
const bytes = (text: string) => Buffer.from(text)

describe("signatures between us and a quote provider", () => {
  it("are those of the worked example in the documentation", () => {
    assert.lengthOf(messages, 2)
    const [method = "", path = ""] = asked.first.split(" ")
    const time = Number(/;time=(\d+);/u.exec(asked.header)?.[1])
    const body = bytes(asked.body)
    assert.strictEqual(asked.header, signRequest(key, { method, path, body, time }))
    assert.strictEqual(answered.header, signAnswer(key, request.requestId, bytes(answered.body)))
    const answer = Schema.decodeUnknownSync(PriceAnswer)(JSON.parse(answered.body), strict)
    assert.strictEqual(answer.requestId, request.requestId)
  })

  it("can be computed from the description alone", () => {
    const [, path] = asked.first.split(" ")
    const time = /;time=(\d+);/u.exec(asked.header)?.[1]
    const hmac = (...lines: ReadonlyArray<string | undefined>) =>
      createHmac("sha256", secret).update(lines.join("\n")).digest("hex")
    assert.strictEqual(
      asked.header.split("hmac=")[1],
      hmac("quittance request v1", keyId, time, "POST", path, asked.body)
    )
    assert.strictEqual(
      answered.header.split("hmac=")[1],
      hmac("quittance answer v1", keyId, request.requestId, answered.body)
    )
  })

  it("hold for one answer to one request alone", () => {
    const { body, header } = answered
    const { requestId } = request
    assert.isTrue(isAnswerSigned(key, requestId, bytes(body), header))
    for (const [otherKey, otherId, otherBody, otherHeader] of [
      [key, `${requestId}0`, body, header],
      [key, requestId, `${body} `, header],
      [key, requestId, body.replace("12263", "12262"), header],
      [{ ...key, secret: `${secret}.` }, requestId, body, header],
      [{ ...key, keyId: "0".repeat(16) }, requestId, body, header],
      [key, requestId, body, header.toUpperCase()],
      [key, requestId, body, `${header} `],
      [key, requestId, body, ""],
      [key, requestId, body, undefined],
      [key, requestId, asked.body, asked.header]
    ] as const) {
      assert.isFalse(isAnswerSigned(otherKey, otherId, bytes(otherBody), otherHeader))
    }
  })

  it("can't be moved between the parts of what is signed", () => {
    const signed = (path: string, body: string) =>
      signRequest(key, { method: "POST", path, body: bytes(body), time: 1 })
    assert.notStrictEqual(signed("/a", "b"), signed("/ab", ""))
    // An identifier is ours and has no line feed, so no body can stand in for a part of it.
    assert.notStrictEqual(signAnswer(key, "a", bytes("b")), signAnswer(key, "ab", bytes("")))
  })
})
