/** Ports for programs that are about to be started. */
import { assert, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { freePort } from "../src/FreePort.ts"

it("a free port can be listened on, and is none that a connection is given", async () => {
  const servers: Array<Server> = []
  const ports: Array<number> = []
  for (let n = 0; n < 50; n++) {
    const port = await freePort()
    const server = createServer().listen(port, "127.0.0.1")
    await once(server, "listening")
    servers.push(server)
    ports.push(port)
  }
  assert.lengthOf([...new Set(ports)], 50)
  assert.isTrue(ports.every((port) => port >= 10_240 && port < 32_768))
  for (const server of servers) server.close()
})
