import { defaultServerConditions } from "vite"
import { defineConfig, type ViteUserConfig } from "vitest/config"

const databaseSetup = new URL("./packages/testing/src/globalSetup.ts", import.meta.url).pathname

/** Those of Node: what a package has for bundlers alone, Node may not be able to load. */
const ofNode = defaultServerConditions.filter((condition) => condition !== "module")
const conditions = ["@quittance/source", ...ofNode]

/** The vitest configuration of every package; `database` starts a PostgreSQL for its run. */
export const testConfig = ({ database = false } = {}): ViteUserConfig =>
  defineConfig({
    ssr: { resolve: { conditions } },
    // What starts the database is resolved in an environment of its own.
    environments: { __vitest__: { resolve: { conditions } } },
    test: {
      include: ["**/*.test.ts"],
      reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
      globalSetup: database ? [databaseSetup] : [],
      maxWorkers: 2,
      // A worker imports each module once for all its files; tests change nothing that is outside them.
      isolate: false,
      // Ample: the slowest tests take seconds alone, and minutes where many runs share a machine.
      testTimeout: 300_000,
      hookTimeout: 300_000
    }
  })
