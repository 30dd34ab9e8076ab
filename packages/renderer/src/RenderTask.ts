/** What a renderer's process is told, and what it answers. */

/** A file that lies in the document. */
export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** PDF/A-3: what the document was made of, or the same in another form. */
  readonly relationship: "source" | "alternative"
  readonly description: string
  readonly text: string
}

export interface RenderTask {
  readonly layout: string
  /** The sources of all layouts that there are, by their names. */
  readonly layouts: ReadonlyArray<readonly [name: string, source: string]>
  /** A composed document, as JSON. */
  readonly document: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly files: ReadonlyArray<readonly [sha256: string, bytes: Uint8Array]>
  readonly maxPages: number
}

export type RenderAnswer =
  | { readonly kind: "MADE"; readonly bytes: Uint8Array; readonly pages: number }
  | { readonly kind: "TOO_LONG" }
  | { readonly kind: "FAILED"; readonly diagnostics: ReadonlyArray<string> }

export interface RenderReply {
  readonly answer: RenderAnswer
  /** Resident memory of the process, in bytes. */
  readonly memory: number
}

/** What a process says when it has loaded the typesetter. */
export const ready = "READY"
