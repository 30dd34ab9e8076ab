/** Invalid signatures: malformed, made by another key, or over other bytes. */
import * as crypto from "node:crypto"
import { decode, type Family } from "./Forgery.ts"
import * as Tokens from "./Tokens.ts"

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const top = 2n ** 256n - 1n

const bytes = (value: bigint, length = 32) =>
  Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex")
const number = (buffer: Uint8Array) => BigInt(`0x${Buffer.from(buffer).toString("hex")}`)

/** Numbers that no signature may consist of, and forms of the good ones that are not ours. */
export const signatureNumbers: Family = function* ({ header, payload, signature }) {
  const genuine = decode(signature)
  const [rBytes, sBytes] = [genuine.subarray(0, 32), genuine.subarray(32)]
  const [r, s] = [number(rBytes), number(sBytes)]
  const withSignature = (...parts: ReadonlyArray<Uint8Array>) =>
    `${header}.${payload}.${Tokens.encode(Buffer.concat(parts))}`
  const edges = [0n, 1n, 2n, order - 1n, order, order + 1n, prime - 1n, prime, top, top / 2n]
  for (const a of [...edges, r]) {
    for (const b of [...edges, s]) {
      if (a !== r || b !== s) yield withSignature(bytes(a), bytes(b))
    }
  }
  for (const [a, b] of [
    [s, r],
    [order - r, s],
    [r + 1n, s],
    [r, s - 1n],
    [r ^ 1n, s]
  ] as const) {
    yield withSignature(bytes(a), bytes(b))
  }
  // The same numbers modulo the order, in more bytes than they need.
  yield withSignature(bytes(r + order, 33), bytes(s, 33))
  yield withSignature(bytes(r, 33), bytes(s + order, 33))
  yield withSignature(bytes(r, 33), bytes(s, 33))
  yield withSignature(bytes(r, 48), bytes(s, 48))
  yield withSignature(bytes(r, 66), bytes(s, 66))
  yield withSignature(Buffer.from(rBytes).reverse(), Buffer.from(sBytes).reverse())
  yield withSignature(Buffer.from(genuine).reverse())
  yield withSignature(Buffer.from([0]), genuine)
  yield withSignature(Buffer.from([4]), genuine)
  yield withSignature(genuine, genuine)
  for (let length = 0; length < 64; length++) {
    yield withSignature(genuine.subarray(0, length))
    yield withSignature(genuine, Buffer.alloc(length + 1))
  }
  const integer = (value: Buffer) => {
    const content = value[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), value]) : value
    return Buffer.concat([Buffer.from([2, content.length]), content])
  }
  const sequence = Buffer.concat([integer(Buffer.from(rBytes)), integer(Buffer.from(sBytes))])
  yield withSignature(Buffer.from([0x30, sequence.length]), sequence)
  yield withSignature(Buffer.from([0x30, 0x81, sequence.length]), sequence)
  yield withSignature(Buffer.from([0x30, 0x80]), sequence, Buffer.from([0, 0]))
  yield withSignature(sequence)
}

const pairs = (): ReadonlyArray<readonly [crypto.KeyObject, string | null]> => [
  [crypto.generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, "sha256"],
  [crypto.generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey, "sha384"],
  [crypto.generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey, "sha256"],
  [crypto.generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey, "sha512"],
  [crypto.generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey, "sha256"],
  [crypto.generateKeyPairSync("ed25519").privateKey, null],
  [crypto.generateKeyPairSync("ed448").privateKey, null],
  [crypto.generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, "sha256"]
]

/** Genuine signatures of other keys, of every curve, under the genuine header and their own. */
export const otherKeys: Family = function* ({ header, key, payload }) {
  for (const [signer, digest] of pairs()) {
    const jwk = crypto.createPublicKey(signer).export({ format: "jwk" })
    const own = { alg: "ES256", typ: "at+jwt", kid: key.kid, jwk }
    for (const head of [header, Tokens.encode(JSON.stringify(own))]) {
      const input = Buffer.from(`${head}.${payload}`)
      for (const dsaEncoding of ["ieee-p1363", "der"] as const) {
        const signed = crypto.sign(digest, input, { key: signer, dsaEncoding })
        yield `${input}.${Tokens.encode(signed)}`
      }
    }
  }
}

/** Signatures of the genuine key over something else than the header and the claims. */
export const otherInputs: Family = function* ({ header, key, other, payload, token }) {
  const signed = (input: string | Uint8Array, digest = "sha256") =>
    `${header}.${payload}.${Tokens.encode(
      crypto.sign(digest, Buffer.from(input), { key: key.privateKey, dsaEncoding: "ieee-p1363" })
    )}`
  const input = `${header}.${payload}`
  for (const digest of ["sha1", "sha224", "sha384", "sha512", "sha3-256"])
    yield signed(input, digest)
  for (const text of [
    ["", ".", header, payload, `${header}.`, `.${payload}`, `${header}${payload}`, `${input}.`],
    [` ${input}`, `${input} `, `${input}\n`, input.toLowerCase(), `${payload}.${header}`, token],
    [`${decode(header)}.${decode(payload)}`, `${header}.${decode(payload)}`, `${input}==`]
  ].flat()) {
    yield signed(text)
  }
  yield signed(crypto.createHash("sha256").update(input).digest())
  const raised = Tokens.encode(JSON.stringify({ ...Tokens.client, scope: "platform/admin" }))
  for (const one of [Tokens.client, Tokens.user, Tokens.anonymous]) {
    const [, claims, signature] = Tokens.withClaims(key, one).split(".")
    yield `${header}.${raised}.${signature}`
    if (one !== Tokens.client) yield `${header}.${payload}.${signature}`
    if (one !== Tokens.client) yield `${header}.${claims}.${token.split(".")[2]}`
    yield Tokens.spell(other, decode(header).toString(), JSON.stringify(one))
  }
}

/** The other signature over the same text that holds: (r, n - s) in place of (r, s). */
export const twin = (signature: string): string => {
  const genuine = decode(signature)
  const s = bytes(order - number(genuine.subarray(32)))
  return Tokens.encode(Buffer.concat([genuine.subarray(0, 32), s]))
}
