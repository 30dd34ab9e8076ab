/** Files of a tenant that its products and templates name by their SHA-256. */
import { Schema } from "effect"
import { FileHash } from "../products/documents/DocumentDefinition.ts"

/** Bytes of a file, at most. */
export const maximumFile = 26_214_400

/** A file that is safe: a definition or an image may name it from now on. */
export const DocumentFile = Schema.Struct({
  sha256: FileHash,
  size: Schema.Int,
  mediaType: Schema.String,
  /** Of a PDF. */
  pages: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "DocumentFile" })
export type DocumentFile = typeof DocumentFile.Type

/** The form has its file alone. */
export const FileForm = Schema.Struct({})
export type FileForm = typeof FileForm.Type

/** The same as it is sent: a form of one part, the bytes. */
export const UploadDocumentFile = Schema.Struct({
  file: Schema.String.annotate({ format: "binary" })
}).annotate({ identifier: "UploadDocumentFile" })
