/** A collector of telemetry that takes whatever it is sent, and costs little beside who sends it. */
import { createServer } from "node:http"

createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end())
}).listen(Number(process.env["PORT"]), "127.0.0.1")

process.on("SIGTERM", () => process.exit(0))
