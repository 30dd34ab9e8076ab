import { maximumUpload } from "@quittance/domain/documents/Upload"

/** Of a form with a file: as large as a file may be, and a little for its fields. */
export const formLimits = {
  maxParts: 8,
  maxFieldSize: 4096,
  // The parser counts what is around a file, too: its own bytes are counted while it is received.
  maxFileSize: maximumUpload + 65_536,
  maxTotalSize: maximumUpload + 65_536
}
