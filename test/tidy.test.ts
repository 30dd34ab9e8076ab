/** Checks the rules of the house that a machine can check. */
import * as ContractRules from "@quittance/contract/api/ContractRules"
import { QuittanceApi } from "@quittance/contract/api/QuittanceApi"
import { migrations } from "@quittance/persistence/migrations"
import { assert, describe, it } from "@effect/vitest"
import * as path from "node:path"
import { apps, name, packages } from "./Homes.ts"
import { glob, read, type Source, sources } from "./Sources.ts"
import { withoutEffect } from "./WithoutEffect.ts"

const ours = sources("{packages,apps}/*/src/**/*.ts")
const tests = sources("{packages,apps}/*/test/**/*.ts")
const harnesses = sources("{bench,chaos,scripts}/**/*.ts")
const prose = ["README.md", ...glob("{docs,apps/*,packages/*}/*.md")]

/** Which of our packages each one may import; an app may import them all. */
const directions: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: [],
  pricing: ["domain"],
  billing: ["domain", "bank"],
  bank: ["domain", "identifiers"],
  auth: ["domain"],
  identifiers: ["domain"],
  documents: ["domain"],
  renderer: ["documents", "domain"],
  contract: ["domain"],
  http: ["contract", "domain"],
  outgoing: ["domain"],
  signatures: ["domain", "outgoing"],
  persistence: ["domain", "pricing", "billing", "auth"],
  operations: [
    "domain",
    "pricing",
    "billing",
    "bank",
    "auth",
    "identifiers",
    "documents",
    "outgoing",
    "persistence",
    "signatures"
  ],
  "embedded-postgres": ["domain", "persistence"],
  testing: ["domain", "persistence", "embedded-postgres"]
}

/** The packages that speak SQL: beside the one that has it all, those that start a server. */
const sqlPackages = new Set(["persistence", "embedded-postgres", "testing"])

/** What the packages without clock, service and database may import beside our own. */
const pureImports: Readonly<Record<string, RegExp>> = {
  domain: /^effect(\/|$)/,
  pricing: /^(effect(\/|$)|@marcbachmann\/cel-js$)/,
  billing: /^effect(\/|$)/,
  auth: /^(effect(\/|$)|(@simplewebauthn\/server|@zxcvbn-ts\/language-common|jose)$|node:(crypto|net)$)/,
  bank: /^(effect(\/|$)|(libxml2-wasm|saxes)$|node:crypto$)/,
  identifiers: /^(effect(\/|$)|(ibantools|libphonenumber-js|stdnum)$)/,
  documents: /^(effect(\/|$)|(file-type|mdast|mdast-util-from-markdown)$|node:(buffer|zlib)$)/
}

/** The unprivileged user of Unix systems, the one exception to the words below. */
const systemUser = /`nobody`|"nobody"|postgres or nobody|id of nobody/gu

/** `domain` of `@quittance/domain/Amount`. */
const packageOf = (specifier: string): string | undefined =>
  /^@quittance\/([^/]+)/.exec(specifier)?.[1]

