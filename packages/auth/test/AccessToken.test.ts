import { assert, describe, it, layer } from "@effect/vitest"
import { ChosenClientId, NamedClientId } from "@quittance/domain/access/Client"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { CompactSign, generateKeyPair, SignJWT } from "jose"
import * as AccessToken from "../src/AccessToken.ts"
import { anonymousClientId, caller, Claims } from "../src/Claims.ts"
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

type Forge = (key: Tokens.TestKey, other: Tokens.TestKey) => string | Promise<string>

const claims =
  (change: object): Forge =>
  (key) =>
    Tokens.withClaims(key, { ...Tokens.client, ...change })
const without =
  (name: string): Forge =>
  (key) =>
    Tokens.withClaims(
      key,
      Object.fromEntries(Object.entries(Tokens.client).filter(([k]) => k !== name))
    )
const header =
  (text: string | object): Forge =>
  (key) =>
    Tokens.spell(
      key,
      typeof text === "string" ? text : JSON.stringify(text),
      JSON.stringify(Tokens.client)
    )
const payload =
  (text: string | Uint8Array): Forge =>
  (key) =>
    Tokens.spell(key, Tokens.headerText(key.kid), text)
const change =
  (edit: (parts: [string, string, string]) => string): Forge =>
  (key) => {
    const [a, b, c] = Tokens.withClaims(key, Tokens.client).split(".")
    return edit([a!, b!, c!])
  }
const signature = (bytes: Uint8Array): Forge =>
  change(([a, b]) => `${a}.${b}.${Tokens.encode(bytes)}`)

const order = Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex")
const good = { alg: "ES256", typ: "at+jwt", kid: "kid-1" }

const unsigned = `${Tokens.encode('{"alg":"none","typ":"at+jwt","kid":"kid-1"}')}.${Tokens.encode(JSON.stringify(Tokens.client))}.`
const evilHeader = '{"alg":"ES256","typ":"at+jwt","kid":"kid-2"}'

