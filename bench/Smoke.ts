/**
 * `pnpm bench --smoke`: every benchmark in a form of seconds. It shows that none has rotted since the
 * code around it moved; its figures say nothing, so no bar is held against them.
 */
export const isSmoke = process.argv.includes("--smoke")

/** How much of something a benchmark takes, and how much of it shows that the benchmark still runs. */
export const sized = (full: number, smoke: number): number => (isSmoke ? smoke : full)
