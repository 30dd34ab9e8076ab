import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { isVaried } from "../src/KeyVariety.ts"

describe("the variety of a key", () => {
  it.each([
    ["zeros", Buffer.alloc(32)],
    ["one byte", Buffer.alloc(32, 7)],
    ["two bytes in turn", Buffer.alloc(32, "\u0001\u0002")],
    ["a count upwards", Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
    ["a count downwards", Buffer.from(Array.from({ length: 32 }, (_, index) => 200 - index * 3))],
    ["half of it twice", Buffer.concat([randomBytes(16), Buffer.alloc(16)])],
    ["hexadecimal digits", Buffer.from("0123456789abcdef0123456789abcdef")],
    ["a text", Buffer.from("my very secret key: Pj4&zXw-96Ab")]
  ])("is too little in %s", (_what, bytes) => {
    assert.strictEqual(bytes.length, 32)
    assert.isFalse(isVaried(bytes))
  })

  it("is enough in what a generator makes", () => {
    for (let turn = 0; turn < 2000; turn++) {
      assert.isTrue(isVaried(createHash("sha256").update(`${turn}`).digest()))
    }
  })
})
