import { assert, describe, it } from "@effect/vitest"
import { delayAfter, delays, maximumGuesses } from "../../src/tokens/Guesses.ts"
import { passwordFault } from "../../src/tokens/Password.ts"

const reasonOf = (password: string, email = "ada.lovelace@example.test") =>
  passwordFault(password, email, ["acme", "Blue & Sons", "Ada", "Lovelace"])?.reason

describe("a password", () => {
  it.each([
    "a harbour with nine cranes",
    "correct horse battery staple",
    "blaue Berge am See",
    "xK9#mQ2$vL7p",
    "trois chats sous la pluie",
    "パスワードはとても長いです"
  ])("is taken: %s", (password) => {
    assert.isUndefined(reasonOf(password))
  })

  it.each([
    "sandbox-password",
    "password1234",
    "P4ssw0rd!2024",
    "P@$$w0rd1234",
    "Passwort12345",
    "motdepasse123",
    "123456789012",
    "987654321098",
    "31415926535897",
    "2024-01-31-2024",
    "123123123123",
    "qwertyuiop12",
    "qwertyuiopasdfghjkl",
    "azertyuiop12",
    "1qaz2wsx3edc",
    "qazwsxedcrfv",
    "zaq12wsxcde3",
    "q1w2e3r4t5y6",
    "abcdefghijkl",
    "aaaaaaaaaaaa",
    "monkeymonkey1",
    "iloveyou1234",
    "letmein12345",
    "welcome12345",
    "Summer2024!!",
    "Bonjour2024!",
    "liverpool123",
    "chelsea12345",
    "starwars1234",
    "manchesterunited",
    "administrator",
    "Versicherung24",
    "trustno1trustno1",
    "acme-insurance",
    "AcmeAcme2024!",
    "Lovelace-2024",
    "ada-sons-2024"
  ])("is refused: %s", (password) => {
    assert.strictEqual(reasonOf(password), "COMMON")
  })

  it("is refused when it is short, long, or has the address in it", () => {
    assert.strictEqual(reasonOf("xK9#mQ2$vL7"), "SHORT")
    assert.strictEqual(reasonOf("xK9#mQ2$vL7p".repeat(90)), "LONG")
    assert.strictEqual(reasonOf("zebra78-winifred-x", "winifred@example.test"), "ADDRESS")
  })
})

describe("guesses", () => {
  it("wait longer each time, at most an hour, and end after a hundred", () => {
    assert.lengthOf(delays, maximumGuesses)
    assert.strictEqual(maximumGuesses, 100)
    assert.deepStrictEqual(delays.slice(0, 8), [0, 0, 0, 0, 1, 2, 4, 8])
    assert.isTrue(delays.every((delay, index) => delay >= (delays[index - 1] ?? 0)))
    assert.strictEqual(delayAfter(100), 3600)
  })
})
