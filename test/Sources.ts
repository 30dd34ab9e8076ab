/** The repository's files and their syntax, as the tidy test looks at them. */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { parseSync } from "vite"

export const root = path.join(import.meta.dirname, "..")

/** A node of the syntax tree (ESTree with TypeScript's nodes): its fields depend on its type. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Source {
  /** From the root, with slashes. */
  readonly path: string
  /** `packages/domain`, `apps/cli`, … */
  readonly home: string
  readonly text: string
  /** The text with every comment blanked, so that prose is not taken for code. */
  readonly code: string
  /** What it imports, as it is written. */
  readonly imports: ReadonlyArray<string>
  readonly functions: ReadonlyArray<{ readonly line: number; readonly lines: number }>
  /** The lines of type assertions that no comment stands closely above. */
  readonly bareAssertions: ReadonlyArray<number>
}

export const read = (file: string): string => readFileSync(path.join(root, file), "utf8")

export const glob = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" })
    .map((file) => file.replaceAll("\\", "/"))
    .sort()

/** The files that git keeps. */
export const trackedFiles = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "")

export const sources = (pattern: string): ReadonlyArray<Source> => glob(pattern).map(parse)

const parse = (file: string): Source => {
  const text = read(file)
  const { comments, tree } = syntaxOf(file, text)
  const lineOf = lineFinder(text)
  const blocks = comments.map(({ end, start }) => ({ start: lineOf(start), end: lineOf(end) }))
  const code = comments.reduce(
    (left, { end, start }) =>
      left.slice(0, start) + blank(left.slice(start, end)) + left.slice(end),
    text
  )
  return {
    path: file,
    home: file.split("/").slice(0, 2).join("/"),
    text,
    code,
    imports: importsOf(tree),
    functions: functionsOf(tree, lineOf),
    bareAssertions: assertionsOf(tree)
      .map((node) => ({ statement: lineOf(node.statement.start), line: lineOf(node.end) }))
      .filter(({ line, statement }) =>
        blocks.every(({ end }) => end < Math.min(statement - 1, line - 5) || end > line)
      )
      .map(({ line }) => line)
  }
}

/** The syntax tree of a text, and where its comments are. */
export const syntaxOf = (
  file: string,
  text: string
): {
  readonly tree: Node
  readonly comments: ReadonlyArray<{ readonly start: number; readonly end: number }>
} => {
  const { comments, errors, program } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  // Each node of the library's tree has these fields; its type lists every kind apart.
  return { comments, tree: program as unknown as Node }
}

const blank = (comment: string): string => comment.replaceAll(/[^\n]/g, " ")

const lineFinder = (text: string) => {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (offset: number): number => {
    const line = ends.findIndex((end) => end >= offset)
    return (line === -1 ? ends.length : line) + 1
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

export const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

const importsOf = (node: Node): ReadonlyArray<string> => {
  const from = /^(Import|Export(All|Named)?)(Declaration|Expression)$/.test(node.type)
    ? node["source"]
    : undefined
  const own = isNode(from) && typeof from["value"] === "string" ? [from["value"]] : []
  return [...own, ...childrenOf(node).flatMap(importsOf)]
}

const isFunction = ({ type }: Node): boolean =>
  type === "FunctionDeclaration" ||
  type === "FunctionExpression" ||
  type === "ArrowFunctionExpression"

/**
 * Every function with its own length. A function in it that has a name is judged alone and does not
 * count again: the constructor of a service is a list of such functions and little else.
 */
const functionsOf = (tree: Node, lineOf: (offset: number) => number) => {
  const found: Array<{ line: number; lines: number }> = []
  const span = (node: Node) => lineOf(node.end) - lineOf(node.start) + 1

  /** The lines below a node that belong to functions with a name. */
  const visit = (node: Node, named: boolean): number => {
    const isNamed = named || node.type === "VariableDeclarator" || node.type === "Property"
    const inner = (within: boolean) =>
      childrenOf(node).reduce((sum, child) => sum + visit(child, within), 0)
    if (!isFunction(node)) return inner(isNamed)
    const lines = span(node) - inner(false)
    found.push({ line: lineOf(node.start), lines })
    return named || node.type === "FunctionDeclaration" ? span(node) : span(node) - lines
  }
  visit(tree, false)
  return found
}

/** Type assertions, but for `as const`, each with the statement or member that it stands in. */
const assertionsOf = (tree: Node) => {
  const found: Array<{ end: number; statement: Node }> = []
  const visit = (node: Node, statement: Node) => {
    const within = /Statement$|Declaration$|^(Property|MethodDefinition)$/.test(node.type)
      ? node
      : statement
    if (node.type === "TSAsExpression" && !isConst(node["typeAnnotation"])) {
      found.push({ end: node.end, statement: within })
    }
    for (const child of childrenOf(node)) visit(child, within)
  }
  visit(tree, tree)
  return found
}

const isConst = (annotation: unknown): boolean =>
  isNode(annotation) &&
  annotation.type === "TSTypeReference" &&
  isNode(annotation["typeName"]) &&
  annotation["typeName"]["name"] === "const"
