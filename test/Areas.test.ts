/** Holds the order of areas, in every layer, and of types too; each rule is seen to fail as well. */
import { assert, describe, it } from "@effect/vitest"
import * as path from "node:path"
import { areas, infrastructure, layers } from "./areas.ts"
import { glob, read, type Source, sources } from "./Sources.ts"

type File = Pick<Source, "path" | "imports">
type Code = Pick<Source, "path" | "imports" | "code">

const ours: ReadonlyArray<Code> = sources(`packages/{${layers.join(",")}}/src/**/*.ts`)

/** `{ layer: "domain", area: "policies" }` of a file; no area at a package's root. */
const placeOf = (file: string) => {
  const [, layer, area] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(file) ?? []
  return layer !== undefined && layers.includes(layer) ? { layer, area } : undefined
}

const isInfrastructure = (layer: string, folder: string): boolean =>
  infrastructure[layer]?.includes(folder) === true

/** The file that an import of another file means. */
const targetOf = (file: string, specifier: string): string => {
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier)
  return specifier.replace(/^@quittance\/([^/]+)\/(.+)$/u, "packages/$1/src/$2.ts")
}

/** Every import between areas, as `from area > to area`, and whether the table allows it. */
const edges = (files: ReadonlyArray<File>) =>
  files.flatMap(({ imports, path: file }) => {
    const from = placeOf(file)
    if (from?.area === undefined || isInfrastructure(from.layer, from.area)) return []
    const own = from.area
    return imports.flatMap((specifier) => {
      const target = targetOf(file, specifier)
      const to = placeOf(target)
      if (to?.area === undefined || to.area === own) return []
      const isBelow = isInfrastructure(to.layer, to.area)
      const isAllowed = isBelow ? to.layer !== "contract" : areas[own]?.includes(to.area) === true
      const text = `${file} -> ${target}`.replaceAll("packages/", "")
      return [{ edge: `${own} > ${to.area}`, isAllowed, isBelow, text }]
    })
  })

const against = (files: ReadonlyArray<File>): ReadonlyArray<string> =>
  [...new Set(edges(files).flatMap(({ isAllowed, text }) => (isAllowed ? [] : [text])))].sort()

/** Folders that are no area and nothing that the table names. */
const nameless = (files: ReadonlyArray<File>): ReadonlyArray<string> =>
  files.flatMap(({ path: file }) => {
    const place = placeOf(file)
    if (place?.area === undefined) return []
    return place.area in areas || isInfrastructure(place.layer, place.area) ? [] : [file]
  })

/** Folders with more files than one looks over at once. */
const crowded = (files: ReadonlyArray<File>): ReadonlyArray<string> =>
  [...Map.groupBy(files, ({ path: file }) => path.posix.dirname(file))]
    .filter(([folder, found]) => found.length > 25 && !folder.endsWith("/migrations"))
    .map(([folder]) => folder)

/** The lists of all areas: which files each has to import, and the files that it need not. */
const registries = [
  {
    lists: ["packages/persistence/src/migrations.ts"],
    members: ({ path: file }: Code) => /persistence\/src\/migrations\/\d/u.test(file),
    except: []
  },
  {
    lists: ["packages/domain/src/EventType.ts"],
    members: ({ path: file }: Code) => /domain\/src\/[^/]+\/\w+Events\.ts$/u.test(file),
    except: ["packages/domain/src/requests/RecordEvents.ts"]
  },
  {
    lists: ["packages/domain/src/PersonalData.ts"],
    members: ({ path: file }: Code) => /domain\/src\/.+\/\w+Data\.ts$/u.test(file),
    except: ["packages/domain/src/values/PersonalData.ts"]
  },
  {
    lists: ["packages/persistence/src/targets.ts"],
    members: ({ path: file }: Code) => /persistence\/src\/[^/]+\/\w+Targets\.ts$/u.test(file),
    except: ["packages/persistence/src/access/RecordTargets.ts"]
  },
  {
    lists: ["packages/contract/src/api/PublicApi.ts", "packages/contract/src/api/EdgeApi.ts"],
    members: ({ code }: Code) => code.includes("HttpApiGroup.make("),
    except: []
  },
  {
    // An area's errors and terms are carried by its group; those of areas without one are listed.
    lists: [
      ...ours.filter(({ code }) => code.includes("reference({")).map(({ path: file }) => file),
      "packages/contract/src/api/ReferenceTables.ts",
      "packages/contract/src/api/EdgeErrors.ts"
    ],
    members: ({ path: file }: Code) =>
      /contract\/src\/(?!api)[^/]+\/\w+(Errors|Terms)\.ts$/u.test(file),
    // Errors that many routes share, taken from the tables.
    except: ["packages/contract/src/policies/CommandErrors.ts"]
  }
]