const refused: Record<string, Record<string, Forge>> = {
  "JW-01 unsigned tokens": {
    "alg none": () => unsigned,
    "alg none in capitals": () => unsigned.replace("none", "NONE"),
    "alg none with a genuine signature": header({ ...good, alg: "none" })
  },
  "JW-03 another algorithm": {
    "HS256 keyed with the public key": async (key) => {
      const secret = Buffer.from(JSON.stringify(key.privateKey.export({ format: "jwk" })))
      return new SignJWT(Tokens.client)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "kid-1" })
        .sign(secret)
    },
    "ES384 under the kid of an ES256 key": async () => {
      const pair = await generateKeyPair("ES384")
      return new SignJWT(Tokens.client)
        .setProtectedHeader({ ...good, alg: "ES384" })
        .sign(pair.privateKey)
    }
  },
  "JW-04 a key inside the token": {
    "jwk of the attacker": (_, other) =>
      Tokens.spell(
        other,
        JSON.stringify({ ...good, jwk: other.privateKey.export({ format: "jwk" }) }),
        JSON.stringify(Tokens.client)
      ),
    "jwk beside a genuine signature": header({ ...good, jwk: { kty: "EC" } })
  },
  "JW-05 a key somewhere else": {
    jku: header({ ...good, jku: "http://127.0.0.1:9/jwks" }),
    x5u: header({ ...good, x5u: "http://127.0.0.1:9/x5u" })
  },
  "JW-06 kid injection": Object.fromEntries(
    [
      "../../dev/null",
      "' or 1=1--",
      "http://127.0.0.1:9/key",
      "\0",
      {},
      ["kid-1"],
      1,
      "k".repeat(3000),
      "k".repeat(10_000),
      "__proto__",
      "constructor",
      "",
      null
    ].map((kid) => [JSON.stringify(kid).slice(0, 30), header({ ...good, kid })])
  ),
  "JW-07 no kid": { "kid absent": header({ alg: "ES256", typ: "at+jwt" }) },
  "JW-08 signatures": {
    "last character flipped": change(
      ([a, b, c]) => `${a}.${b}.${c.slice(0, -1)}${c.endsWith("A") ? "Q" : "A"}`
    ),
    cut: change(([a, b, c]) => `${a}.${b}.${c.slice(0, -4)}`),
    empty: change(([a, b]) => `${a}.${b}.`),
    "all zero": signature(new Uint8Array(64)),
    "r = 0": signature(Buffer.concat([new Uint8Array(32), Buffer.alloc(32, 1)])),
    "s = 0": signature(Buffer.concat([Buffer.alloc(32, 1), new Uint8Array(32)])),
    "r = s = the order": signature(Buffer.concat([order, order])),
    "r of the genuine one, s = the order": change(([a, b, c]) => {
      const genuine = Buffer.from(c, "base64url")
      return `${a}.${b}.${Tokens.encode(Buffer.concat([genuine.subarray(0, 32), order]))}`
    }),
    "63 bytes": signature(Buffer.alloc(63, 1)),
    "65 bytes": signature(Buffer.alloc(65, 1)),
    DER: async (key) => {
      const { sign } = await import("node:crypto")
      const input = `${Tokens.encode(Tokens.headerText(key.kid))}.${Tokens.encode(JSON.stringify(Tokens.client))}`
      return `${input}.${Tokens.encode(sign("sha256", Buffer.from(input), key.privateKey))}`
    },
    "of another key": (_, other) =>
      Tokens.spell(other, Tokens.headerText("kid-1"), JSON.stringify(Tokens.client)),
    "of other claims": change(
      ([a, , c]) =>
        `${a}.${Tokens.encode(JSON.stringify({ ...Tokens.client, scope: "platform/admin" }))}.${c}`
    )
  },
  "JW-09 a second spelling": {
    padding: change(([a, b, c]) => `${a}.${b}.${c}==`),
    "unused bits of the last character": change(([a, b, c]) => {
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      return `${a}.${b}.${c.slice(0, -1)}${alphabet[alphabet.indexOf(c.at(-1)!) + 1]}`
    }),
    "white space": change(([a, b, c]) => ` ${a}.${b}.${c}`),
    "a line end": change(([a, b, c]) => `${a}.${b}.${c}\n`),
    "standard base64": change(([a, b, c]) => `${a}.${b}.${c}+/`)
  },
  "JW-10 members missing": Object.fromEntries(
    ["iss", "aud", "sub", "client_id", "jti", "iat", "exp", "tenant", "kind", "scope"].map(
      (name) => [name, without(name)]
    )
  ),
  "JW-11 expired": {
    "a minute ago": claims({ iat: Tokens.now - 900, exp: Tokens.now - 60 }),
    "at the end of the tolerance": claims({ iat: Tokens.now - 900, exp: Tokens.now - 10 })
  },
  "JW-12 not yet valid": {
    "issued in the future": claims({ iat: Tokens.now + 11, exp: Tokens.now + 900 }),
    "nbf in the future": claims({ nbf: Tokens.now + 11 })
  },
  "JW-13 exp of a wrong kind": {
    text: claims({ exp: `${Tokens.now + 900}` }),
    null: claims({ exp: null }),
    negative: claims({ exp: -1 }),
    "with a fraction": claims({ exp: Tokens.now + 900.5 }),
    "NaN as text": claims({ exp: "NaN" }),
    "year 9999999999999": claims({ exp: 9_999_999_999_999 }),
    "1e308": payload(JSON.stringify(Tokens.client).replace(/"exp":\d+/u, '"exp":1e308')),
    "more than 24 hours": claims({ exp: Tokens.now + 24 * 3600 + 1 }),
    "before iat": claims({ iat: Tokens.now + 5, exp: Tokens.now + 4 })
  },
  "JW-14 aud": {
    "another service": claims({ aud: "https://other.example.com" }),
    "an array without us": claims({ aud: ["https://other.example.com"] }),
    "an array with us": claims({ aud: [Tokens.audience] }),
    "a prefix": claims({ aud: `${Tokens.audience}.evil.test` })
  },
  "JW-15 iss": {
    another: claims({ iss: "https://evil.test" }),
    "with a slash": claims({ iss: `${Tokens.issuer}/` })
  },
  "TN-05 genuine signature, iss of another tenant": {
    globex: claims({ iss: "https://globex.auth.example.com" })
  },
  "TN-02 the tenant claim differs": { globex: claims({ tenant: "globex" }) },
  "TN-19 of another environment": {
    sandbox: claims({ iss: "https://acme.auth.sandbox.example.com" })
  },
  "JW-16 typ": Object.fromEntries(
    [
      "JWT",
      "id_token",
      "logout+jwt",
      "AT+JWT",
      "application/at+jwt",
      "dpop+jwt",
      "",
      undefined
    ].map((typ) => [`${typ}`, header({ alg: "ES256", typ, kid: "kid-1" })])
  ),
  "JW-17 crit and b64": {
    'crit ["exp"]': header({ ...good, crit: ["exp"] }),
    "crit []": header({ ...good, crit: [] }),
    "b64 false": header({ ...good, b64: false, crit: ["b64"] })
  },
  "JW-18 other serializations": {
    "five parts": change(([a, b, c]) => `${a}.${b}.${c}.${a}.${b}`),
    JSON: (key) => {
      const [a, b, c] = Tokens.withClaims(key, Tokens.client).split(".")
      return JSON.stringify({ payload: b, protected: a, signature: c })
    },
    "a token inside a token": async (key) =>
      new CompactSign(Buffer.from(Tokens.withClaims(key, Tokens.client)))
        .setProtectedHeader({ ...good, cty: "JWT" })
        .sign(key.privateKey),
    "two parts": change(([a, b]) => `${a}.${b}`)
  },
  "JW-19 members twice": {
    alg: header('{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"kid-1"}'),
    kid: header('{"alg":"ES256","typ":"at+jwt","kid":"kid-2","kid":"kid-1"}'),
    sub: payload(JSON.stringify(Tokens.client).replace('{"iss"', '{"sub":"admin","iss"')),
    "header genuine first, forged second": (key, other) =>
      `${Tokens.withClaims(key, Tokens.client)}.${Tokens.spell(other, evilHeader, "{}")}`
  },
  "JW-20 the payload is no object": {
    null: payload("null"),
    "an array": payload("[]"),
    "a number": payload("1"),
    "a text": payload('"x"'),
    nothing: payload(""),
    "invalid UTF-8": payload(Buffer.from([0x7b, 0xff, 0x7d])),
    "a byte order mark": payload(`\uFEFF${JSON.stringify(Tokens.client)}`),
    "spaces inside": payload(JSON.stringify(Tokens.client, null, 1))
  },
  "JW-21 too long": { "5,000 characters": claims({ scope: "x".repeat(5000) }) },
  "KS-05 a user's token with scopes": {
    scope: (key) => Tokens.withClaims(key, { ...Tokens.user, scope: "platform/admin" }),
    "an empty scope": (key) => Tokens.withClaims(key, { ...Tokens.user, scope: "" })
  },
  "KS-06 an anonymous token with scopes": {
    scope: (key) => Tokens.withClaims(key, { ...Tokens.anonymous, scope: "platform/policies" })
  },
  "KS-07 kinds": {
    unknown: claims({ kind: "service" }),
    "a client's token that says user": claims({ kind: "user" }),
    "a user without a session": (key) => Tokens.withClaims(key, { ...Tokens.user, sid: undefined }),
    "a user's token of a client id": (key) =>
      Tokens.withClaims(key, { ...Tokens.user, sub: "acme-integration" }),
    "an anonymous token of a user": (key) =>
      Tokens.withClaims(key, { ...Tokens.anonymous, sub: Tokens.user.sub })
  },
  "KS-12 what is no access token": {
    "an opaque text": () => "dGhpcyBpcyBhIHJlZnJlc2ggdG9rZW4gb2YgMzIgYnl0ZXM",
    nothing: () => "",
    dots: () => ".."
  }
}

