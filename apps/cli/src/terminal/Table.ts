/** Tables for a terminal. */

export interface Column {
  readonly header: string
  readonly align?: "right"
}

export interface Table {
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Set apart below the rows. */
  readonly total?: ReadonlyArray<string>
}

/** How the parts of a table are shown; on what is no terminal, as they are. */
export interface Look {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

/** The parts as they are: on what is no terminal. */
export const plain: Look = { bold: (text) => text, dim: (text) => text }

const gap = "  "

/**
 * The lines of the table, none longer than `width` as long as its first column can give way: that is
 * the one with the names.
 */
export const lines = (table: Table, width: number, { bold, dim }: Look): ReadonlyArray<string> => {
  const widths = widthsOf(table, width)
  const line = (cells: ReadonlyArray<string>) =>
    table.columns
      .map(({ align }, index) => fit(cells[index] ?? "", widths[index] ?? 0, align))
      .join(gap)
      .trimEnd()
  const rule = dim("─".repeat(widths.reduce((sum, width) => sum + width, 0) + gaps(table)))
  return [
    bold(line(table.columns.map(({ header }) => header))),
    rule,
    ...table.rows.map(line),
    ...(table.total === undefined ? [] : [rule, bold(line(table.total))])
  ]
}

const gaps = ({ columns }: Table): number => gap.length * (columns.length - 1)

const widthsOf = (table: Table, width: number): ReadonlyArray<number> => {
  const all = [...table.rows, ...(table.total === undefined ? [] : [table.total])]
  const wanted = table.columns.map(({ header }, index) =>
    Math.max(...[header, ...all.map((cells) => cells[index] ?? "")].map(lengthOf))
  )
  const excess = wanted.reduce((sum, width) => sum + width, 0) + gaps(table) - width
  return wanted.map((width, index) =>
    index === 0 && excess > 0 ? Math.max(8, width - excess) : width
  )
}

/** Characters, not code units: accents and the euro sign take one place each. */
const lengthOf = (text: string): number => [...text].length

const fit = (text: string, width: number, align: "right" | undefined): string => {
  const shown = lengthOf(text) > width ? `${[...text].slice(0, width - 1).join("")}…` : text
  const space = " ".repeat(width - lengthOf(shown))
  return align === "right" ? space + shown : shown + space
}
