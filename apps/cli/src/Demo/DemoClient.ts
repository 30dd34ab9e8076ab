import type { QuittanceClient } from "@quittance/contract/api/Client"

/** The typed client, under a name: written out, its type is longer than the compiler will write. */
export interface DemoClient extends Service {}

type Service = QuittanceClient["Service"]
