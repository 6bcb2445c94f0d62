import Testing

@testable import Shell

/// Plots at a terminal that has little.
@Suite struct PlotScreenTests {
  private func start(_ environment: [String: String], columns: Int) throws -> PTYSession {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: ["-q", "--no-init", program.path("quakes.sqlite")],
      environment: program.environment.merging(environment) { $1 }, columns: columns, rows: 40)
    try session.expect("quakes> ")
    return session
  }

  /// What is printed for each kind of plot.
  private func plots(_ session: PTYSession) throws -> [[UInt8]] {
    try [
      "{x='magnitude'}", "{x='place',y='max(magnitude)',color='place'}", "{x='magnitude',y='magnitude',color='place'}",
      "{mark='area',x='magnitude'}", "{mark='box',x='place',y='magnitude'}", "{mark='rect',x='place',y='magnitude'}",
      "{x='magnitude',facet='place',yScale='log'}",
    ].enumerated().map { number, options in
      let start = session.output.count
      // The line is typed in two so that its echo is not what is waited for.
      session.send("show(plot(Quake, \(options))) print('e' .. 'nd \(number)')\r")
      try session.expect("end \(number)")
      return Array(session.output[start...].split(separator: UInt8(ascii: "\n")).dropFirst().joined(separator: [10]))
    }
  }

  @Test func aTerminalWithoutUTF8GetsPlotsInASCII() throws {
    for environment in [["LC_ALL": "C", "LANG": "C"], ["TERM": "dumb", "LC_ALL": "C"]] {
      for plot in try plots(try start(environment, columns: 80)) {
        #expect(plot.allSatisfy { $0 < 0x80 }, "\(String(decoding: plot, as: UTF8.self))")
      }
    }
  }

  @Test func colouredPlotsAreOnlyForThoseWhoWantThem() throws {
    func isColoured(_ plot: [UInt8]) -> Bool {
      String(decoding: plot, as: UTF8.self).contains(/\u{1B}\[[0-9;]*[1-9][0-9;]*m/)
    }
    let colours = ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    #expect(try plots(try start(colours, columns: 80)).allSatisfy(isColoured))
    for refusal in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let session = try start(colours.merging(refusal) { $1 }, columns: 80)
      // The prompt may have colours of its own; the lines of the plot are before it.
      for plot in try plots(session) { #expect(!isColoured(plot), "\(String(decoding: plot, as: UTF8.self))") }
    }
  }

  @Test func aPlotFitsAWindowOfFewColumns() throws {
    for columns in [20, 24, 31] {
      let session = try start(["LC_ALL": "C", "NO_COLOR": "1"], columns: columns)
      for plot in try plots(session) {
        let lines = String(decoding: plot, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The echo of the line, which the terminal wraps, comes first.
        let shown = lines.drop { !$0.contains("n = ") }
        #expect(!shown.isEmpty)
        for line in shown.prefix(while: { !$0.contains("end ") }) { #expect(line.count <= columns, "\(line)") }
      }
    }
  }
}