layer(Keys.layer)("AccessToken.verify", (it) => {
  for (const [name, forgeries] of Object.entries(refused)) {
    for (const [variant, forge] of Object.entries(forgeries)) {
      it.effect(`refuses ${name}: ${variant}`, () =>
        Effect.gen(function* () {
          const { key, other } = yield* Keys
          const token = yield* Effect.promise(async () => forge(key, other))
          const error = yield* Effect.flip(AccessToken.verify(token, Tokens.expectedWith(key)))
          assert.strictEqual(error._tag, "Unauthorized")
        })
      )
    }
  }

  it.effect.each([Tokens.client, Tokens.user, Tokens.anonymous])(
    "JW-00 accepts a genuine $kind token",
    (claims) =>
      Effect.gen(function* () {
        const { key, other } = yield* Keys
        const token = AccessToken.issue(claims, key)
        assert.deepStrictEqual(
          yield* AccessToken.verify(token, Tokens.expectedWith(other, key)),
          claims
        )
      })
  )

  it.effect("accepts what the forger writes when nothing is forged", () =>
    Effect.gen(function* () {
      const { key } = yield* Keys
      const token = Tokens.withClaims(key, Tokens.client)
      assert.deepStrictEqual(
        yield* AccessToken.verify(token, Tokens.expectedWith(key)),
        Tokens.client
      )
    })
  )

  it.effect("accepts a token until ten seconds after it expired", () =>
    Effect.gen(function* () {
      const { key } = yield* Keys
      const token = Tokens.withClaims(key, {
        ...Tokens.client,
        iat: Tokens.now - 900,
        exp: Tokens.now - 9
      })
      assert.strictEqual(
        (yield* AccessToken.verify(token, Tokens.expectedWith(key))).exp,
        Tokens.now - 9
      )
    })
  )

  it.effect("TN-02 refuses a token when only the keys of another tenant are looked at", () =>
    Effect.gen(function* () {
      const { key, other } = yield* Keys
      const token = AccessToken.issue(Tokens.client, key)
      const error = yield* Effect.flip(AccessToken.verify(token, Tokens.expectedWith(other)))
      assert.strictEqual(error._tag, "Unauthorized")
    })
  )

  it.effect.prop(
    "gives back any claims that were issued",
    [Claims.pipe(Schema.toType)],
    ([drawn]) =>
      Effect.gen(function* () {
        const { key } = yield* Keys
        const claims = {
          ...drawn,
          iss: Tokens.issuer,
          aud: Tokens.audience,
          tenant: Tokens.tenant,
          iat: Tokens.now,
          exp: Tokens.now + 60
        }
        const { nbf: _, ...rest } = claims
        const token = AccessToken.issue(rest as Claims, key)
        const verified = yield* Effect.option(AccessToken.verify(token, Tokens.expectedWith(key)))
        // A drawn text may be long enough to be refused for its length; nothing else may be.
        const expected = token.length <= AccessToken.maxLength ? Option.some(rest) : Option.none()
        assert.deepStrictEqual(verified, expected)
      }),
    { arbitrary: { runs: 200 } }
  )

  it.effect.prop(
    "refuses a genuine token with any one character changed",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 33, maximum: 126 }))
    ],
    ([at, code]) =>
      Effect.gen(function* () {
        const { key } = yield* Keys
        const token = AccessToken.issue(Tokens.user, key)
        const index = at % token.length
        const character = String.fromCharCode(code)
        if (token[index] === character) return
        const changed = token.slice(0, index) + character + token.slice(index + 1)
        const error = yield* Effect.flip(AccessToken.verify(changed, Tokens.expectedWith(key)))
        assert.strictEqual(error._tag, "Unauthorized")
      }),
    { arbitrary: { runs: 400 } }
  )
})

describe("Claims.anonymousClientId", () => {
  it("is no client's: who deletes a client ends no visitor's session", () => {
    assert.isFalse(Schema.is(ChosenClientId)(anonymousClientId))
    assert.isFalse(Schema.is(NamedClientId)(anonymousClientId))
  })
})

describe("Claims.caller", () => {
  it("gives a client the scopes of its token that this release knows", () => {
    const known = caller({ ...Tokens.client, scope: "platform/policies platform/holograms" })
    assert.deepStrictEqual(known, {
      _tag: "Client",
      clientId: Tokens.client.sub,
      scopes: new Set(["platform/policies"] as const)
    })
  })

  it("never takes a client for the user whose id it has", () => {
    const named = caller({ ...Tokens.client, sub: Tokens.user.sub as never })
    assert.strictEqual(named._tag, "Client")
  })

  it("KS-04 compares scopes exactly", () => {
    const similar = caller({
      ...Tokens.client,
      scope: "platform/policies-read xplatform/policies platform/policiesplatform/customers"
    })
    assert.deepStrictEqual(similar, {
      _tag: "Client",
      clientId: Tokens.client.sub,
      scopes: new Set<never>()
    })
  })
})
