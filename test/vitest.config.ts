import { mergeConfig } from "vitest/config"
import { testConfig } from "../vitest.shared.ts"

// Its tests start whole programs, on a machine that may be busy with everything else.
export default mergeConfig(testConfig({ database: true }), { test: { testTimeout: 600_000 } })
