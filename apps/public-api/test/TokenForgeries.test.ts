/**
 * Forged tokens at a route that takes any genuine one, by the ids of test/security-cases.json. Most
 * have a good signature of the tenant's own key, so that nothing but the forgery can refuse them.
 */
import { assert, layer } from "@effect/vitest"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { Effect, Layer } from "effect"
import { generateKeyPairSync, sign } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { claimsOf, forged, type Forgery, spelled } from "./Forger.ts"

const attacker = generateKeyPairSync("ec", { namedCurve: "P-256" })
const attackersJwk = attacker.publicKey.export({ format: "jwk" })
const nowhere = "http://127.0.0.1:9/jwks"
const hour = 3600
const now = () => Math.floor(Date.now() / 1000)

/** Signed well; the header or the claims are wrong. */
const forgeries: Readonly<Record<string, Readonly<Record<string, Forgery>>>> = {
  "JW-04 a key inside the token": { jwk: { header: { jwk: attackersJwk } } },
  "JW-05 a key somewhere else": {
    jku: { header: { jku: nowhere } },
    x5u: { header: { x5u: nowhere } }
  },
  "JW-06 another name of the key": Object.fromEntries(
    [
      "../../dev/null",
      "' or 1=1--",
      nowhere,
      "\0",
      {},
      ["k"],
      1,
      null,
      "k".repeat(10_000),
      "__proto__",
      "constructor"
    ].map((kid) => [JSON.stringify(kid).slice(0, 20), { header: { kid } }])
  ),
  "JW-11 a time that is over": {
    "a minute ago": { claims: { iat: now() - hour, exp: now() - 60 } },
    "a year ago": { claims: { iat: 1, exp: 2 } }
  },
  "JW-13 a time that is none": Object.fromEntries(
    [undefined, "1", null, -1, now() + 0.5, "NaN", 9_999_999_999_999, 1e308].map((exp) => [
      String(JSON.stringify(exp)),
      { claims: { exp } }
    ])
  ),
  "JW-14 another audience": Object.fromEntries(
    [undefined, "https://other.test", ["https://other.test"], [], ""].map((aud) => [
      String(JSON.stringify(aud)),
      { claims: { aud } }
    ])
  ),
  "JW-16 another type": Object.fromEntries(
    [undefined, "JWT", "id+jwt", "logout+jwt", "dpop+jwt", "application/at+jwt", "AT+JWT"].map(
      (typ) => [String(typ), { header: { typ } }]
    )
  ),
  "JW-17 extensions": {
    "crit of what is known": { header: { crit: ["exp"], exp: 1 } },
    "an empty crit": { header: { crit: [] } },
    "b64 false": { header: { b64: false, crit: ["b64"] } }
  }
}

type Spell = (world: World) => string

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

const parts = ({ client }: World) => {
  const [header, payload, signature] = client.split(".")
  return { header: header!, payload: payload!, signature: signature! }
}

