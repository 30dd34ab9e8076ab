/** What a deployment says to the programs, and what they say of one that is careless. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { parse } from "yaml"
import { folder, Program } from "./Program.ts"
import { glob, read, sources } from "./Sources.ts"

const apart = [
  "public-api",
  "anonymous-session-edge",
  "authorization-server",
  "billing-worker",
  "dispatcher"
]

/** The variables that programs read. */
const variables = new Set(
  sources("{packages,apps}/*/src/**/*.ts").flatMap(({ code }) =>
    [...code.matchAll(/"([A-Z][A-Z]+(?:_[A-Z]+)*)"/g)]
      .filter(({ index }) =>
        /(?:Config|Settings|DatabaseAddress)\.[^"]*$/.test(
          code.slice(Math.max(0, index - 60), index)
        )
      )
      .map(([, variable]) => variable)
  )
)

interface Service {
  readonly build?: { readonly context: string; readonly args: { readonly APP: string } }
  readonly image?: string
  readonly command?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly ports?: ReadonlyArray<string>
}

const services: Readonly<Record<string, Service>> = parse(read("compose.yaml"), {
  merge: true
}).services

/** The stages of the Dockerfile by their names; the last one, which is built, has none. */
const stages = new Map(
  read("Dockerfile")
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((text) => {
      const [, from, name = ""] = /^FROM (\S+)(?: AS (\S+))?/.exec(text)!
      return [name, { from: from!, text }] as const
    })
)

/** What a stage sets, with what it is made from. */
const environmentOf = (name: string): ReadonlyArray<string> => {
  const stage = stages.get(name)
  if (stage === undefined) return []
  const own = [...stage.text.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs]) => pairs!.split(" "))
  return [...environmentOf(stage.from), ...own]
}

describe("the compose file", () => {
  it("starts every app that serves apart, and migrates before", () => {
    assert.sameMembers(Object.keys(services), ["database", "migrate", ...apart])
    for (const app of apart) {
      const service = services[app]!
      assert.strictEqual(service.build?.args.APP, app)
      assert.strictEqual(
        service.depends_on?.["migrate"]?.condition,
        "service_completed_successfully"
      )
    }
    assert.deepStrictEqual(services["migrate"]?.command, ["admin", "migrate"])
    assert.strictEqual(services["migrate"]?.depends_on?.["database"]?.condition, "service_healthy")
  })

  it("builds images that the Dockerfile has, and listens on loopback", () => {
    for (const { build, ports = [] } of Object.values(services)) {
      if (build !== undefined) assert.isTrue(stages.has(build.args.APP), build.args.APP)
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:8080$/)
    }
  })

  it("sets what programs read and production needs, and nothing else", () => {
    for (const app of ["migrate", ...apart]) {
      const names = Object.keys(services[app]?.environment ?? {})
      assert.deepStrictEqual(
        names.filter((name) => !variables.has(name)),
        []
      )
      assert.includeMembers(names, [
        "ENVIRONMENT",
        "DATABASE_URL",
        "AUTH_URL",
        "BASE_URL",
        "KEY_ENCRYPTION_KEY"
      ])
      assert.strictEqual(services[app]?.environment?.["ENVIRONMENT"], "production")
    }
  })
})

describe("the images", () => {
  it("are one of each app", () => {
    const named = glob("apps/*/package.json").map((file) => file.split("/")[1]!)
    assert.sameMembers(
      [...stages.keys()].filter((name) => named.includes(name)),
      named
    )
    assert.deepStrictEqual(stages.get("")?.from, "${APP}")
  })

  it("are of production, set what programs read, and show no metrics outside", () => {
    for (const app of ["standalone", ...apart]) {
      const set = environmentOf(app)
      assert.include(set, "ENVIRONMENT=production", app)
      const names = set.map((pair) => pair.split("=", 1)[0]!).filter((name) => name !== "NODE_ENV")
      assert.deepStrictEqual(
        names.filter((name) => !variables.has(name)),
        []
      )
      assert.notInclude(names, "MANAGEMENT_HOST")
    }
  })

  it("run as a user without rights", () => {
    for (const app of ["cli", "standalone", ...apart]) {
      assert.strictEqual(/^USER (.*)$/m.exec(stages.get(app)!.text)?.[1], "node", app)
    }
  })
})

const production = {
  ENVIRONMENT: "production",
  AUTH_URL: "https://{tenant}.auth.example.com",
  BASE_URL: "https://api.example.com",
  KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url")
}
const nowhere = "postgres://quittance:topsecret@127.0.0.1:1/quittance"

const refusal = async (app: string, env: Readonly<Record<string, string>>) => {
  const { code, stderr, stdout } = await new Program(app, [], env).finished()
  assert.strictEqual(code, 1, stdout)
  assert.notInclude(stderr + stdout, "topsecret")
  assert.notMatch(stderr + stdout, /^ +at /m, "no trace")
  return stderr.trim()
}

describe("a program with a wrong variable", () => {
  it.each([
    ["public-api", { DATABASE_URL: nowhere }, "ENVIRONMENT"],
    [
      "authorization-server",
      { ...production, DATABASE_URL: "postgres://a:topsecret@b:x/c" },
      "DATABASE_URL"
    ],
    [
      "anonymous-session-edge",
      { ...production, DATABASE_URL: `${nowhere}?ssl=true` },
      "DATABASE_URL"
    ],
    [
      "billing-worker",
      { ...production, DATABASE_URL: nowhere, DATABASE_POOL: "0" },
      "DATABASE_POOL"
    ],
    ["public-api", { ...production }, "DATABASE_URL"],
    [
      "dispatcher",
      { ...production, DATABASE_URL: nowhere, DATABASE_STATEMENT_TIMEOUT: "soon" },
      "DATABASE_STATEMENT_TIMEOUT"
    ],
    ["standalone", { ENVIRONMENT: "sandbox", PRODUCTS_DIR: "/nowhere" }, "PRODUCTS_DIR"],
    ["standalone", { ENVIRONMENT: "sandbox", DATA_DIR: "/proc/nowhere" }, "DATA_DIR"]
  ] as const)("says so in one sentence, and ends: %s, %o", async (app, env, variable) => {
    const said = await refusal(app, { PORT: "0", MANAGEMENT_PORT: "0", ...env })
    assert.match(said, new RegExp(`^The variable ${variable} is missing or wrong: expected .*\\.$`))
  })
})

describe("production and a sandbox", () => {
  it("don't serve each other's data", async () => {
    const env = { DATA_DIR: await folder(), PORT: String(await freePort()) }
    const sandbox = new Program("standalone", [], env)
    await sandbox.says("Ctrl+C stops it")
    await sandbox.stopped("SIGTERM")
    const said = await refusal("standalone", { ...env, ...production })
    assert.include(said, "tenants of a sandbox")
    assert.include(said, "`quittance admin tenants remove acme`")
  })
})
