/** Passkeys (WebAuthn, level 2) as a second factor: what the browser is asked, and what it answers. */
import { Effect } from "effect"
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse
} from "@simplewebauthn/server"

/** Milliseconds that the browser waits for the person. */
const timeout = 300_000
/** ES256, RS256, EdDSA (COSE). */
const algorithms = [-7, -257, -8]

/** A passkey as it is stored. */
export interface Passkey {
  /** In base64url. */
  readonly credentialId: string
  /** In COSE. */
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** Where and for which question an answer is good. */
export interface Expected {
  /** The origin of the tenant's authorization server; its host is the relying party. */
  readonly origin: string
  /** In base64url. */
  readonly challenge: string
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly tenant: string
}

/** What `navigator.credentials.create` is asked, as JSON. */
export const creation = (
  { challenge, origin }: Expected,
  person: Person,
  present: ReadonlyArray<string>
) => ({
  challenge,
  rp: { id: new URL(origin).hostname, name: person.tenant },
  user: {
    id: Buffer.from(person.id).toString("base64url"),
    name: person.email,
    displayName: person.email
  },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: present.map((id) => ({ type: "public-key", id })),
  authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  attestation: "none",
  timeout
})

/** What `navigator.credentials.get` is asked, as JSON. */
export const question = ({ challenge, origin }: Expected, present: ReadonlyArray<string>) => ({
  challenge,
  rpId: new URL(origin).hostname,
  allowCredentials: present.map((id) => ({ type: "public-key", id })),
  userVerification: "preferred",
  timeout
})

/** The new passkey of an answer; `undefined` if it is no good one. */
export const registered = (
  answer: string,
  { challenge, origin }: Expected
): Effect.Effect<Passkey | undefined> =>
  attempt(async () => {
    const { registrationInfo } = await verifyRegistrationResponse({
      // Checked by whom it is handed to.
      response: JSON.parse(answer) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms
    })
    if (registrationInfo === undefined) return undefined
    const { counter, id, publicKey } = registrationInfo.credential
    return { credentialId: id, publicKey, counter }
  })

/** The credential that an answer names, before anything of it is believed. */
export const named = (answer: string): string | undefined => {
  try {
    const parsed: unknown = JSON.parse(answer)
    return typeof parsed === "object" && parsed !== null && "id" in parsed
      ? String(parsed.id)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * The counter after an answer that the passkey has signed; `undefined` if it is no good one. A counter
 * that does not grow is refused, unless the passkey has none: then another has the same key.
 */
export const proven = (
  answer: string,
  { counter, credentialId, publicKey }: Passkey,
  { challenge, origin }: Expected
): Effect.Effect<number | undefined> =>
  attempt(async () => {
    const { authenticationInfo, verified } = await verifyAuthenticationResponse({
      // Checked by whom it is handed to.
      response: JSON.parse(answer) as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter }
    })
    return verified ? authenticationInfo.newCounter : undefined
  })

/** Whatever is wrong with an answer, the person is told the same. */
const attempt = <A>(check: () => Promise<A | undefined>): Effect.Effect<A | undefined> =>
  Effect.promise(() => check().catch(() => undefined))
