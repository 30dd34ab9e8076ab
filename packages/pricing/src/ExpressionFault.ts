/** What is wrong with an expression, and where, as a sentence for its author. */
import type { ASTNode, ParseError, SourceRange, TypeError } from "@marcbachmann/cel-js"
import { closestName } from "@quittance/domain/values/ClosestName"

type CelError = Pick<ParseError | TypeError, "code" | "range" | "summary">

/** The names of the inputs that an expression could see. */
type Known = ReadonlyMap<string, unknown>

/** What other languages write, and what this one has for it. */
const instead: ReadonlyMap<string, string> = new Map(
  Object.entries({
    and: "`&&` for and",
    or: "`||` for or",
    not: "`!` for not",
    "&": "`&&` for and",
    "|": "`||` for or",
    "=": "`==` for equal",
    "<>": "`!=` for unequal",
    "“": 'texts between `"`',
    "”": 'texts between `"`',
    "‘": 'texts between `"`',
    "’": 'texts between `"`'
  })
)

/** It is no expression. */
export const parseFault = (text: string, error: CelError, known: Known): string => {
  const { code, range = { start: 0, end: 0 }, summary } = error
  const where = `at character ${range.start + 1}`
  if (text.trim() === "") return "Write an expression; this one is empty."
  if (code === "limit_exceeded") {
    return `Split it into several inputs, each an expression over the ones before it: it is too long or too nested ${where}.`
  }
  if (code === "unterminated_string") return `Close the text that begins ${where}.`
  if (range.start >= text.length) {
    return `Write on after character ${text.length}: the expression ends before it is complete.`
  }
  const found = text.slice(range.start, range.end)
  if (code === "reserved_identifier") return wordFault(found, known, where)
  const replaced = instead.get(wordAt(text, range))
  if (replaced !== undefined) return `Write ${replaced}, ${where}.`
  return `Correct it ${where}: ${quoted(text, range)} has no place there (${inOurs(summary)}).`
}

/** The word or sign that what was found is a part of, or that stands just before it. */
const wordAt = (text: string, { end, start }: SourceRange): string => {
  const before = text.slice(0, start)
  if (before.endsWith("<") && text.startsWith(">", start)) return "<>"
  const around = `${/[A-Za-z]*$/u.exec(before)?.[0] ?? ""}${text.slice(start, end)}`
  if (instead.has(around)) return around
  return /\bnot\s+$/u.test(before) ? "not" : around
}

const wordFault = (name: string, known: Known, where: string): string => {
  if (known.has(name)) {
    return `Give the input \`${name}\` another name; that is a word of the language of expressions.`
  }
  return `Leave out \`${name}\` ${where}, a word without a meaning here; a choice is \`condition ? this : that\`.`
}

/** It names what it does not see; `known` are the names that it could, `seen` those it can name. */
export const nameFault = (
  { args: name, start }: Extract<ASTNode, { readonly op: "id" }>,
  known: Known,
  seen: ReadonlySet<string>,
  sees: string
): string => {
  if (known.has(name)) return wordFault(name, known, "")
  const names = [...seen]
  const meant = closestName(name, names)
  const hint = meant === undefined ? `It sees ${names.join(", ")}.` : `Did you mean ${meant}?`
  return `Name ${sees}, instead of \`${name}\` at character ${start + 1}. ${hint}`
}

/** Its parts do not fit together. */
export const typeFault = (text: string, { code, range, summary }: CelError): string => {
  const part = range === undefined ? "it" : `${quoted(text, range)} at character ${range.start + 1}`
  return code === "no_such_overload" || code === "no_matching_overload"
    ? `Correct ${part}: ${inOurs(summary)}. Values of one type go together; int(…) makes an INTEGER of a NUMBER, double(…) a NUMBER, string(…) a STRING.`
    : `Correct ${part}: ${inOurs(summary)}.`
}

/** It uses a part of CEL that products do not speak. */
export const foreignFault = (text: string, node: ASTNode, what: string): string =>
  `Leave out ${what} in ${quoted(text, node)} at character ${node.start + 1}. There are size, int, double, string, startsWith, endsWith, contains, \`in [...]\` and \`? :\`; see docs/products.md.`

const types = { int: "INTEGER", double: "NUMBER", bool: "BOOLEAN", string: "STRING" } as const

/** What the library says, with our names of its types. */
const inOurs = (summary: string): string =>
  // The pattern finds these four words alone.
  summary.replace(
    /\b(?:int|double|bool|string)\b(?!\()/gu,
    (type) => types[type as keyof typeof types]
  )

const longest = 40

const quoted = (text: string, { end, start }: SourceRange): string => {
  const part = text.slice(start, Math.max(end, start + 1))
  return `\`${part.length > longest ? `${part.slice(0, longest - 1)}…` : part}\``
}
