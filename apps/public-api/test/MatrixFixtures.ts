/** The fixtures of all areas: each file in `matrix/` is found by its place. */
import { readdirSync } from "node:fs"
import type { AreaFixtures } from "./MatrixFixture.ts"

const names = readdirSync(new URL("matrix", import.meta.url)).map((file) => file.slice(0, -3))

/** Each file of the folder. */
export const areaFixtures: ReadonlyArray<AreaFixtures> = await Promise.all(
  names.map((name): Promise<AreaFixtures> => import(`./matrix/${name}.ts`))
)

export const fixtures: AreaFixtures["fixtures"] = Object.assign(
  {},
  ...areaFixtures.map((area) => area.fixtures)
)

/** Identifiers that no tenant has, where they do not consist of a prefix and a suffix. */
export const missing: Readonly<Record<string, string>> = Object.assign(
  {},
  ...areaFixtures.map((area) => area.missing)
)