/** Every place where a source breaks a rule; a passing rule finds none. */
const offences = (
  files: ReadonlyArray<Source>,
  find: (source: Source) => ReadonlyArray<string | number>
): ReadonlyArray<string> =>
  files.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`))

const matches = (pattern: RegExp) => (source: Source) =>
  source.code.split("\n").flatMap((text, index) => (pattern.test(text) ? [index + 1] : []))

describe("the rooms of the house", () => {
  it("finds the packages and apps to look at", () => {
    assert.includeMembers(packages.map(name), Object.keys(directions))
    assert.isAbove(ours.length, 200)
    assert.includeMembers(
      harnesses.map(({ path: file }) => path.posix.dirname(file)),
      ["bench", "chaos", "chaos/model", "chaos/versions"]
    )
  })

  it("knows the direction of every package", () => {
    assert.deepStrictEqual(packages.map(name).sort(), Object.keys(directions).sort())
  })

  it("lets packages import in one direction", () => {
    const wrong = offences(
      ours.filter(({ home }) => home.startsWith("packages/")),
      ({ home, imports }) =>
        imports.filter((specifier) => {
          const other = packageOf(specifier)
          return other !== undefined && !directions[name(home)]?.includes(other)
        })
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("lets no app import another, but the one that composes them", () => {
    const wrong = offences(
      ours.filter(({ home }) => home.startsWith("apps/") && home !== "apps/standalone"),
      ({ imports }) =>
        imports.filter((specifier) => apps.map(name).includes(packageOf(specifier) ?? ""))
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("lets no package depend on an app", () => {
    const appNames = new Set(apps.map((home) => `@quittance/${name(home)}`))
    const wrong = [...packages, ...apps.filter((home) => home !== "apps/standalone")].flatMap(
      (home) =>
        Object.keys(JSON.parse(read(`${home}/package.json`)).dependencies ?? {})
          .filter((dependency) => appNames.has(dependency))
          .map((dependency) => `${home} depends on ${dependency}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("keeps pure packages free of everything but data", () => {
    const wrong = offences(ours, ({ home, imports }) => {
      const allowed = home.startsWith("packages/") ? pureImports[name(home)] : undefined
      if (allowed === undefined) return []
      return imports.filter(
        (specifier) =>
          !specifier.startsWith(".") &&
          packageOf(specifier) === undefined &&
          !allowed.test(specifier)
      )
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("decides nothing in operations, which puts decisions and effects together", () => {
    const effectful = /Context\.Service|Layer\.|Effect\.|\bStream\./u
    const wrong = ours
      .filter(({ code, home }) => home === "packages/operations" && !effectful.test(code))
      .map(({ path }) => path.slice("packages/operations/src/".length))
    assert.deepStrictEqual(
      wrong.filter((file) => !(file in withoutEffect)),
      []
    )
    assert.includeMembers(wrong, Object.keys(withoutEffect))
  })

  it("keeps the rows of tables in persistence", () => {
    const row = /import (?:type )?\{[^}]*\b\w+Row\b[^}]*\} from "@quittance\/persistence/u
    const wrong = ours.filter(({ code, home }) => home !== "packages/persistence" && row.test(code))
    assert.deepStrictEqual(
      wrong.map(({ path }) => path),
      []
    )
  })

  it("writes SQL in one package", () => {
    const wrong = offences(
      ours.filter(({ home }) => !sqlPackages.has(name(home))),
      ({ imports }) => imports.filter((specifier) => /^(effect\/sql|@effect\/sql)/.test(specifier))
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("reaches another package by its name", () => {
    const wrong = offences(ours, (source) =>
      source.imports.filter(
        (specifier) =>
          specifier.startsWith(".") &&
          !path.posix
            .join(path.posix.dirname(source.path), specifier)
            .startsWith(`${source.home}/src/`)
      )
    )
    assert.deepStrictEqual(wrong, [])
  })
})

describe("the form of a source", () => {
  it("has at most 300 lines", () => {
    const lines = (text: string) => text.trimEnd().split("\n").length
    const files = [...ours, ...harnesses]
    assert.deepStrictEqual(
      offences(files, ({ text }) => (lines(text) > 300 ? [lines(text)] : [])),
      []
    )
  })

  it("has functions of at most 70 lines", () => {
    const wrong = offences(ours, ({ functions }) =>
      functions.filter(({ lines }) => lines > 70).map(({ line, lines }) => `${line} has ${lines}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("is named after its main export, and neither utils, helpers nor types", () => {
    const wrong = ours
      .map(({ path: file }) => file)
      .filter((file) => !file.includes("/migrations/"))
      .filter((file) => {
        const base = path.posix.basename(file, ".ts")
        return /^(utils?|helpers?|types?|index)$/i.test(base)
      })
    assert.deepStrictEqual(wrong, [])
  })

  it("takes time, randomness and configuration from services", () => {
    const banned = /\bprocess\.env\b|\bnew Date\(|\bDate\.now\(|\bMath\.random\(|\bconsole\./
    assert.deepStrictEqual(offences(ours, matches(banned)), [])
  })

  it("keeps the compiler's checks", () => {
    assert.deepStrictEqual(offences(ours, matches(/\bas any\b|:\s*any\b|<any>/)), [])
    const silenced = /@ts-(ignore|expect-error|nocheck)|oxlint-disable|eslint-disable/
    const wrong = [...ours, ...tests].filter(({ text }) => silenced.test(text))
    assert.deepStrictEqual(
      wrong.map(({ path: file }) => file),
      []
    )
  })

  it("says above every type assertion why it holds", () => {
    assert.deepStrictEqual(
      offences(ours, ({ bareAssertions }) => bareAssertions),
      []
    )
  })

  it("says they of people, in prose too", () => {
    const one = /\b(?:he|his|him|himself)\b/iu
    const files = [...[...ours, ...harnesses].map(({ path: file }) => file), ...prose]
    assert.deepStrictEqual(
      files.filter((file) => one.test(read(file))),
      []
    )
  })

  it("names who acts, and what is undone by its term", () => {
    const gap = String.raw`\s+(?:(?:\*|//)\s+)?`
    const vague = new RegExp(
      String.raw`\b(?:(?:no|some|any)body|whoever|cover${gap}rests|(?:lies?|lay)${gap}with` +
        String.raw`|(?:taken|took|takes?|taking)${gap}back|(?:given|gave|gives?|giving)${gap}up)\b`,
      "giu"
    )
    const files = [
      ...[...ours, ...tests, ...harnesses].map(({ path: file }) => file),
      ...glob("test/*.ts").filter((file) => file !== "test/tidy.test.ts"),
      ...prose,
      ...glob(".changeset/*.md")
    ]
    const wrong = files.flatMap((file) =>
      [...read(file).replaceAll(systemUser, "").matchAll(vague)].map(
        ([words]) => `${file}: ${words}`
      )
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("leaves nothing to do later", () => {
    const later = new RegExp(["TO", "DO|FIX", "ME|not implemented"].join(""))
    const wrong = [...ours, ...tests].filter(({ text }) => later.test(text))
    assert.deepStrictEqual(
      wrong.map(({ path: file }) => file),
      []
    )
  })
})

describe("tests", () => {
  it("all run", () => {
    const left = /\b(it|test|describe|layer)(\.\w+)*\.(skip|only|todo|fails)\b/
    assert.deepStrictEqual(offences(tests, matches(left)), [])
  })

  it("have as much time as `vitest.shared.ts` gives to all, or more", () => {
    const limits = /[)}],\n\s+(\d+0_000)\n\s*\)|\btimeout: ([\d_]+)/gu
    const short = tests.filter(({ text }) =>
      [...text.matchAll(limits)].some(
        ([, last, named]) => Number((last ?? named)!.replaceAll("_", "")) < 300_000
      )
    )
    assert.deepStrictEqual(
      short.map(({ path: file }) => file),
      []
    )
  })

  it("don't wait for time to pass", () => {
    assert.deepStrictEqual(offences(tests, matches(/\bsetTimeout\(|Effect\.sleep\(/)), [])
  })
})

describe("the contract", () => {
  it("has no route that lacks its annotations", () => {
    assert.deepStrictEqual(ContractRules.faults(QuittanceApi), [])
  })
})

describe("the database", () => {
  it("lists every migration once and in order", () => {
    const files = glob("packages/persistence/src/migrations/*.ts").map((file) =>
      path.posix.basename(file, ".ts")
    )
    assert.isNotEmpty(files)
    assert.deepStrictEqual(Object.keys(migrations), files)
  })
})
