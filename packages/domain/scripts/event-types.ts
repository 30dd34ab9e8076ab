// Writes src/EventType.ts, the list of all kinds of events, from the constants `<area>Events` of the areas:
// node packages/domain/scripts/event-types.ts
import { globSync, readFileSync, writeFileSync } from "node:fs"

const src = new URL("../src/", import.meta.url)

const lists = globSync("*/*.ts", { cwd: src })
  .map((file) => ({
    file: file.replaceAll("\\", "/"),
    code: readFileSync(new URL(file, src), "utf8")
  }))
  .map(({ code, file }) => ({
    file,
    names: [...code.matchAll(/^export const (\w+Events) = \{/gmu)].map(([, name]) => name!)
  }))
  .filter(({ names }) => names.length > 0)
  .sort((one, other) => (one.file < other.file ? -1 : 1))

writeFileSync(
  new URL("EventType.ts", src),
  `/**
 * Every kind of event that may be recorded, by the name that rows have. A kind that is not listed does not
 * compile where it is written. \`pnpm generate\` writes this file.
 */
${lists.map(({ file, names }) => `import { ${names.join(", ")} } from "./${file}"`).join("\n")}

export const eventTypes = {
${lists.flatMap(({ names }) => names.map((name) => `  ...${name}`)).join(",\n")}
}

export type EventKind = keyof typeof eventTypes

/** The published name of a type of event, such as \`policy.stop_announced\`. */
export type EventName = (typeof eventTypes)[EventKind]["type"]

/** Every published name, area by area. */
export const eventNames: ReadonlyArray<EventName> = Object.values(eventTypes).map(
  ({ type }) => type
)
`
)
