/**
 * Seals of PDF files by PAdES (ETSI EN 319 142-1): baseline B, T with a timestamp, and LTA with what proves
 * the certificates later. What was shown is, byte for byte, the beginning of what is sealed.
 */
import type { DateTime } from "effect"
import { Effect } from "effect"
import { signCms } from "./Cms.ts"
import { oids, sha256 } from "./Der.ts"
import { appendMaterial, appendSignature, type ValidationMaterial } from "./PdfRevision.ts"
import type { Signer } from "./Signer.ts"
import { TimestampAuthority } from "./TimestampAuthority.ts"

export interface Sealing {
  readonly signer: Signer
  /** The time that the file says; what proves it is the timestamp. */
  readonly at: DateTime.Utc
  /** Why it was sealed, without a word about persons. */
  readonly reason?: string
  /** Bytes that are left for the signature; 16 KiB unless said otherwise. */
  readonly room?: number
}

/** Seals by baseline B: without a proven time. */
export const sealB = Effect.fn("Pades.sealB")(function* (pdf: Uint8Array, sealing: Sealing) {
  return yield* appendSignature(pdf, { kind: "Sig", ...sealing }, (digest) =>
    Effect.map(signCms(sealing.signer, { type: oids.data, digest }), (signature) =>
      signature.withTimestamp(undefined)
    )
  )
})

/** Seals by baseline T: a timestamp authority proves that the signature existed at a time. */
export const sealT = Effect.fn("Pades.sealT")(function* (pdf: Uint8Array, sealing: Sealing) {
  const authority = yield* TimestampAuthority
  return yield* appendSignature(pdf, { kind: "Sig", ...sealing }, (digest) =>
    Effect.gen(function* () {
      const signature = yield* signCms(sealing.signer, { type: oids.data, digest })
      return signature.withTimestamp(yield* authority.stamp(sha256(signature.value)))
    })
  )
})

/**
 * Takes a sealed file to baseline LTA, and renews that: appends what proves the certificates so far, and a
 * timestamp over the whole file. It has to be renewed before the certificate of the newest timestamp ends.
 */
export const archive = Effect.fn("Pades.archive")(function* (
  pdf: Uint8Array,
  material: ValidationMaterial,
  room?: number
) {
  const authority = yield* TimestampAuthority
  const proven = yield* appendMaterial(pdf, material)
  return yield* appendSignature(
    proven,
    { kind: "DocTimeStamp", ...(room === undefined ? {} : { room }) },
    (digest) => authority.stamp(digest)
  )
})
