// Writes src/PersonalData.ts, the data map of the whole schema, from the constants `<area>Data` of the areas:
// node packages/domain/scripts/personal-data.ts
import { globSync, readFileSync, writeFileSync } from "node:fs"

const src = new URL("../src/", import.meta.url)

const lists = globSync("*/**/*Data.ts", { cwd: src })
  .map((file) => file.replaceAll("\\", "/"))
  .flatMap((file) =>
    [...readFileSync(new URL(file, src), "utf8").matchAll(/^export const (\w+Data) = \{/gmu)].map(
      ([, name]) => ({ file, name: name! })
    )
  )
  .sort((one, other) => (one.file < other.file ? -1 : 1))

writeFileSync(
  new URL("PersonalData.ts", src),
  `/**
 * The data map: each column of each table, with what it holds about a person. A test holds it against the
 * catalogue of a migrated database. \`pnpm generate\` writes this file.
 */
${lists.map(({ file, name }) => `import { ${name} } from "./${file}"`).join("\n")}
import type { DataMap } from "./values/PersonalData.ts"

/** Every table, by the file that describes it. */
export const dataMaps: Readonly<Record<string, DataMap>> = {
${lists.map(({ file, name }) => `  "${file}": ${name}`).join(",\n")}
}
`
)
