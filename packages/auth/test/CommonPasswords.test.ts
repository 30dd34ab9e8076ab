import { assert, describe, it } from "@effect/vitest"
import { isCommon, longestWord } from "@quittance/domain/tokens/CommonPassword"
import { longestPassword, passwordFault } from "@quittance/domain/tokens/Password"
import { commonPasswords } from "../src/CommonPasswords.ts"

const reasonOf = (password: string) =>
  passwordFault(password, "ada.lovelace@example.test", ["acme"], commonPasswords)?.reason

/** The list, counting how often it is asked. */
const counting = () => {
  const asked = { times: 0 }
  const has = (text: string) => {
    asked.times += 1
    return commonPasswords.has(text)
  }
  return {
    asked,
    listed: new Proxy(commonPasswords, {
      get: (set, name) => (name === "has" ? has : Reflect.get(set, name))
    })
  }
}

describe("the list of common passwords", () => {
  it("is large enough to be worth something, and in small letters", () => {
    assert.isAbove(commonPasswords.size, 20_000)
    for (const password of commonPasswords) assert.strictEqual(password, password.toLowerCase())
  })

  it("is refused whole, written with digits and signs, and twice", () => {
    const listed = [...commonPasswords]
      .filter(({ length }) => length >= 8 && length <= longestWord)
      // One of ten: all of them take ten seconds.
      .filter((_, index) => index % 10 === 0)
    const leet = (text: string) =>
      text.replaceAll("a", "4").replaceAll("e", "3").replaceAll("o", "0")
    for (const password of listed) {
      const isOfLetters = /^[a-z]+$/u.test(password)
      const variants = [`${password}2024!`, `${password}${password}`]
      for (const chosen of isOfLetters ? [...variants, `${leet(password)}-123`] : variants) {
        if (chosen.length >= 12) assert.isDefined(reasonOf(chosen), chosen)
      }
    }
  })

  it.each([
    "a harbour with nine cranes",
    "correct horse battery staple",
    "xK9#mQ2$vL7p",
    "blaue Berge am See"
  ])("lets others through: %s", (password) => {
    assert.isUndefined(reasonOf(password))
  })

  it.each([
    ["a word", "password".repeat(128)],
    ["a word in digits and signs", "4@3€61!05$7+".repeat(85)],
    ["a word and a sign", "-password".repeat(113)],
    ["a walk", "qwertyuiop".repeat(102)],
    ["one character", "a".repeat(longestPassword)],
    ["two words", "dragon monkey ".repeat(73)],
    ["what has two units each", "\u{1F600}".repeat(512)]
  ])("is asked a bounded number of times for each character: %s", (_, password) => {
    const { asked, listed } = counting()
    isCommon(password.slice(0, longestPassword), ["x".repeat(5000)], listed)
    assert.isAtMost(asked.times, longestPassword * longestWord * 3 * 2)
  })
})
