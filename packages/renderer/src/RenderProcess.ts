/** The program of one renderer: it is given documents, one after the other, and answers their bytes. */
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { asFacturX, facturXName } from "./FacturX.ts"
import { fonts } from "./Fonts.ts"
import { ready, type RenderAnswer, type RenderReply, type RenderTask } from "./RenderTask.ts"

/** A folder that does not exist: there is nothing to be read but what a task brings along. */
const workspace = "/quittance/documents"

const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: [...fonts()] }] })

/** Names, types and descriptions of attachments are ours: nothing of a tenant's stands in this text. */
const main = ({ attachments, layout }: RenderTask) => `#import "${layout}.typ": layout
${attachments
  .map(
    ({ description, mediaType, name, relationship }) =>
      `#pdf.attach("${name}", relationship: "${relationship}", mime-type: "${mediaType}", description: "${description}")`
  )
  .join("\n")}
#layout(json("document.json"))
`

const put = (file: string, content: string | Uint8Array) =>
  compiler.mapShadow(`${workspace}/${file}`, Buffer.from(content))

const make = (task: RenderTask): RenderAnswer => {
  const { attachments, document, files, layouts, maxPages } = task
  compiler.resetShadow()
  for (const [name, source] of layouts) put(`${name}.typ`, source)
  for (const [name, bytes] of files) put(`files/${name}`, bytes)
  for (const { name, text } of attachments) put(name, text)
  put("main.typ", main(task))
  put("document.json", document)
  const compiled = compiler.compile({ mainFilePath: `${workspace}/main.typ` })
  // A warning is a failure: of a font that is not there nothing is printed, and a warning is all that is said.
  const said = [compiled.takeWarnings(), compiled.takeDiagnostics()].filter((one) => one !== null)
  if (compiled.result === null || said.length > 0) {
    return {
      kind: "FAILED",
      diagnostics: said.flatMap((one) => messages(compiler.fetchDiagnostics(one)))
    }
  }
  if (compiled.result.numOfPages > maxPages) return { kind: "TOO_LONG" }
  const bytes = compiler.pdf(compiled.result, { pdfStandard: "a-3a", pdfTags: true })
  const isFacturX = attachments.some(({ name }) => name === facturXName)
  return {
    kind: "MADE",
    bytes: isFacturX ? asFacturX(bytes) : bytes,
    pages: compiled.result.numOfPages
  }
}

const messages = (
  diagnostics: ReadonlyArray<{ readonly message?: unknown }>
): ReadonlyArray<string> => diagnostics.map(({ message }) => String(message))

const answer = (task: RenderTask): RenderAnswer => {
  try {
    return make(task)
  } catch (error) {
    return { kind: "FAILED", diagnostics: [error instanceof Error ? error.message : String(error)] }
  } finally {
    // What documents have in common stays for those to come, what only one has goes.
    compiler.evictCache(8)
  }
}

// Structured clones: bytes go over as they are.
process.on("message", (task: RenderTask) => {
  const reply: RenderReply = { answer: answer(task), memory: process.memoryUsage.rss() }
  process.send?.(reply)
})

// The caller is gone: another answer would not be read.
process.on("disconnect", () => process.exit(0))

process.send?.(ready)
