import Foundation
import Modeling
import TestSupport
import Testing

/// The client of the Python package `mcp` understands the server, in both ways to begin.
@Suite struct ClientPackageTests {
  /// A Python that has the package: that of `PERILUNE_MCP_PYTHON`, or else the usual one; nil if neither has.
  static let python: String? = [ProcessInfo.processInfo.environment["PERILUNE_MCP_PYTHON"], "python3"]
    .compactMap(\.self).first { (try? run($0, ["-c", "from mcp import Client"]).status) == 0 }

  private static func run(_ python: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "60", python] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }

  private static let client = """
    import asyncio, json, sys
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def main(program, store, mode):
        server = StdioServerParameters(command=program, args=["mcp", "--write", store])
        async with Client(stdio_client(server), mode=mode) as client:
            seen = {"version": client.protocol_version}
            seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
            async def call(name, **arguments):
                result = await client.call_tool(name, arguments)
                return {"error": result.content[0].text} if result.is_error else result.structured_content
            seen["count"] = await call("ask", entity="Quake")
            seen["mistake"] = await call("find", entity="Quak")
            seen["script"] = await call("run", script="return Quake:count()")
            seen["proposal"] = await call("propose", script="Quake:find('us5').place = 'here'")
            seen["commit"] = await call("commit", proposal="p1")
            seen["undone"] = await call("undo", token=seen["commit"]["undo"])
            print(json.dumps(seen))

    asyncio.run(main(*sys.argv[1:]))
    """

  @Test(
    .enabled(if: python != nil, "no python3 has the package mcp; PERILUNE_MCP_PYTHON names one that has"),
    arguments: [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")])
  func everyToolIsCalled(mode: String, version: String) throws {
    let agent = try Agent()
    let python = try #require(Self.python)
    let (status, output) = try Self.run(python, ["-c", Self.client, BuiltProduct.perilune.path, agent.store, mode])
    try #require(status == 0)
    let seen = try JSON.parse(String(decoding: output, as: UTF8.self))
    #expect(seen["version"] == .string(version))
    #expect(seen["tools"]?.items.count == 11)
    #expect(seen["count"]?["rows"] == [[120]])
    #expect(seen["mistake"]?["error"]?.string?.contains("did you mean 'Quake'?") == true)
    #expect(seen["script"]?["values"] == [120])
    #expect(seen["proposal"]?["proposal"] == "p1")
    #expect(seen["undone"]?["updated"] == 1)
  }
}
