/**
 * Texts that are stored encrypted under the service's own keys of 32 bytes, as JWE (RFC 7516). Each says
 * whose it is, so that a row copied to another tenant or to another name can't be opened.
 */
import { Effect } from "effect"
import { CompactEncrypt, compactDecrypt, type CompactDecryptResult } from "jose"

/** The keys of the service, 32 bytes each: the first seals, every one of them opens. */
export type ServiceKeys = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

/** What binds a text to its row. */
export interface Binding {
  readonly tenant: string
  readonly kid: string
}

export const seal = (
  text: string,
  { contentType, kid, tenant }: Binding & { readonly contentType: string },
  [key]: ServiceKeys
): Effect.Effect<string> =>
  Effect.promise(() =>
    new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: contentType, kid, tenant })
      .encrypt(key)
  )

/** Opens a text. A wrong key of the service, or a row that was tampered with, is a defect. */
export const unseal = (
  jwe: string,
  { kid, tenant }: Binding,
  keys: ServiceKeys
): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { plaintext, protectedHeader } = await opened(jwe, keys).catch((cause: unknown) => {
      const problem = `Sealed: ${kid} of ${tenant} was stored under another key of the service`
      throw new Error(problem, { cause })
    })
    if (protectedHeader["tenant"] !== tenant || protectedHeader.kid !== kid) {
      throw new Error("Sealed: the encrypted text belongs to another row")
    }
    return new TextDecoder().decode(plaintext)
  })

/**
 * The same text under the first key, bound to what it was bound to: as it is where that key opens it
 * already. `undefined` where none of the keys does.
 */
export const reseal = (jwe: string, keys: ServiceKeys): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    if ((await openedBy(jwe, keys[0])) !== undefined) return jwe
    for (const key of keys.slice(1)) {
      const text = await openedBy(jwe, key)
      if (text === undefined) continue
      return new CompactEncrypt(text.plaintext)
        .setProtectedHeader(text.protectedHeader)
        .encrypt(keys[0])
    }
    return undefined
  })

const opened = async (jwe: string, keys: ServiceKeys): Promise<CompactDecryptResult> => {
  for (const key of keys.slice(0, -1)) {
    const text = await openedBy(jwe, key)
    if (text !== undefined) return text
  }
  return decrypt(jwe, keys.at(-1)!)
}

const openedBy = (jwe: string, key: Uint8Array): Promise<CompactDecryptResult | undefined> =>
  decrypt(jwe, key).catch(() => undefined)

const decrypt = (jwe: string, key: Uint8Array): Promise<CompactDecryptResult> =>
  compactDecrypt(jwe, key, {
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256GCM"]
  })
