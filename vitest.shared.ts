import { defaultServerConditions } from "vite"
import { defineConfig, type ViteUserConfig } from "vitest/config"

const databaseSetup = new URL("./packages/persistence/src/testing/globalSetup.ts", import.meta.url)
  .pathname

/** The vitest configuration of every package; `database` starts a PostgreSQL for its run. */
export const testConfig = ({ database = false } = {}): ViteUserConfig =>
  defineConfig({
    ssr: { resolve: { conditions: ["@quittance/source", ...defaultServerConditions] } },
    test: {
      include: ["**/*.test.ts"],
      reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
      globalSetup: database ? [databaseSetup] : [],
      maxWorkers: 2,
      // Ample: the slowest tests take seconds alone, and minutes where many runs share a machine.
      testTimeout: 300_000,
      hookTimeout: 300_000
    }
  })