/** Files that no list of their kind imports. */
const unlisted = (files: ReadonlyArray<Code>): ReadonlyArray<string> =>
  registries.flatMap(({ except, lists, members }) => {
    const listed = new Set(
      files
        .filter(({ path: file }) => lists.includes(file))
        .flatMap(({ imports, path: file }) => imports.map((specifier) => targetOf(file, specifier)))
    )
    return files
      .filter((file) => members(file) && !except.some((other) => other === file.path))
      .filter(({ path: file }) => !listed.has(file))
      .map(({ path: file }) => `${file}: add it to ${lists.at(0)}`)
  })

describe("areas", () => {
  it("stand in an order", () => {
    const names = Object.keys(areas)
    for (const [area, allowed] of Object.entries(areas)) {
      for (const other of allowed) {
        assert.isBelow(names.indexOf(other), names.indexOf(area), `${area} may import ${other}`)
        assert.include(names, other)
      }
    }
  })

  it("hold all files of their layers", () => {
    assert.isAbove(ours.length, 400)
    assert.deepStrictEqual(nameless(ours), [])
    assert.deepStrictEqual(nameless([{ path: "packages/domain/src/misc/X.ts", imports: [] }]), [
      "packages/domain/src/misc/X.ts"
    ])
  })

  it("import along their order", () => {
    assert.deepStrictEqual(against(ours), [])
  })

  it("are caught where they import against it, also by a type from another package", () => {
    const planted = (imports: ReadonlyArray<string>) =>
      against([{ path: "packages/operations/src/policies/X.ts", imports }])
    assert.deepStrictEqual(planted(["../products/Y.ts", "@quittance/persistence/sql/Sql"]), [])
    assert.deepStrictEqual(planted(["@quittance/domain/claims/Claim"]), [
      "operations/src/policies/X.ts -> domain/src/claims/Claim.ts"
    ])
    assert.deepStrictEqual(planted(["../worker/DueSteps.ts"]), [
      "operations/src/policies/X.ts -> operations/src/worker/DueSteps.ts"
    ])
  })

  it("use every import that the table allows them", () => {
    const used = new Set(edges(ours).map(({ edge }) => edge))
    const unused = Object.entries(areas).flatMap(([area, allowed]) =>
      allowed.flatMap((other) => (used.has(`${area} > ${other}`) ? [] : [`${area} > ${other}`]))
    )
    assert.deepStrictEqual(unused, [])
  })

  it("have folders that one looks over at once", () => {
    assert.deepStrictEqual(crowded(ours), [])
    const many = Array.from({ length: 26 }, (_, n) => ({ path: `a/${n}.ts`, imports: [] }))
    assert.deepStrictEqual(crowded(many), ["a"])
  })

  it("are in the lists of all areas", () => {
    assert.deepStrictEqual(unlisted(ours), [])
    for (const { except, members } of registries) {
      assert.isAbove(ours.filter(members).length, except.length + 3)
    }
    const planted = (path: string, code = "") => unlisted([...ours, { path, code, imports: [] }])
    assert.lengthOf(planted("packages/persistence/src/migrations/9999_create_claims.ts"), 1)
    assert.lengthOf(planted("packages/domain/src/claims/ClaimEvents.ts"), 1)
    assert.lengthOf(planted("packages/persistence/src/claims/ClaimTargets.ts"), 1)
    assert.lengthOf(planted("packages/contract/src/claims/ClaimTerms.ts"), 1)
    assert.lengthOf(planted("packages/contract/src/claims/ClaimErrors.ts"), 1)
    const group = "HttpApiGroup.make("
    assert.lengthOf(planted("packages/contract/src/claims/Claims.ts", group), 1)
  })

  it("describe each table in the data map", () => {
    const maps = ours.filter(({ path: file }) => /domain\/src\/.+\/\w+Data\.ts$/u.test(file))
    const isMapped = (table: string) =>
      maps.some(({ code }) => new RegExp(`^ {2}${table}: \\{`, "mu").test(code))
    const created = ours
      .filter(({ path: file }) => /persistence\/src\/migrations\/\d/u.test(file))
      .flatMap(({ code }) => [...code.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/gu)])
      .map(([, table]) => table!)
    assert.isAbove(created.length, 60)
    const unmapped = created
      .filter((table) => !isMapped(table))
      .map((table) => `describe \`${table}\` in <area>Data of domain/src/<area>/<Area>Data.ts`)
    assert.deepStrictEqual(unmapped, [])
    assert.isFalse(isMapped("stray"))
  })

  it("are added by a recipe that edits at most seven files", () => {
    const recipe = read("docs/adding-an-area.md")
    const edited = recipe.split("## The files that an area edits")[1]!.split("\n## ")[0]!
    const files = [...edited.matchAll(/^\| `([^`]+)`/gmu)].map(([, file]) => file!)
    assert.isAtMost(files.length, 7)
    assert.isAtLeast(files.length, 5)
    for (const file of files) assert.lengthOf(glob(file), 1, file)
  })
})
