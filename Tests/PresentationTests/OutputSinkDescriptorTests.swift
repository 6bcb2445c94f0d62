import Glibc
import Testing

@testable import Presentation

struct OutputSinkDescriptorTests {
  @Test func aClosedPipeIsAFactAndStopsTheExport() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    let sink = OutputSink(descriptor: ends[1], capacity: 64)
    var asked = 0
    let source = GeneratedRows(count: 1_000_000) { asked = $0 }
    #expect(throws: OutputFailure.brokenPipe) {
      try OutputMode.csv.renderer.render(source, to: sink, options: RenderOptions())
    }
    #expect(asked < 100)
    close(ends[1])
  }

  @Test func aFullDiskIsReportedWithItsNumber() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    let sink = OutputSink(descriptor: descriptor)
    sink.write("x")
    sink.flush()
    #expect(throws: OutputFailure.system(errno: ENOSPC)) { try sink.checkpoint() }
    close(descriptor)
  }

  /// Numbered rows that tell how many were asked for.
  final class GeneratedRows: TabularSource {
    let columns = [TabularColumn("n")]
    private let count: Int
    private var position = 0
    private let tell: (Int) -> Void

    init(count: Int, tell: @escaping (Int) -> Void) {
      self.count = count
      self.tell = tell
    }

    func next() -> [Cell]? {
      guard position < count else { return nil }
      position += 1
      tell(position)
      return [.integer(Int64(position))]
    }
  }
}
