/** A file that people add to a policy: what may be sent, and why it is not taken. */
import { type Effect, Schema } from "effect"
import type { UploadForm } from "./DocumentRequests.ts"

/** Bytes of an upload. */
export const maximumUpload = 26_214_400

/** What a policy may have of uploads. */
export const maximumOfPolicy = { count: 200, size: 524_288_000 }

/** Pages of a PDF that people add. */
export const maximumPages = 500

/** Media types that uploads may have. */
export const uploadTypes: ReadonlyArray<string> = [
  "application/pdf",
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/tiff",
  "image/heic",
  "text/plain",
  "text/csv"
]

/** Why an upload is not taken. */
export const RejectionReason = Schema.Literals([
  "EMPTY",
  "ENCRYPTED",
  "UNREADABLE",
  "ACTIVE_CONTENT",
  "LEADING_BYTES",
  "TOO_MANY_PAGES",
  "TOO_MANY_UPLOADS"
])
export type RejectionReason = typeof RejectionReason.Type

/** An upload that is not taken as it is. */
export class UploadRejected extends Schema.TaggedError<UploadRejected>()("UploadRejected", {
  reason: RejectionReason
}) {
  override get message() {
    return advice[this.reason]
  }
}

const advice: Readonly<Record<RejectionReason, string>> = {
  EMPTY: "The file has no bytes. Choose it again.",
  ENCRYPTED: "The PDF is encrypted. Save it without a password and send that.",
  UNREADABLE: "The PDF can't be read to its end. Save it again and send that.",
  ACTIVE_CONTENT:
    "The PDF holds scripts, actions that start programs, XFA forms or programs. Print it to a new PDF and send that.",
  LEADING_BYTES:
    "The file has other bytes before its beginning as a PDF. Save it again and send that.",
  TOO_MANY_PAGES: `The PDF has more than ${maximumPages} pages. Send the part that matters.`,
  TOO_MANY_UPLOADS: `The policy has ${maximumOfPolicy.count} uploads or 500 MiB of them. It takes no further ones.`
}

/** A file as it was received. */
export interface ReceivedFile {
  /** As the sender declares it. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** A form that was received, its file put aside. */
export interface ReceivedUpload {
  readonly fields: UploadForm
  readonly file: {
    /** As the sender calls it: a text, never a path. */
    readonly name: string
    readonly mediaType: string
    readonly size: number
    /** In lower-case hexadecimal. */
    readonly sha256: string
    readonly bytes: Effect.Effect<Uint8Array>
  }
}

/** What is known of a file that is taken. */
export interface JudgedFile {
  readonly mediaType: string
  /** Of a PDF. */
  readonly pages?: number
}
