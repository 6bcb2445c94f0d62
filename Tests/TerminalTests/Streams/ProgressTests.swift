import Testing

@testable import Terminal

struct ProgressTests {
  @Test func progressAppearsAfterASecondAndLeavesACleanLine() {
    var time = 0.0
    var written: [String] = []
    let options = Progress.Options(isEnabled: true, now: { time }, write: { written.append($0) })
    let progress = Progress("import books.csv", total: 1_000_000, unit: "rows", options: options)
    progress.update(256)
    #expect(written.isEmpty)
    time = 2
    progress.update(512_000)
    #expect(written == ["\rimport books.csv  ████████▏         51 %  512k/1.0M rows  256k/s  ETA 0:02\u{1B}[K"])
    progress.update(512_001)
    #expect(written.count == 1, "no more than ten lines a second")
    progress.finish()
    #expect(written.last == "\r\u{1B}[K")
  }

  @Test func progressIsSilentWhereThereIsNoTerminal() {
    var time = 0.0
    var written = 0
    let options = Progress.Options(isEnabled: false, now: { time }, write: { _ in written += 1 })
    let progress = Progress("x", total: nil, unit: "rows", options: options)
    time = 100
    progress.update(1_024)
    progress.finish()
    #expect(written == 0)
  }
}
