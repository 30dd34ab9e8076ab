/** What a renderer's process is told, and what it answers. */

export interface RenderTask {
  readonly layout: string
  /** The sources of all layouts that there are, by their names. */
  readonly layouts: ReadonlyArray<readonly [name: string, source: string]>
  /** A composed document, as JSON. */
  readonly document: string
  /** The model, which the file carries as `data.json`. */
  readonly data: string
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
