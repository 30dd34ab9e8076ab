/**
 * The code of a Markdown file, as tests compile it and a release runs it. What a reader knows without
 * being told, such as `policyId`, stands above a block as an HTML comment that begins with `preamble`.
 */
import { readFileSync } from "node:fs"

export interface CodeBlock {
  readonly file: string
  /** Of its fence, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
  /** What is hidden above it; empty where the code stands for itself. */
  readonly preamble: string
}

const pattern = /(?:^<!-- preamble\n([\s\S]*?)\n-->\n+)?^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm

export const codeBlocks = (file: string): ReadonlyArray<CodeBlock> => {
  const text = readFileSync(file, "utf8")
  return [...text.matchAll(pattern)].map(
    ({ 0: whole, 1: preamble, 2: language, 3: code, index }) => ({
      file,
      line: text.slice(0, index + whole.indexOf("```")).split("\n").length,
      language: language!,
      code: code!,
      preamble: preamble ?? ""
    })
  )
}

/** A TypeScript block as a module of its own: all imports first, its own before the hidden ones. */
export const programOf = ({ code, preamble }: CodeBlock): string => {
  const imports = /^import [\s\S]*?from "[^"]+"\n/gm
  const own = code.match(imports) ?? []
  const hidden = `${preamble}\n`.match(imports) ?? []
  const rest = (text: string) => text.replaceAll(imports, "")
  return [...own, ...hidden, rest(`${preamble}\n`), rest(code), "export {}\n"].join("")
}
