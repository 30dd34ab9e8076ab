/** The same words drawn with pdfkit: headings, paragraphs, lists, tables and boxes, by hand. */
import type {
  ComposedBlock,
  ComposedFlows,
  ComposedRow,
  Runs
} from "@quittance/documents/ComposedDocument"
import { fonts } from "@quittance/renderer/Fonts"
import PdfDocument, { type Paper } from "pdfkit"
import type { Words } from "./Papers.ts"

type Table = Extract<ComposedBlock, { readonly kind: "table" }>

const [regular, , bold] = fonts()
const margin = 60
const gap = 6

const textOf = (runs: Runs): string => runs.map(({ text }) => text).join("")

const say = (paper: Paper, runs: Runs) => {
  if (runs.length === 0) return
  for (const [at, { strong, text }] of runs.entries()) {
    paper.font(strong === true ? "bold" : "regular")
    paper.text(text, { continued: at < runs.length - 1 })
  }
}

const flow = (paper: Paper, flows: ComposedFlows) => {
  for (const one of flows) {
    if (one.kind === "paragraph") say(paper, one.runs)
    else for (const item of one.items) flow(paper, item)
  }
  paper.moveDown(0.4)
}

/** Text in a column of its own; answers how far down it goes. */
const cell = (
  paper: Paper,
  runs: Runs,
  at: { x: number; y: number; width: number },
  align: Align
) => {
  paper.font(runs[0]?.strong === true ? "bold" : "regular")
  paper.text(textOf(runs), at.x, at.y, { width: at.width, align })
  return paper.y
}

type Align = "left" | "right"

const room = (paper: Paper) => paper.page.width - 2 * margin

const line = (paper: Paper, columns: Table["columns"], cells: ReadonlyArray<Runs>) => {
  if (paper.y > paper.page.height - 2 * margin) paper.addPage()
  const width = room(paper) / columns.length
  const top = paper.y
  const ends = cells.map((runs, at) =>
    cell(
      paper,
      runs,
      { x: margin + at * width, y: top, width: width - gap },
      columns[at]!.align === "RIGHT" ? "right" : "left"
    )
  )
  const bottom = Math.max(...ends) + gap / 2
  paper
    .moveTo(margin, bottom)
    .lineTo(margin + room(paper), bottom)
    .stroke()
  paper.x = margin
  paper.y = bottom + gap / 2
}

const pairs = (paper: Paper, rows: ReadonlyArray<ComposedRow>) => {
  for (const { label, value } of rows) {
    const top = paper.y
    const end = cell(paper, label, { x: margin, y: top, width: 150 }, "left")
    paper.x = margin + 160
    paper.y = top
    flow(paper, value)
    paper.x = margin
    paper.y = Math.max(end, paper.y)
  }
}

const block = (paper: Paper, it: ComposedBlock) => {
  switch (it.kind) {
    case "heading":
      paper.font("bold").fontSize(12).text(textOf(it.text)).fontSize(9.6)
      return
    case "paragraph":
      return flow(paper, it.text)
    case "list":
      return it.items.forEach((item) => flow(paper, item))
    case "keyValues":
      return pairs(paper, it.rows)
    case "table":
      line(
        paper,
        it.columns,
        it.columns.map(({ title }) => title)
      )
      return it.rows.forEach(({ cells }) => line(paper, it.columns, cells))
    case "clause":
      say(paper, it.title)
      return flow(paper, it.text)
    case "signatureBox":
      for (const { label, name } of it.parties) {
        say(paper, label)
        say(paper, name)
        paper.rect(margin, paper.y, room(paper) / 2, 60).stroke()
        paper.y += 70
      }
      return
    case "section":
      say(paper, it.title)
      return it.blocks.forEach((one) => block(paper, one))
    case "image":
    case "pageBreak":
      return
  }
}

/** A tagged PDF/A-3 as far as pdfkit makes one; resolves with its bytes. */
export const draw = ({ composed, data }: Words): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const paper = new PdfDocument({
      size: "A4",
      margin,
      lang: composed.language,
      subset: "PDF/A-3b",
      pdfVersion: "1.7",
      font: regular!,
      info: { Title: composed.title }
    })
    const parts: Array<Buffer> = []
    paper.on("data", (part: Buffer) => parts.push(part))
    paper.on("end", () => resolve(Buffer.concat(parts)))
    paper.on("error", reject)
    paper.registerFont("regular", regular!).registerFont("bold", bold!)
    paper.file(Buffer.from(data), { name: "data.json" })
    paper.font("regular").fontSize(9.6)
    for (const runs of [...composed.sender, ...composed.recipient]) say(paper, runs)
    pairs(paper, composed.facts)
    paper.font("bold").fontSize(17).text(composed.title).fontSize(9.6)
    for (const one of composed.blocks) block(paper, one)
    say(paper, composed.footer)
    paper.end()
  })
