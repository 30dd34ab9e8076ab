/**
 * Texts that are stored encrypted under the service's own key of 32 bytes, as JWE (RFC 7516). Each says
 * whose it is, so that a row copied to another tenant or to another name can't be opened.
 */
import { Effect } from "effect"
import { CompactEncrypt, compactDecrypt } from "jose"

/** What binds a text to its row. */
export interface Binding {
  readonly tenant: string
  readonly kid: string
}

export const seal = (
  text: string,
  { contentType, kid, tenant }: Binding & { readonly contentType: string },
  keyEncryptionKey: Uint8Array
): Effect.Effect<string> =>
  Effect.promise(() =>
    new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: contentType, kid, tenant })
      .encrypt(keyEncryptionKey)
  )

/** Opens a text. A wrong key of the service, or a row that was tampered with, is a defect. */
export const unseal = (
  jwe: string,
  { kid, tenant }: Binding,
  keyEncryptionKey: Uint8Array
): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(jwe, keyEncryptionKey, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"]
    }).catch((cause: unknown) => {
      const problem = `Sealed: ${kid} of ${tenant} was stored under another key of the service`
      throw new Error(problem, { cause })
    })
    if (protectedHeader["tenant"] !== tenant || protectedHeader.kid !== kid) {
      throw new Error("Sealed: the encrypted text belongs to another row")
    }
    return new TextDecoder().decode(plaintext)
  })
