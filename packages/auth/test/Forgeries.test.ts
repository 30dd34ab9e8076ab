import { assert, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import * as AccessToken from "../src/AccessToken.ts"
import * as ForgedClaims from "./ForgedClaims.ts"
import * as ForgedHeaders from "./ForgedHeaders.ts"
import * as ForgedSignatures from "./ForgedSignatures.ts"
import * as ForgedTexts from "./ForgedTexts.ts"
import { type Family, material } from "./Forgery.ts"
import * as Tokens from "./Tokens.ts"

class Keys extends Context.Service<
  Keys,
  { readonly key: Tokens.TestKey; readonly other: Tokens.TestKey }
>()("test/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.all({ key: Tokens.makeKey("kid-1"), other: Tokens.makeKey("kid-2") })
  )
}

/** Each family, and how many forgeries it has at least: one that makes none would prove nothing. */
const families: ReadonlyArray<readonly [string, number, Family]> = [
  ["JW-08 JW-19 one bit changed, each of them", 2800, ForgedTexts.flippedBits],
  ["JW-08 a text cut, doubled or exchanged at each of its places", 2300, ForgedTexts.cutTexts],
  ["JW-09 other spellings of the same bytes", 150, ForgedTexts.spellings],
  ["JW-07 JW-16 JW-19 members of a header written otherwise", 100, ForgedHeaders.headerMembers],
  ["JW-04 JW-05 JW-17 JW-19 other headers, genuinely signed", 100, ForgedHeaders.headers],
  ["JW-01 JW-03 other algorithms, by name", 500, ForgedHeaders.algorithmNames],
  ["JW-03 HMACs keyed with what is public", 100, ForgedHeaders.publicKeyAsSecret],
  [
    "JW-08 numbers no signature consists of, and other forms of it",
    250,
    ForgedSignatures.signatureNumbers
  ],
  ["JW-03 genuine signatures of other keys and curves", 32, ForgedSignatures.otherKeys],
  ["JW-08 genuine signatures of something else", 30, ForgedSignatures.otherInputs],
  ["JW-13 JW-19 JW-20 claims that we never write like that", 180, ForgedClaims.claims],
  ["JW-18 other serializations", 40, ForgedTexts.serializations]
]

const verify = (token: string) =>
  Effect.flatMap(Keys, ({ key }) =>
    Effect.exit(AccessToken.verify(token, Tokens.expectedWith(key)))
  )

layer(Keys.layer)("AccessToken.verify, of a good token that was changed,", (it) => {
  for (const [name, atLeast, family] of families) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function* () {
        const { key, other } = yield* Keys
        const good = material(key, other)
        const genuine = yield* verify(good.token)
        assert.deepStrictEqual(genuine, Exit.succeed(Tokens.client))
        let count = 0
        for (const forgery of family(good)) {
          if (forgery === good.token) continue
          const exit = yield* verify(forgery)
          const refused =
            Exit.isFailure(exit) &&
            exit.cause.reasons.every(
              (reason) => Cause.isFailReason(reason) && reason.error._tag === "Unauthorized"
            )
          assert.isTrue(refused, `${exit} for ${forgery}`)
          count++
        }
        assert.isAtLeast(count, atLeast)
      })
    )
  }

  it.effect("takes the one other signature that ECDSA has for the token that it is", () =>
    Effect.gen(function* () {
      const { key, other } = yield* Keys
      const { header, payload, signature } = material(key, other)
      // (r, n - s) holds wherever (r, s) does. So nothing may go by the text of a token: what is
      // revoked is its jti, which both have.
      const twin = ForgedSignatures.twin(signature)
      assert.notStrictEqual(twin, signature)
      const exit = yield* verify(`${header}.${payload}.${twin}`)
      assert.deepStrictEqual(exit, Exit.succeed(Tokens.client))
    })
  )
})
