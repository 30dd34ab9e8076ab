/**
 * What a browser keeps from signing in: that it once knew the password of an account. Wrong passwords
 * of such a browser are counted apart, so a stranger's guesses never keep it out. The value says nothing
 * of the account, opens nothing, and only the service can make one.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** Accounts that a browser remembers; the one used last stands first. */
const accounts = 4
const pattern = /^[\w-]{22}\.[\w-]{43}$/u

/** Bytes of chance that `add` wants. */
export const nonceBytes = 16

/** The key of all values, from the key of the service. */
export const deviceKey = (keyEncryptionKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", keyEncryptionKey, new Uint8Array(), "quittance devices", 32))

/** A name for an account that only the service can make from its address, such as for logs. */
export const accountKey = (key: Uint8Array, tenant: string, email: string): Buffer =>
  createHmac("sha256", key).update(`account\0${tenant}\0${email}`, "utf8").digest()

/** What names the browser for this account; `undefined` if it has not signed in to it. */
export const find = (
  key: Uint8Array,
  tenant: string,
  email: string,
  cookie: string
): string | undefined => entriesOf(cookie).find((entry) => isOf(key, tenant, email, entry))

/** The value of the cookie once the browser has signed in; it stays the same if it had before. */
export const add = (
  key: Uint8Array,
  tenant: string,
  email: string,
  cookie: string,
  nonce: Uint8Array
): string => {
  const present = find(key, tenant, email, cookie)
  const text = Buffer.from(nonce).toString("base64url")
  const first = present ?? `${text}.${sign(key, tenant, email, text)}`
  const others = entriesOf(cookie).filter((entry) => entry !== first)
  return [first, ...others].slice(0, accounts).join("~")
}

const entriesOf = (cookie: string): ReadonlyArray<string> =>
  cookie
    .slice(0, 1024)
    .split("~")
    .filter((entry) => pattern.test(entry))
    .slice(0, accounts)

const sign = (key: Uint8Array, tenant: string, email: string, nonce: string): string =>
  createHmac("sha256", key)
    .update(`device\0${tenant}\0${email}\0${nonce}`, "utf8")
    .digest("base64url")

const isOf = (key: Uint8Array, tenant: string, email: string, entry: string): boolean => {
  const [nonce = "", mac = ""] = entry.split(".")
  return timingSafeEqual(Buffer.from(mac), Buffer.from(sign(key, tenant, email, nonce)))
}
