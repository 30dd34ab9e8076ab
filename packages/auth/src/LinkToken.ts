/**
 * The secrets in links of letters. They are derived from what the link is for under a key of the
 * service, so that a letter can be written from its identifier alone and nothing that is stored opens
 * anything: the table has their hashes.
 */
import { createHmac, hkdfSync } from "node:crypto"

/** The key of all links, from the key of the service. */
export const linkKey = (keyEncryptionKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", keyEncryptionKey, new Uint8Array(), "quittance links", 32))

/** The secret of a link: 43 characters of base64url, none of which needs encoding. */
export const linkToken = (key: Uint8Array, tenant: string, invitationId: string): string =>
  createHmac("sha256", key).update(`${tenant}\0${invitationId}`, "utf8").digest("base64url")
