/** Looks up the addresses of a name. */
import { Context } from "effect"
import { lookup } from "node:dns/promises"

/** All addresses of a name, in the order in which they are to be tried; rejected where it has none. */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>

/** The machine's own resolver, with its `hosts` file, unless a test has another. */
export const Resolver = Context.Reference<Resolve>("@quittance/outgoing/Resolver", {
  defaultValue: () => async (name) =>
    (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address)
})
