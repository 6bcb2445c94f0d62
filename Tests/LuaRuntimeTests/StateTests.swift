import LuaRuntime
import Testing

@Suite struct StateTests {
  @Test func aChunkRunsAndAnswers() throws {
    let state = try LuaState(memoryLimit: 16 << 20)
    defer { state.close() }
    try state.openStandardLibraries(sandboxed: true)
    try state.load("return 6 * 7", name: "=example")
    try state.stack.call(results: 1)
    #expect(state.stack.integer(at: -1) == 42)
  }
}
