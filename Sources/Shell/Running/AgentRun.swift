internal import AgentServer
internal import Glibc
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
    // Nothing else may write to the client, or read what it sends: scripts and libraries find empty streams.
    guard let input = Self.take(0, for: "/dev/null"), let stream = Self.take(1, for: "/dev/null") else {
      return surroundings.fail("standard input or output is closed", ExitStatus.inputOutput)
    }
    let output = OutputSink(descriptor: stream)
    do throws(ServerFailure) {
      try AgentServer(stores, writes: writes, hiding: hidden, limits: limits, output: output).serve(descriptor: input)
    } catch { return surroundings.fail(error.message, ExitStatus.noStore) }
    return output.failure?.exitStatus ?? ExitStatus.done
  }

  /// Gives a standard stream another number and puts a file in its place.
  private static func take(_ descriptor: Int32, for path: String) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return dup2(file, descriptor) >= 0 ? copy : nil
  }
}
