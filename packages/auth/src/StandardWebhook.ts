/**
 * Signatures of Standard Webhooks 1.0, over identifier, time and the very bytes that are sent: HMAC-SHA-256
 * under a secret that the receiver shares, or Ed25519 under a private key of ours. Every key that is live signs.
 */
import { createHmac, createPrivateKey, createPublicKey, sign } from "node:crypto"

/** How the text of a secret begins, and of a private and a public key. */
const secretPrefix = "whsec_"
const privatePrefix = "whsk_"
const publicPrefix = "whpk_"

/** Bytes of a new secret, of which the specification takes 24 to 64, and of the seed of a private key. */
export const secretBytes = 32

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
const bytesAfter = (prefix: string, text: string): Buffer =>
  Buffer.from(text.slice(prefix.length), "base64")

/** A secret of these bytes, as both sides keep it. */
export const secretOf = (bytes: Uint8Array): string => secretPrefix + base64(bytes)

/** Whether a text is a secret of 24 to 64 bytes in base64. */
export const isSecret = (text: string): boolean => {
  if (!text.startsWith(secretPrefix)) return false
  const bytes = bytesAfter(secretPrefix, text)
  return secretOf(bytes) === text && bytes.length >= 24 && bytes.length <= 64
}

/** A private key of this seed of 32 bytes, as we keep it. */
export const privateKeyOf = (seed: Uint8Array): string => privatePrefix + base64(seed)

/** What stands before the seed of an Ed25519 private key in DER (RFC 8410, section 7). */
const derHead = Buffer.from("302e020100300506032b657004220420", "hex")

const keyOf = (privateKey: string) =>
  createPrivateKey({
    key: Buffer.concat([derHead, bytesAfter(privatePrefix, privateKey)]),
    format: "der",
    type: "pkcs8"
  })

/** The public key of a private one, which receivers verify with. */
export const publicKeyOf = (privateKey: string): string => {
  const der = createPublicKey(keyOf(privateKey)).export({ format: "der", type: "spki" })
  return publicPrefix + base64(der.subarray(-secretBytes))
}

export interface SignedMessage {
  /** The identifier of the event. */
  readonly id: string
  /** Seconds since 1970 of this try, in real time. */
  readonly timestamp: number
  /** As it is sent, byte by byte. */
  readonly body: Uint8Array
}

const signature = ({ body, id, timestamp }: SignedMessage, key: string): string => {
  const head = Buffer.from(`${id}.${timestamp}.`)
  if (key.startsWith(privatePrefix)) {
    return `v1a,${base64(sign(null, Buffer.concat([head, body]), keyOf(key)))}`
  }
  const hmac = createHmac("sha256", bytesAfter(secretPrefix, key))
  return `v1,${hmac.update(head).update(body).digest("base64")}`
}

/** The headers of a message, signed under each of the secrets and private keys. */
export const headers = (message: SignedMessage, keys: ReadonlyArray<string>) => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": keys.map((key) => signature(message, key)).join(" ")
})
