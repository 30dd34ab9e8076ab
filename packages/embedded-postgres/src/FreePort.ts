/** A port for a program that is about to be started. */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import * as net from "node:net"

/**
 * One of 127.0.0.1 that nothing listens on at the moment. It lies below the ports that systems give to
 * the near end of connections (32768 to 60999 on Linux): such a one is often gone by the time that a
 * program comes to listen on it.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_240, 32_768)
    if (await isFree(port)) return port
  }
  throw new Error("A hundred ports between 10240 and 32767 were in use, one after the other.")
}

const isFree = async (port: number): Promise<boolean> => {
  const server = net.createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return false
  }
  server.close()
  await once(server, "close")
  return true
}
