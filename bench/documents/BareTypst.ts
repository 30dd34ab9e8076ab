/** The typesetter's compiler and nothing else, in this process: what our renderer adds is measured against it. */
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler"
import { fonts } from "@quittance/renderer/Fonts"
import { layouts } from "@quittance/renderer/Layouts"
import { Effect } from "effect"
import type { Words } from "./Papers.ts"

const workspace = "/bench"

/** Makes the same PDF/A-3a with the same layouts, fonts and data inside. */
export const make = Effect.gen(function* () {
  const known = yield* layouts
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: [...fonts()] }] })
  const put = (file: string, content: string) =>
    compiler.mapShadow(`${workspace}/${file}`, Buffer.from(content))
  return ({ composed, data }: Words): Uint8Array => {
    compiler.resetShadow()
    for (const [name, source] of known) put(`${name}.typ`, source)
    put("data.json", data)
    put("document.json", JSON.stringify(composed))
    put(
      "main.typ",
      `#import "${composed.layout}.typ": layout
#pdf.attach("data.json", relationship: "source", mime-type: "application/json", description: "bench")
#layout(json("document.json"))
`
    )
    const { result } = compiler.compile({ mainFilePath: `${workspace}/main.typ` })
    const bytes = compiler.pdf(result!, { pdfStandard: "a-3a", pdfTags: true })
    compiler.evictCache(8)
    return bytes
  }
})
