/** What makes a file of a template and a model; `@quittance/renderer` implements it. */
import type { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { RenderingFailure } from "@quittance/domain/documents/RenderingFailure"
import { Context, type Effect, Schema } from "effect"

export interface RenderInput {
  readonly template: DocumentTemplate
  /** Its `document.at` is the only time that the file tells. */
  readonly model: DocumentModel
  /** The images that the template names, by their SHA-256 in hexadecimal. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export interface RenderedDocument {
  /** A PDF, the same bytes for the same input and `renderer`, in any process. */
  readonly bytes: Uint8Array
  readonly pages: number
  /** `layout/3 typst/0.7.0 icu/78.1`: these versions always make the same bytes. */
  readonly renderer: string
  /** The JSON text of the model, as it lies in the file as `data.json`. */
  readonly data: string
}

/** A document could not be made. */
export class RenderingFailed extends Schema.TaggedError<RenderingFailed>()("RenderingFailed", {
  reason: RenderingFailure,
  paths: Schema.Array(Schema.String),
  /** What the typesetter said, where it said something. */
  diagnostics: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${advice[this.reason]}${[...this.paths, ...this.diagnostics].map((text) => ` ${text}`).join(";")}`
  }
}

const advice: Record<RenderingFailure, string> = {
  UNPRINTABLE_TEXT: "Write it with characters of the Latin, Greek or Cyrillic script:",
  MISSING_VALUE: "Give these values, or let the template do without them:",
  TOO_LONG: "Let the template say less; a document has at most 200 pages.",
  LAYOUT: "Mend the template or its layout:",
  TIMEOUT: "Let the template say less; the document took more than ten seconds.",
  CRASHED: "Try again, and report the document if it fails again."
}

/** No process could be started that renders; nothing was made, and trying again later may help. */
export class RendererUnavailable extends Schema.TaggedError<RendererUnavailable>()(
  "RendererUnavailable",
  {}
) {
  override get message() {
    return "No renderer could be started; try again in a moment."
  }
}

export class DocumentRenderer extends Context.Service<
  DocumentRenderer,
  {
    /** What its files are made by, as they tell it. */
    readonly renderer: string
    /** The layouts that templates may name. */
    readonly layouts: ReadonlyArray<string>
    readonly render: (
      input: RenderInput
    ) => Effect.Effect<RenderedDocument, RenderingFailed | RendererUnavailable>
    /** The JSON text that a file carries of its data; `undefined` where it is no file of a renderer. */
    readonly dataOf: (file: Uint8Array) => string | undefined
  }
>()("@quittance/documents/DocumentRenderer") {}
