/** Headers that are not those of our tokens, each genuinely signed where a signature can be. */
import * as crypto from "node:crypto"
import { decode, type Family } from "./Forgery.ts"
import * as Tokens from "./Tokens.ts"

const names = ["alg", "typ", "kid"] as const

/** The members of a good header written otherwise, each under a genuine signature of its own. */
export const headerMembers: Family = function* ({ header, key, payload }) {
  const genuine = decode(header).toString()
  const good: Record<string, unknown> = JSON.parse(genuine)
  const signed = (text: string) => Tokens.spell(key, text, decode(payload))
  const json = (value: unknown) => signed(JSON.stringify(value))
  for (const [a, b, c] of [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0]
  ] as const) {
    const order = [names[a], names[b], names[c]]
    yield json(Object.fromEntries(order.map((name) => [name, good[name]])))
  }
  for (const name of names) {
    const value = JSON.stringify(good[name])
    const { [name]: _, ...rest } = good
    yield json(rest)
    yield json({ ...rest, [name.toUpperCase()]: good[name] })
    yield json({ ...rest, [`${name} `]: good[name] })
    yield json({ ...good, [name.toUpperCase()]: good[name] })
    for (const wrong of [null, true, 1, [], {}, [good[name]], { "": good[name] }, ""]) {
      yield json({ ...good, [name]: wrong })
      yield signed(genuine.replace("{", `{"${name}":${JSON.stringify(wrong)},`))
      yield signed(genuine.replace("}", `,"${name}":${JSON.stringify(wrong)}}`))
    }
    yield signed(genuine.replace("{", `{"${name}":${value},`))
    yield signed(
      genuine.replace(`"${name}"`, `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`)
    )
    yield signed(
      genuine.replace(value, `"\\u00${value.charCodeAt(1).toString(16)}${value.slice(2)}`)
    )
    yield signed(genuine.replace(value, `${value.slice(0, -1)}\\u0000"`))
    yield signed(genuine.replace(value, ` ${value}`))
  }
}

/** Members that mean something to some verifier. */
const extras = {
  jku: "http://127.0.0.1:9/jwks",
  x5u: "http://127.0.0.1:9/x5u",
  x5c: ["AAAA"],
  x5t: "AAAA",
  "x5t#S256": "AAAA",
  cty: "JWT",
  crit: ["exp"],
  b64: true,
  zip: "DEF",
  enc: "A256GCM",
  apu: "AAAA",
  p2c: 1,
  p2s: "AAAA",
  iv: "AAAA",
  tag: "AAAA",
  iss: Tokens.issuer,
  sub: Tokens.client.sub,
  aud: Tokens.audience,
  nonce: "x",
  url: "http://127.0.0.1:9/",
  ppt: "shaken",
  svt: "x",
  __proto__x: {},
  constructor: {},
  toString: "x",
  "": ""
}

/** Headers that say more, or that are none, each under a genuine signature of its own. */
export const headers: Family = function* ({ header, key, other, payload }) {
  const genuine = decode(header).toString()
  const good: Record<string, unknown> = JSON.parse(genuine)
  const signed = (text: string) => Tokens.spell(key, text, decode(payload))
  const json = (value: unknown) => signed(JSON.stringify(value))
  const jwk = other.privateKey.export({ format: "jwk" })
  for (const [name, value] of Object.entries({ ...extras, jwk, epk: jwk })) {
    yield json({ ...good, [name]: value })
    yield json({ [name]: value, ...good })
    yield json({ ...good, [name]: value, crit: [name] })
  }
  yield json({ ...good, crit: [] })
  yield json({ ...good, b64: false, crit: ["b64"] })
  yield signed(genuine.replace("{", '{"__proto__":{"alg":"none"},'))
  for (const text of [
    ["", " ", "{}", "[]", "null", "1", '""', "{", "}", "nonsense", genuine.slice(0, -1)],
    [` ${genuine}`, `${genuine} `, `${genuine}\n`, `\uFEFF${genuine}`, `${genuine}${genuine}`],
    [`[${genuine}]`, JSON.stringify(genuine), JSON.stringify(good, null, 2)],
    [genuine.replaceAll('"', "'"), genuine.replace("}", ",}"), `${genuine}//`, `/**/${genuine}`],
    [genuine.replaceAll(":", ": "), genuine.replaceAll(",", ", ")]
  ].flat()) {
    yield signed(text)
  }
}

const algorithms = [
  ["none", "None", "NONE", "nOnE", "", " ", "null", "es256", "ES256 ", " ES256", "ES-256"],
  ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES384"],
  [
    "ES512",
    "ES256K",
    "EdDSA",
    "Ed25519",
    "Ed448",
    "dir",
    "A128KW",
    "ECDH-ES",
    "RSA-OAEP",
    "A256GCM"
  ],
  ["ES256\0", "ES256\n", "E\u0405256", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"]
].flat()

/** Other algorithms by name: with the genuine signature, a genuine one of their own, and none. */
export const algorithmNames: Family = function* ({ header, key, payload, signature }) {
  const good: Record<string, unknown> = JSON.parse(decode(header).toString())
  for (const alg of algorithms) {
    for (const named of [
      { ...good, alg },
      { alg },
      { alg, typ: "JWT" },
      { alg, kid: good["kid"] }
    ]) {
      const text = JSON.stringify(named)
      yield `${Tokens.encode(text)}.${payload}.${signature}`
      yield `${Tokens.encode(text)}.${payload}.`
      yield `${Tokens.encode(text)}.${payload}`
      yield Tokens.spell(key, text, decode(payload))
    }
  }
}

/** HMACs keyed with everything that is public of the key, under the genuine header and their own. */
export const publicKeyAsSecret: Family = function* ({ header, key, payload }) {
  const publicKey = crypto.createPublicKey(key.privateKey)
  const { crv, kty, x, y } = publicKey.export({ format: "jwk" })
  const point = Buffer.concat([Buffer.from([4]), decode(x!), decode(y!)])
  const pem = publicKey.export({ format: "pem", type: "spki" }).toString()
  const secrets = [
    [pem, pem.trim(), pem.replaceAll("\n", ""), pem.replaceAll("\n", "\r\n")],
    [publicKey.export({ format: "der", type: "spki" }), point, point.subarray(1)],
    [decode(x!), decode(y!), x!, y!, JSON.stringify({ kty, crv, x, y })],
    [JSON.stringify({ crv, kty, x, y }), key.kid, header, "", "\0", "secret", Tokens.issuer]
  ].flat()
  for (const [alg, digest] of [
    ["HS256", "sha256"],
    ["HS384", "sha384"],
    ["HS512", "sha512"]
  ]) {
    const own = Tokens.encode(JSON.stringify({ alg, typ: "at+jwt", kid: key.kid }))
    for (const secret of secrets) {
      for (const head of [header, own]) {
        const input = `${head}.${payload}`
        yield `${input}.${crypto.createHmac(digest!, secret).update(input).digest("base64url")}`
      }
    }
  }
}
