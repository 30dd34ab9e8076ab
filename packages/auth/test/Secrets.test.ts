import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as PasswordHash from "../src/PasswordHash.ts"
import * as Pkce from "../src/Pkce.ts"
import * as Secret from "../src/Secret.ts"
import * as SigningKey from "../src/SigningKey.ts"

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill)

describe("PasswordHash", () => {
  it.effect("refuses another password, a longer one and one that is too long", () =>
    Effect.gen(function* () {
      const stored = yield* PasswordHash.make("sandbox-password", bytes(16, 7))
      const tried = [
        "sandbox-Password",
        "sandbox-password ",
        "",
        "x".repeat(PasswordHash.maxLength + 1)
      ]
      const answers = yield* Effect.forEach(tried, (password) =>
        PasswordHash.verify(password, stored)
      )
      assert.deepStrictEqual(answers, [false, false, false, false])
    })
  )

  it.effect("accepts the password, also typed with combining characters", () =>
    Effect.gen(function* () {
      const stored = yield* PasswordHash.make("caf\u00e9-password", bytes(16, 7))
      assert.isTrue(yield* PasswordHash.verify("cafe\u0301-password", stored))
    })
  )

  it.effect("writes the parameters that OWASP recommends into each hash", () =>
    Effect.gen(function* () {
      const stored = yield* PasswordHash.make("password", bytes(16, 1))
      assert.match(
        stored,
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/u
      )
    })
  )

  it.effect(
    "reads hashes made with other parameters, as the reference implementation writes them",
    () =>
      Effect.gen(function* () {
        // The first test vector for argon2id of the reference implementation's test.c (version 19).
        const stored =
          "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        assert.isTrue(yield* PasswordHash.verify("password", stored))
        assert.isFalse(yield* PasswordHash.verify("passwore", stored))
      })
  )

  it.effect("accepts no password for the hash of an unknown user", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* PasswordHash.verify("", PasswordHash.unknownUser))
    })
  )

  it.effect("dies of a stored text that is no hash, instead of refusing quietly", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(PasswordHash.verify("password", "plain text"))
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})

describe("Pkce", () => {
  it("knows the example of RFC 7636, appendix B", () => {
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert.strictEqual(Pkce.challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    assert.isTrue(Pkce.matches(verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
  })

  it.each([
    ["too short", "a".repeat(42)],
    ["too long", "a".repeat(129)],
    ["with a space", `${"a".repeat(50)} `],
    ["not ASCII", "é".repeat(50)]
  ])("refuses a verifier that is %s, even when its hash fits", (_, verifier) => {
    assert.isFalse(Pkce.matches(verifier, Pkce.challenge(verifier)))
  })

  it("refuses the challenge itself as the verifier, as the plain method would take it", () => {
    const challenge = Pkce.challenge("a".repeat(43))
    assert.isFalse(Pkce.matches(challenge, challenge))
  })

  it.prop(
    "matches a verifier and no other",
    [
      Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._~-]{43,128}$/u)),
      Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._~-]{43,128}$/u))
    ],
    ([verifier, other]) => {
      assert.isTrue(Pkce.matches(verifier, Pkce.challenge(verifier)))
      assert.strictEqual(Pkce.matches(other, Pkce.challenge(verifier)), other === verifier)
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("Secret", () => {
  it("TE-38 matches either of two stored hashes and nothing else", () => {
    const stored = [Secret.hash("old"), Secret.hash("new")]
    assert.deepStrictEqual(
      ["old", "new", "other", ""].map((secret) => Secret.matches(secret, stored)),
      [true, true, false, false]
    )
    assert.isFalse(Secret.matches("old", []))
  })

  it("makes 43 characters that need no encoding anywhere", () => {
    assert.match(Secret.make(bytes(Secret.secretBytes, 255)), /^[A-Za-z0-9_-]{43}$/u)
  })
})

describe("SigningKey", () => {
  const service = [bytes(32, 9)] as const

  it.effect(
    "can't be opened with another key of the service, for another tenant or another kid",
    () =>
      Effect.gen(function* () {
        const stored = yield* SigningKey.generate("acme", service)
        const exits = yield* Effect.forEach(
          [
            SigningKey.open("acme", stored, [bytes(32, 8)]),
            SigningKey.open("globex", stored, service),
            SigningKey.open("acme", { ...stored, kid: "other" }, service)
          ],
          Effect.exit
        )
        assert.deepStrictEqual(
          exits.map(({ _tag }) => _tag),
          ["Failure", "Failure", "Failure"]
        )
      })
  )

  it.effect("keeps the private half out of what is published and out of plain sight", () =>
    Effect.gen(function* () {
      const stored = yield* SigningKey.generate("acme", service)
      assert.deepStrictEqual(Object.keys(stored.publicJwk).sort(), ["crv", "kty", "x", "y"])
      assert.notInclude(stored.encryptedPrivateJwk, stored.publicJwk.x)
      assert.strictEqual((yield* SigningKey.open("acme", stored, service)).kid, stored.kid)
      const under = [
        yield* SigningKey.isStoredUnder("acme", stored, service),
        yield* SigningKey.isStoredUnder("acme", stored, [bytes(32, 8)]),
        yield* SigningKey.isStoredUnder("globex", stored, service)
      ]
      assert.deepStrictEqual(under, [true, false, false])
    })
  )
})
