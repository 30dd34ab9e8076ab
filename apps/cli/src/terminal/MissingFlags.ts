/** Tells everything that a command lacks at once; its parser stops at the first. */
import { Effect, Layer, Stdio } from "effect"
import { CliError, CliOutput, type HelpDoc } from "effect/cli"

/** What a command takes. */
type Taken = Pick<
  HelpDoc.HelpDoc,
  "args" | "commandPath" | "flags" | "globalFlags" | "inheritedFlags"
>

type Missing = CliError.MissingArgument | CliError.MissingOption

/** The flags that were given, by any of their names, and what is left of the line beside them. */
const read = (doc: Taken, line: ReadonlyArray<string>) => {
  const known = [...doc.flags, ...(doc.inheritedFlags ?? []), ...(doc.globalFlags ?? [])]
  const given = new Set<string>()
  const operands: Array<string> = []
  for (let index = 0; index < line.length; index++) {
    const token = line[index]!
    if (token === "--") return { given, operands: [...operands, ...line.slice(index + 1)] }
    if (!token.startsWith("-") || token === "-") {
      operands.push(token)
      continue
    }
    const [name = "", value] = token.split("=", 2)
    const flag = known.find((one) => [`--${one.name}`, ...one.aliases].includes(name))
    if (flag === undefined) continue
    given.add(flag.name)
    const takesNext = flag.type !== "boolean" && !flag.type.startsWith("[=")
    if (takesNext && value === undefined) index++
  }
  return { given, operands }
}

/** What the line of a command at this path lacks: arguments first, then flags, as its help lists them. */
export const missing = (
  doc: Taken,
  path: ReadonlyArray<string>,
  line: ReadonlyArray<string>
): ReadonlyArray<Missing> => {
  const { given, operands } = read(doc, line)
  // The first name of the path is the program's, which is not part of its line.
  const values = operands.length - (path.length - 1)
  const args = (doc.args ?? []).filter(({ required }) => required).slice(Math.max(0, values))
  const flags = doc.flags.filter(({ name, required }) => required && !given.has(name))
  return [
    ...args.map(({ name }) => new CliError.MissingArgument({ argument: name })),
    ...flags.map(({ name }) => new CliError.MissingOption({ option: name }))
  ]
}

const isMissing = ({ _tag }: { readonly _tag: string }): boolean =>
  _tag === "MissingArgument" || _tag === "MissingOption"

const presenter = (line: ReadonlyArray<string>): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const { commandPath, errors, helpDoc } = event
    if (!errors.some(isMissing)) return CliOutput.defaultPresenter.present(event)
    const others = errors.filter((error) => !isMissing(error))
    const lacking = missing(helpDoc, commandPath, line)
    const all = lacking.length === 0 ? errors : [...others, ...lacking]
    return CliOutput.defaultPresenter.present({ ...event, errors: all })
  }
})

/** What shows help and faults of the line that the process was started with. */
export const layer = Layer.effect(
  CliOutput.Presenter,
  Stdio.Stdio.use(({ args }) => Effect.map(args, presenter))
)
