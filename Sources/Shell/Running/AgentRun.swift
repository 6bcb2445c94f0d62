internal import AgentServer
internal import Presentation
internal import Session

/// `perilune mcp`: serves stores to an agent on standard input and output.
package struct AgentRun: ProgramRun {
  package var options: RunOptions
  private let stores: [String]
  private let writes: Bool
  private let hidden: [String]

  package init(_ stores: [String], writes: Bool, hiding hidden: [String], _ options: RunOptions) {
    (self.stores, self.writes, self.hidden, self.options) = (stores, writes, hidden, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    var limits = ServerLimits()
    limits.seconds = options.timeout ?? limits.seconds
    limits.memory = options.memoryLimit ?? limits.memory
    guard let streams = ProtocolStreams() else {
      return surroundings.fail("standard input or output is closed", ExitStatus.inputOutput)
    }
    let output = OutputSink(descriptor: streams.output)
    do throws(ServerFailure) {
      try AgentServer(stores, writes: writes, hiding: hidden, limits: limits, output: output).serve(
        descriptor: streams.input)
    } catch { return surroundings.fail(error.message, ExitStatus.noStore) }
    return output.failure?.exitStatus ?? ExitStatus.done
  }
}
