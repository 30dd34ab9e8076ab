/** Writes the texts of a template with the values of a model, and remembers what can't be written. */
import type { TemplateCondition } from "@quittance/domain/documents/DocumentTemplate"
import { Result } from "effect"
import type { ComposedFlows, Run, Runs } from "./ComposedDocument.ts"
import { type Customs, formatted } from "./Formats.ts"
import { find, type Scope } from "./ModelValues.ts"
import { printable, unprintable } from "./PrintableText.ts"
import { spaced } from "./Spacing.ts"
import { type Flow, flows, line, type Piece, type Place } from "./TemplateMarkup.ts"

/** What stands against a document; each list names its places once. */
export interface WritingFaults {
  /** JSON pointers into the model, or the text of the template itself. */
  readonly unprintable: Set<string>
  /** The paths that the template names and the model lacks, or does not have in that format. */
  readonly missing: Set<string>
  /** What is wrong with a text of the template. */
  readonly markup: Set<string>
}

export interface TextWriter {
  readonly faults: WritingFaults
  /** A text in one line. */
  readonly line: (text: string, scope: Scope) => Runs
  /** Paragraphs and lists. */
  readonly flows: (text: string, scope: Scope) => ComposedFlows
  readonly holds: (when: TemplateCondition | undefined, scope: Scope) => boolean
}

export const textWriter = (customs: Customs): TextWriter => {
  const faults: WritingFaults = {
    unprintable: new Set(),
    missing: new Set(),
    markup: new Set()
  }

  const read = <A>(
    parse: (text: string) => Result.Result<ReadonlyArray<A>, ReadonlyArray<string>>
  ) => {
    const known = new Map<string, ReadonlyArray<A>>()
    return (text: string): ReadonlyArray<A> => {
      const before = known.get(text)
      if (before !== undefined) return before
      const parsed = Result.match(parse(text), {
        onFailure: (found) => {
          for (const fault of found) faults.markup.add(fault)
          return []
        },
        onSuccess: (parts) => parts
      })
      known.set(text, parsed)
      return parsed
    }
  }
  const [readLine, readFlows] = [read(line), read(flows)]

  const valueAt = ({ format, otherwise, path }: Place, scope: Scope): string => {
    const found = find(scope, path)
    const text = found === undefined ? undefined : formatted(found.value, format, customs)
    if (text === undefined) {
      if (found !== undefined || otherwise === undefined) faults.missing.add(path)
      return otherwise ?? ""
    }
    return clean(text, found?.pointer ?? path)
  }

  const clean = (text: string, where: string): string => {
    const shown = printable(text)
    if (unprintable(shown).length > 0) faults.unprintable.add(where)
    return shown
  }

  const runs = (pieces: ReadonlyArray<Piece>, scope: Scope): Runs =>
    joined(
      pieces.map(({ content, emphasis, strong }) => ({
        text: typeof content === "string" ? clean(content, content) : valueAt(content, scope),
        ...(strong ? { strong } : {}),
        ...(emphasis ? { emphasis } : {})
      }))
    ).map((run) => ({ ...run, text: spaced(run.text, customs.locale) }))

  const flowsOf = (found: ReadonlyArray<Flow>, scope: Scope): ComposedFlows =>
    found.map((flow) =>
      flow.kind === "paragraph"
        ? { kind: "paragraph", runs: runs(flow.pieces, scope) }
        : { ...flow, items: flow.items.map((item) => flowsOf(item, scope)) }
    )

  return {
    faults,
    line: (text, scope) => runs(readLine(text), scope),
    flows: (text, scope) => flowsOf(readFlows(text), scope),
    holds: (when, scope) => {
      if (when === undefined) return true
      const value = find(scope, when.path)?.value
      return "in" in when ? when.in.some((one) => one === value) : when.exists === has(value)
    }
  }
}

/** An empty list counts as none. */
const has = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Neighbours of one style as one piece, and none that is empty. */
const joined = (
  runs: ReadonlyArray<Run & { readonly strong?: true; readonly emphasis?: true }>
) => {
  const all: Array<Run> = []
  for (const run of runs) {
    const last = all.at(-1)
    if (run.text === "") continue
    if (last !== undefined && last.strong === run.strong && last.emphasis === run.emphasis) {
      all[all.length - 1] = { ...last, text: last.text + run.text }
    } else all.push(run)
  }
  return all
}
