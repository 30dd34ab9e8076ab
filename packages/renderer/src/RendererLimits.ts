/** What a renderer's process may take of the machine; programs keep the defaults, tests have less. */
import { Context } from "effect"

export interface Limits {
  /** How long one document may take, in milliseconds; then its process is ended. */
  readonly time: number
  /** Resident memory, in bytes: a process that ends a document with more is replaced, since it only grows. */
  readonly memory: number
  /** Resident memory, in bytes: a process that has more in the middle of a document is ended. */
  readonly memoryOfOne: number
  /** A process is replaced after so many documents. */
  readonly documents: number
}

const mebibyte = 1024 * 1024

export const RendererLimits = Context.Reference<Limits>("@quittance/renderer/RendererLimits", {
  defaultValue: () => ({
    time: 10_000,
    memory: 512 * mebibyte,
    memoryOfOne: 1024 * mebibyte,
    documents: 500
  })
})
