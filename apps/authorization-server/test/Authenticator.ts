/** A passkey in software: real keys, real CBOR, real signatures (WebAuthn, level 2). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

export interface Passkey {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly cose: Buffer
  counter: number
}

/** What the browser adds to an answer, as it should be unless a test says otherwise. */
export interface Circumstances {
  readonly origin: string
  readonly challenge: string
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url")

/** CBOR (RFC 8949) of what an authenticator writes: integers, texts, bytes and maps. */
const cbor = (value: number | string | Uint8Array | Map<number | string, unknown>): Buffer => {
  const head = (major: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry as string)])
    return Buffer.concat([head(5, value.size), ...entries])
  }
  return Buffer.concat([head(2, value.length), value])
}

export const make = (): Passkey => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x, y } = publicKey.export({ format: "jwk" })
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, "base64url")],
      [-3, Buffer.from(y!, "base64url")]
    ])
  )
  return { id: randomBytes(32), privateKey, cose, counter: 0 }
}

const clientData = (type: string, { challenge, origin }: Circumstances) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const authenticatorData = (origin: string, flags: number, counter: number, rest: Buffer) => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), count, rest])
}

const wrapped = ({ id }: Passkey, response: object) =>
  JSON.stringify({
    id: base64url(id),
    rawId: base64url(id),
    type: "public-key",
    clientExtensionResults: {},
    response
  })

/** The answer to `navigator.credentials.create`, present and verified. */
export const create = (passkey: Passkey, circumstances: Circumstances): string => {
  const length = Buffer.from([0, passkey.id.length])
  const attested = Buffer.concat([Buffer.alloc(16), length, passkey.id, passkey.cose])
  const authData = authenticatorData(circumstances.origin, 0x45, passkey.counter, attested)
  const attestation = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData]
  ])
  return wrapped(passkey, {
    clientDataJSON: base64url(clientData("webauthn.create", circumstances)),
    attestationObject: base64url(cbor(attestation))
  })
}

/** The answer to `navigator.credentials.get`; the counter goes on by one unless it is given. */
export const get = (
  passkey: Passkey,
  circumstances: Circumstances,
  counter = ++passkey.counter
): string => {
  const data = clientData("webauthn.get", circumstances)
  const authData = authenticatorData(circumstances.origin, 0x05, counter, Buffer.alloc(0))
  const signature = sign("sha256", Buffer.concat([authData, sha256(data)]), passkey.privateKey)
  return wrapped(passkey, {
    clientDataJSON: base64url(data),
    authenticatorData: base64url(authData),
    signature: base64url(signature)
  })
}
