/**
 * Passwords, kept as argon2id in the PHC string format with the parameters that OWASP recommends
 * (19 MiB, two passes, one lane). The parameters stand in each hash, so they can be raised later.
 */
import { Effect } from "effect"
import { argon2, timingSafeEqual } from "node:crypto"

/** Bytes of salt that `make` wants. */
export const saltBytes = 16

/** Longer passwords are refused before any work is done. */
export const maxLength = 1024

const current = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/u

const unpadded = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString("base64").replaceAll("=", "")

/** The hash of a new password. */
export const make = (password: string, salt: Uint8Array): Effect.Effect<string> =>
  Effect.map(derive(password, salt, current), (tag) => {
    const { memory, parallelism, passes } = current
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
  })

/** Whether the password is the one of the hash; a stored text that is no such hash is a defect. */
export const verify = (password: string, stored: string): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const [, memory, passes, parallelism, salt, tag] = phc.exec(stored) ?? []
    if (salt === undefined || tag === undefined) {
      return Effect.die(new Error("PasswordHash: the stored text is no argon2id hash"))
    }
    if (password.length > maxLength) return Effect.succeed(false)
    const expected = Buffer.from(tag, "base64")
    const parameters = {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism)
    }
    return Effect.map(
      derive(password, Buffer.from(salt, "base64"), parameters, expected.length),
      (given) => timingSafeEqual(given, expected)
    )
  })

/**
 * A hash that no password has, to be verified when the user is unknown: the answer then takes as long
 * as for a wrong password.
 */
export const unknownUser = `$argon2id$v=19$m=${current.memory},t=${current.passes},p=${current.parallelism}$${unpadded(Buffer.alloc(saltBytes))}$${unpadded(Buffer.alloc(tagLength))}`

const derive = (
  password: string,
  nonce: Uint8Array,
  parameters: typeof current,
  length: number = tagLength
): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    // The same letters typed on two keyboards may differ in code points.
    const message = Buffer.from(password.normalize("NFC"), "utf8")
    argon2("argon2id", { message, nonce, tagLength: length, ...parameters }, (error, tag) =>
      resume(error === null ? Effect.succeed(tag) : Effect.die(error))
    )
  })
