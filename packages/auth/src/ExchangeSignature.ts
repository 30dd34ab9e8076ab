/**
 * How requests to a quote provider and its answers are signed: HMAC-SHA256 (RFC 2104) under a secret
 * that both sides know, in one header. An answer is signed together with the identifier of its request,
 * so that an older one, or the request itself sent back, is none.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export const signatureHeader = "quittance-signature"

/** A secret, and the name by which either side may know several. */
export interface ExchangeKey {
  readonly keyId: string
  readonly secret: string
}

export interface SignedRequest {
  readonly method: string
  /** As it is sent, with its query. */
  readonly path: string
  readonly body: Uint8Array
  /** Seconds since 1970. */
  readonly time: number
}

/** The header of a request: `v1;key=…;time=…;hmac=…`. */
export const signRequest = (
  { keyId, secret }: ExchangeKey,
  { body, method, path, time }: SignedRequest
): string => {
  const head = ["quittance request v1", keyId, time, method, path]
  return `v1;key=${keyId};time=${time};hmac=${hmac(secret, head, body)}`
}

/** The header of an answer: `v1;key=…;hmac=…`. */
export const signAnswer = (
  { keyId, secret }: ExchangeKey,
  requestId: string,
  body: Uint8Array
): string => `v1;key=${keyId};hmac=${hmac(secret, answerHead(keyId, requestId), body)}`

/** Whether a header signs these bytes as the answer to this request, in a time that tells nothing. */
export const isAnswerSigned = (
  key: ExchangeKey,
  requestId: string,
  body: Uint8Array,
  header: string | undefined
): boolean => {
  const expected = Buffer.from(signAnswer(key, requestId, body))
  const given = Buffer.from(header ?? "")
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const answerHead = (keyId: string, requestId: string) => ["quittance answer v1", keyId, requestId]

/** Each line of the head ends with a line feed; then comes the body as it is sent. In hexadecimal. */
const hmac = (secret: string, head: ReadonlyArray<string | number>, body: Uint8Array): string =>
  createHmac("sha256", secret)
    .update(head.map((line) => `${line}\n`).join(""), "utf8")
    .update(body)
    .digest("hex")
