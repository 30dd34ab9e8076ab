/** The text of a good token changed, and good tokens written in other ways. */
import * as crypto from "node:crypto"
import { deflateRawSync } from "node:zlib"
import { decode, type Family } from "./Forgery.ts"
import * as Tokens from "./Tokens.ts"

function* bits(bytes: Buffer): Iterable<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    yield changed
  }
}

/** One bit of the header, the claims or the signature, every one of them. */
export const flippedBits: Family = function* ({ header, payload, signature }) {
  for (const changed of bits(decode(signature))) {
    yield `${header}.${payload}.${Tokens.encode(changed)}`
  }
  for (const changed of bits(decode(header))) {
    yield `${Tokens.encode(changed)}.${payload}.${signature}`
  }
  for (const changed of bits(decode(payload))) {
    yield `${header}.${Tokens.encode(changed)}.${signature}`
  }
}

/** The text cut at every place, a character left out, twice, exchanged with the next, or followed by another. */
export const cutTexts: Family = function* ({ token }) {
  for (let i = 0; i < token.length; i++) {
    const [before, at, after] = [token.slice(0, i), token[i]!, token.slice(i + 1)]
    yield before
    yield before + after
    yield before + at + at + after
    if (after !== "" && after[0] !== at) yield before + after[0]! + at + after.slice(1)
    yield after
  }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Other spellings of the same bytes, as lenient decoders take them. */
export const spellings: Family = function* ({ header, payload, signature, token }) {
  const parts = [header, payload, signature]
  const withPart = (index: number, text: string) => parts.with(index, text).join(".")
  for (const [index, part] of parts.entries()) {
    for (const padding of ["=", "==", "===", "%3D", "%3D%3D", "A", "AA", "AAA", "AAAA"]) {
      yield withPart(index, part + padding)
    }
    for (const space of [
      " ",
      "\n",
      "\r\n",
      "\t",
      "\0",
      "\u00A0",
      "\u200B",
      "\uFEFF",
      "+",
      "/",
      "%20"
    ]) {
      yield withPart(index, space + part)
      yield withPart(index, part + space)
      yield withPart(index, part.slice(0, 8) + space + part.slice(8))
    }
    // The last character has bits that no byte needs.
    const unused = [0, 0, 4, 2][part.length % 4]!
    const last = alphabet.indexOf(part.at(-1)!)
    for (let extra = 1; extra < 2 ** unused; extra++) {
      yield withPart(index, part.slice(0, -1) + alphabet[last ^ extra]!)
    }
    yield withPart(index, decode(part).toString("base64") + "=")
    yield withPart(index, decode(part).toString("hex"))
    yield withPart(index, Tokens.encode(part))
    yield withPart(index, part.toLowerCase())
    yield withPart(index, part.toUpperCase())
    yield withPart(index, "")
    yield withPart(index, decode(part).toString("latin1"))
  }
  for (const dot of ["..", "", ":", "%2E", "\u3002", "\uFF0E", ". ", " ."]) yield parts.join(dot)
  for (const prefix of ["Bearer ", "bearer ", '"', "'", ".", "\uFEFF", "JWT "]) yield prefix + token
  for (const suffix of ['"', ".", "..", "#", "?", "&x=1", ",", ";", `.${signature}`]) {
    yield token + suffix
  }
  yield `${token},${token}`
  yield `${token} ${token}`
}

/** Other serializations, with the genuine signature or one of their own. */
export const serializations: Family = function* ({ header, key, payload, signature, token }) {
  const head = JSON.stringify({ alg: "ES256", typ: "at+jwt", kid: key.kid })
  const flattened = { protected: header, payload, signature }
  for (const value of [
    flattened,
    { payload, signatures: [{ protected: header, signature }] },
    { ...flattened, header: { alg: "none" } },
    { payload, signature, header: JSON.parse(head) },
    [token],
    { token }
  ]) {
    const text = JSON.stringify(value)
    yield text
    yield Tokens.encode(text)
    yield `${Tokens.encode(text)}.${payload}.${signature}`
  }
  // Detached and unencoded payloads (RFC 7515, appendix F; RFC 7797).
  yield `${header}..${signature}`
  yield `${header}.${decode(payload)}.${signature}`
  const unencoded = Tokens.encode(
    JSON.stringify({ ...JSON.parse(head), b64: false, crit: ["b64"] })
  )
  const open = Buffer.concat([Buffer.from(`${unencoded}.`), decode(payload)])
  const signedOpen = crypto.sign("sha256", open, { key: key.privateKey, dsaEncoding: "ieee-p1363" })
  yield `${unencoded}.${payload}.${Tokens.encode(signedOpen)}`
  yield `${unencoded}..${Tokens.encode(signedOpen)}`
  // Compressed, nested, encrypted.
  yield Tokens.spell(key, head, deflateRawSync(decode(payload)))
  yield Tokens.spell(key, head.replace("}", ',"zip":"DEF"}'), deflateRawSync(decode(payload)))
  yield Tokens.spell(key, head, token)
  yield Tokens.spell(key, head.replace("}", ',"cty":"JWT"}'), token)
  for (const alg of ["dir", "ECDH-ES", "ECDH-ES+A256KW", "RSA-OAEP", "A256KW"]) {
    const jwe = Tokens.encode(JSON.stringify({ alg, enc: "A256GCM", kid: key.kid, cty: "JWT" }))
    for (const first of [jwe, header]) {
      yield `${first}..${Tokens.encode("i".repeat(12))}.${payload}.${signature}`
      yield `${first}.${signature}.${Tokens.encode("i".repeat(12))}.${payload}.${signature}`
    }
  }
}