/** The genuine header and other claims, signed by another key. */
const signedByAttacker: Spell = (world) => {
  const input = `${parts(world).header}.${encode({ ...claimsOf(world.client), sub: "root" })}`
  const key = { key: attacker.privateKey, dsaEncoding: "ieee-p1363" } as const
  return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`
}

const withSignature =
  (bytes: Uint8Array): Spell =>
  (world) =>
    `${parts(world).header}.${parts(world).payload}.${Buffer.from(bytes).toString("base64url")}`

/** Not signed by the tenant's key, or of another form than a signed token. */
const spellings: Readonly<Record<string, Readonly<Record<string, Spell>>>> = {
  "JW-04 a stranger's signature": { "under the genuine header": signedByAttacker },
  "JW-08 another signature": {
    "64 zero bytes": withSignature(new Uint8Array(64)),
    "63 bytes": withSignature(new Uint8Array(63).fill(1)),
    "65 bytes": withSignature(new Uint8Array(65).fill(1)),
    none: withSignature(new Uint8Array(0)),
    "the last character flipped": ({ client }) =>
      `${client.slice(0, -1)}${client.endsWith("A") ? "Q" : "A"}`,
    "cut off": ({ client }) => client.slice(0, -4),
    padded: ({ client }) => `${client}==`
  },
  "JW-18 another serialization": {
    "five parts": (world) => `${world.client}.${parts(world).payload}.${parts(world).signature}`,
    JSON: (world) => JSON.stringify({ protected: parts(world).header, ...parts(world) }),
    "a token in a token": (world) =>
      `${parts(world).header}.${encode(world.client)}.${parts(world).signature}`
  }
}

type Texts = (
  genuineHeader: string,
  claims: string
) => readonly [header: string, claims: string | Uint8Array]

/** Signed well, and spelled as the service spells nothing. */
const texts: Readonly<Record<string, Readonly<Record<string, Texts>>>> = {
  "JW-19 members twice": {
    "alg none behind the genuine one": (header, claims) => [
      header.replace("}", ',"alg":"none"}'),
      claims
    ],
    "alg none before the genuine one": (header, claims) => [
      header.replace("{", '{"alg":"none",'),
      claims
    ],
    "a second subject": (header, claims) => [header, claims.replace("}", ',"sub":"root"}')],
    "a second scope": (header, claims) => [
      header,
      claims.replace("{", '{"scope":"platform/admin",')
    ]
  },
  "JW-20 claims that are no object": {
    ...Object.fromEntries(
      ["null", "[]", "1", '"x"', "", "{", "true"].map((text): [string, Texts] => [
        text,
        (header) => [header, text]
      ])
    ),
    "bytes that are no UTF-8": (header, claims) => [
      header,
      Buffer.concat([Buffer.from(claims), new Uint8Array([0xff])])
    ],
    "a list of claims": (header, claims) => [header, `[${claims}]`]
  }
}

const asked = Effect.fnUntraced(function* ({ tenant }: World, token: string) {
  const { body, status } = yield* call("/account", { tenant, token })
  return [status, body.code]
})

// Real time: the database dates sessions by its own clock.
layer(Layer.provideMerge(SigningKeysRepo.layer, TestLayer), { excludeTestServices: true })(
  "a route that takes any genuine token",
  (it) => {
    it.effect("JW-00 takes a token that was only signed again", () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        assert.strictEqual((yield* asked(world, world.client))[0], 200)
        assert.strictEqual((yield* asked(world, yield* forged(world, world.client, {})))[0], 200)
      })
    )

    it.effect.each(Object.entries(forgeries))("refuses %s", ([, cases]) =>
      Effect.gen(function* () {
        const world = yield* newTenant
        for (const [name, forgery] of Object.entries(cases)) {
          const token = yield* forged(world, world.client, forgery)
          assert.deepStrictEqual(yield* asked(world, token), [401, "UNAUTHORIZED"], name)
        }
      })
    )

    it.effect.each(Object.entries(texts))("refuses %s", ([, cases]) =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const claims = JSON.stringify(claimsOf(world.client))
        const genuine = yield* spelled(world, (header) => [header, claims])
        assert.strictEqual((yield* asked(world, genuine))[0], 200)
        for (const [name, spell] of Object.entries(cases)) {
          const token = yield* spelled(world, (header) => spell(header, claims))
          assert.deepStrictEqual(yield* asked(world, token), [401, "UNAUTHORIZED"], name)
        }
      })
    )

    it.effect.each(Object.entries(spellings))("refuses %s", ([, cases]) =>
      Effect.gen(function* () {
        const world = yield* newTenant
        for (const [name, spell] of Object.entries(cases)) {
          const answer = yield* asked(world, spell(world))
          assert.deepStrictEqual(answer, [401, "UNAUTHORIZED"], name)
        }
      })
    )
  }
)
