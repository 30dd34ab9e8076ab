import { assert, describe, it } from "@effect/vitest"
import * as DeviceCookie from "../src/DeviceCookie.ts"

const key = DeviceCookie.deviceKey(new Uint8Array(32))
const nonce = (byte: number) => new Uint8Array(DeviceCookie.nonceBytes).fill(byte)
const add = (email: string, cookie: string, byte: number) =>
  DeviceCookie.add(key, "north", email, cookie, nonce(byte))

describe("DeviceCookie", () => {
  it("is found for its own key, tenant and account alone, and never when a letter is changed", () => {
    const cookie = add("a@b.test", "", 1)
    assert.strictEqual(DeviceCookie.find(key, "north", "a@b.test", cookie), cookie)
    const other = DeviceCookie.deviceKey(new Uint8Array(32).fill(1))
    assert.isUndefined(DeviceCookie.find(other, "north", "a@b.test", cookie))
    assert.isUndefined(DeviceCookie.find(key, "south", "a@b.test", cookie))
    assert.isUndefined(DeviceCookie.find(key, "north", "c@b.test", cookie))
    for (let at = 0; at < cookie.length - 1; at++) {
      const letter = cookie[at] === "A" ? "B" : "A"
      const changed = `${cookie.slice(0, at)}${letter}${cookie.slice(at + 1)}`
      assert.isUndefined(DeviceCookie.find(key, "north", "a@b.test", changed), `${at}`)
    }
  })

  it("stays the same for an account that it knows, and keeps the last four", () => {
    const emails = ["a", "b", "c", "d", "e"]
    const cookie = emails.reduce((before, email, byte) => add(email, before, byte), "")
    const known = emails.filter((email) => DeviceCookie.find(key, "north", email, cookie))
    assert.deepStrictEqual(known, ["b", "c", "d", "e"])
    const first = DeviceCookie.find(key, "north", "b", cookie)
    const again = add("b", cookie, 9)
    assert.isTrue(again.startsWith(`${first}~`))
    assert.lengthOf(again.split("~"), 4)
  })
})
