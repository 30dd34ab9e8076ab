// Writes src/migrations.ts, the list of all migrations, from the files of their folder:
// node packages/persistence/scripts/migrations.ts
import { readdirSync, writeFileSync } from "node:fs"

const names = readdirSync(new URL("../src/migrations", import.meta.url))
  .map((file) => file.replace(/\.ts$/u, ""))
  .sort()

const local = (name: string) => `migration${name.slice(0, 4)}`

writeFileSync(
  new URL("../src/migrations.ts", import.meta.url),
  `${names.map((name) => `import ${local(name)} from "./migrations/${name}.ts"`).join("\n")}

/** Every migration in order; \`pnpm generate\` writes this list. A released migration is never edited. */
export const migrations = {
${names.map((name) => `  "${name}": ${local(name)}`).join(",\n")}
}
`
)
