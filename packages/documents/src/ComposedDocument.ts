/** A document as a layout sets it: words alone, nothing to be looked up, formatted or decided any more. */

/** A piece of text in one style; a line feed in it breaks the line. */
export interface Run {
  readonly text: string
  readonly strong?: true
  readonly emphasis?: true
}

export type Runs = ReadonlyArray<Run>

export type ComposedFlow =
  | { readonly kind: "paragraph"; readonly runs: Runs }
  | {
      readonly kind: "list"
      readonly ordered: boolean
      readonly items: ReadonlyArray<ReadonlyArray<ComposedFlow>>
    }

export type ComposedFlows = ReadonlyArray<ComposedFlow>

export interface ComposedRow {
  readonly label: Runs
  readonly value: ComposedFlows
}

export type ComposedBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: Runs }
  | { readonly kind: "paragraph"; readonly style: string; readonly text: ComposedFlows }
  | { readonly kind: "list"; readonly items: ReadonlyArray<ComposedFlows> }
  | { readonly kind: "keyValues"; readonly rows: ReadonlyArray<ComposedRow> }
  | {
      readonly kind: "table"
      readonly columns: ReadonlyArray<{
        readonly title: Runs
        readonly align: string
        /** 0: as wide as it has to be. */
        readonly share: number
      }>
      readonly rows: ReadonlyArray<{
        readonly cells: ReadonlyArray<Runs>
        readonly strong: boolean
      }>
    }
  | {
      readonly kind: "clause"
      readonly title: Runs
      readonly text: ComposedFlows
      readonly apparent: boolean
    }
  | {
      readonly kind: "signatureBox"
      readonly parties: ReadonlyArray<{ readonly label: Runs; readonly name: Runs }>
    }
  | {
      readonly kind: "image"
      readonly file: string
      readonly alt: string
      readonly width: number
    }
  | { readonly kind: "pageBreak" }
  | {
      readonly kind: "section"
      readonly section: string
      readonly title: Runs
      readonly blocks: ReadonlyArray<ComposedBlock>
    }

export interface ComposedDocument {
  readonly layout: string
  /** ISO 639-1 and ISO 3166-1: hyphenation and quotes are those of the language. */
  readonly language: string
  readonly region: string
  readonly title: string
  /** The time that the file tells, in UTC: year, month, day, hour, minute, second. */
  readonly date: ReadonlyArray<number>
  readonly sender: ReadonlyArray<Runs>
  readonly recipient: ReadonlyArray<Runs>
  readonly facts: ReadonlyArray<ComposedRow>
  readonly footer: Runs
  /** On each page, in a band of its own; empty: nothing. */
  readonly mark: string
  readonly blocks: ReadonlyArray<ComposedBlock>
}
