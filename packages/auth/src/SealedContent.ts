/**
 * Contents as they lie in a store: AES-256-GCM (NIST SP 800-38D) in segments, under a key of their own.
 * The nonce of a segment is its number and whether it is the last, so that one that was cut off, swapped
 * or taken from another content does not open. A key seals one content only, so no nonce is used twice.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"

/** Bytes of a content in each segment but the last, which may have fewer. */
export const segmentSize = 65_536

const tagSize = 16
const keySize = 32

/** Bytes of a whole segment in the store. */
export const sealedSegmentSize = segmentSize + tagSize

/** A new key for one content. */
export const newKey = (): Uint8Array => new Uint8Array(randomBytes(keySize))

/** An empty content has one segment, too: that there is nothing is sealed as well. */
export const segmentCount = (size: number): number => Math.max(1, Math.ceil(size / segmentSize))

/** Bytes that a content of `size` bytes has in the store. */
export const sealedSize = (size: number): number => size + segmentCount(size) * tagSize

/** Where a content is stored: without the tenant's key the name reveals nothing of the content. */
export const addressOf = (tenantKey: Uint8Array, sha256: Uint8Array): string =>
  createHmac("sha256", tenantKey).update("content").update(sha256).digest("hex")

/** The folder of a tenant in a store that others may list. */
export const folderOf = (tenantKey: Uint8Array): string =>
  createHmac("sha256", tenantKey).update("folder").digest("hex").slice(0, 16)

const nonceOf = (number: number, isLast: boolean): Uint8Array => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** The segments of a content, one after the other; the same ones each time. */
export function* seal(content: Uint8Array, key: Uint8Array): Generator<Uint8Array> {
  const count = segmentCount(content.length)
  for (let number = 0; number < count; number++) {
    const plain = content.subarray(number * segmentSize, (number + 1) * segmentSize)
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number, number === count - 1))
    yield Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
}

/** The content of one segment; `undefined` where it is not what was sealed in this place. */
export const openSegment = (
  sealed: Uint8Array,
  key: Uint8Array,
  { isLast, number }: { readonly number: number; readonly isLast: boolean }
): Uint8Array | undefined => {
  if (sealed.length < tagSize) return undefined
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number, isLast))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagSize))
  const plain = decipher.update(sealed.subarray(0, sealed.length - tagSize))
  try {
    decipher.final()
    return plain
  } catch {
    return undefined
  }
}
