/** What is wrong with an expression, and where, as a sentence for whoever wrote it. */
import type { ASTNode, ParseError, SourceRange, TypeError } from "@marcbachmann/cel-js"
import { nearest } from "@quittance/domain/Spelling"

type CelError = Pick<ParseError | TypeError, "code" | "range" | "summary">

/** It is no expression. */
export const parseFault = (text: string, { code, range, summary }: CelError): string => {
  const where = range === undefined ? "" : ` at character ${range.start + 1}`
  if (code === "limit_exceeded") {
    return `Split it into several inputs, each an expression over the ones before it: it is too long or too nested${where}.`
  }
  if (range !== undefined && range.start >= text.length) {
    return `Write on after character ${text.length}: the expression ends before it is complete.`
  }
  if (code === "unterminated_string") return `Close the text that begins${where}.`
  if (code === "reserved_identifier" && range !== undefined) {
    return wordFault(text.slice(range.start, range.end))
  }
  const found = range === undefined ? "this" : quoted(text, range)
  return `Correct it${where}: ${found} has no place there (${summary}).`
}

/** It names what it does not see; `known` are the inputs that it could, `seen` those it can name. */
export const nameFault = (
  { args: name, start }: Extract<ASTNode, { readonly op: "id" }>,
  known: ReadonlyMap<string, unknown>,
  seen: ReadonlySet<string>
): string => {
  if (known.has(name)) return wordFault(name)
  const names = [...seen]
  const meant = nearest(name, names)
  const hint = meant === undefined ? `It sees ${names.join(", ")}.` : `Did you mean ${meant}?`
  return `Name an input that is before this one in the list and of the same record, instead of \`${name}\` at character ${start + 1}. ${hint}`
}

const wordFault = (name: string) =>
  `Give the input \`${name}\` another name; that is a word of the language of expressions.`

/** Its parts do not fit together. */
export const typeFault = (text: string, { code, range, summary }: CelError): string => {
  const part = range === undefined ? "it" : `${quoted(text, range)} at character ${range.start + 1}`
  return code === "no_such_overload" || code === "no_matching_overload"
    ? `Correct ${part}: ${summary}. Values of one type go together; int(…) makes an INTEGER of a NUMBER, double(…) a NUMBER, string(…) a STRING.`
    : `Correct ${part}: ${summary}.`
}

/** It uses a part of CEL that products do not speak. */
export const foreignFault = (text: string, node: ASTNode, what: string): string =>
  `Leave out ${what} in ${quoted(text, node)} at character ${node.start + 1}; docs/products.md lists what an expression may use.`

const longest = 40

const quoted = (text: string, { end, start }: SourceRange): string => {
  const part = text.slice(start, Math.max(end, start + 1))
  return `\`${part.length > longest ? `${part.slice(0, longest - 1)}…` : part}\``
}
