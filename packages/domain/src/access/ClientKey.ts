/** The public keys of a client that authenticates by `private_key_jwt` (RFC 7523; OpenID Connect Core, section 9). */
import { Schema } from "effect"

/**
 * Algorithms of signatures that this service verifies (RFC 7518; RFC 8037). `Ed25519` is the name that
 * RFC 9864 gives to `EdDSA` with that curve: both are of the same keys.
 */
export const SignatureAlgorithm = Schema.Literals(["ES256", "EdDSA", "Ed25519", "PS256", "RS256"])
export type SignatureAlgorithm = typeof SignatureAlgorithm.Type

/** How many keys of a client may be valid at once: the present one, the next, and some to spare. */
export const maximumKeys = 5

/** 32 bytes in base64url. */
const Bytes32 = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/u, {
    message: "Expected 32 bytes in base64url"
  })
)

/** The first bit of a modulus of 2048, 3072 or 4096 bits is set, so no shorter one is among these. */
const Modulus = Schema.String.check(
  Schema.isPattern(
    /^[g-z0-9_-](?:[A-Za-z0-9_-]{340}[AQgw]|[A-Za-z0-9_-]{511}|[A-Za-z0-9_-]{681}[AEIMQUYcgkosw048])$/u,
    { message: "Expected a modulus of 2048, 3072 or 4096 bits in base64url" }
  )
)

const common = {
  /** As the header of an assertion names it. */
  kid: Schema.String.check(
    Schema.isPattern(/^[!-~]{1,100}$/u, {
      message: "Expected 1 to 100 visible ASCII characters, such as the key's thumbprint"
    })
  ),
  use: Schema.optionalKey(Schema.Literal("sig"))
}

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

const toNumber = (text: string): bigint => {
  let number = 0n
  for (const character of text) number = number * 64n + BigInt(alphabet.indexOf(character))
  // 43 characters hold 258 bits, of which the last two are no part of the 32 bytes.
  return number >> 2n
}
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Whether y² = x³ − 3x + b: a point that is not on the curve verifies nothing. */
const isOnCurve = (key: { readonly x: string; readonly y: string }) => {
  const [x, y] = [toNumber(key.x), toNumber(key.y)]
  return x < prime && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n
}

const EcKey = Schema.Struct({
  ...common,
  kty: Schema.Literal("EC"),
  alg: Schema.Literal("ES256"),
  crv: Schema.Literal("P-256"),
  x: Bytes32,
  y: Bytes32
}).check(
  Schema.makeFilter((key) => isOnCurve(key) || "Expected x and y of a point of the curve P-256")
)

const EdwardsKey = Schema.Struct({
  ...common,
  kty: Schema.Literal("OKP"),
  alg: Schema.Literals(["EdDSA", "Ed25519"]),
  crv: Schema.Literal("Ed25519"),
  x: Bytes32
})

const RsaKey = Schema.Struct({
  ...common,
  kty: Schema.Literal("RSA"),
  alg: Schema.Literals(["PS256", "RS256"]),
  n: Modulus,
  e: Schema.Literal("AQAB")
})

/** A public key as a JSON Web Key (RFC 7517), for one algorithm. A private member is refused. */
export const ClientKey = Schema.Union([EcKey, EdwardsKey, RsaKey]).annotate({
  identifier: "ClientKey"
})
export type ClientKey = typeof ClientKey.Type

/** The keys of one client; each has a `kid` of its own. */
export const ClientKeys = Schema.Array(ClientKey).check(
  Schema.isMaxLength(maximumKeys),
  Schema.makeFilter(
    (keys) =>
      new Set(keys.map(({ kid }) => kid)).size === keys.length ||
      "Expected another kid for each key"
  )
)
