internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// Records what a dry run would have written, from its beginning to its end.
package final class DryRunRecorder {
  private let console: Console
  private var engine: Engine { console.engine }
  /// The record of changes during a dry run; nil outside one.
  package private(set) var dryRun: DryRun?

  init(_ console: Console) {
    self.console = console
    engine.host.willSave = { [unowned self, unowned console] context, _ in
      guard let dryRun else { return nil }
      let done = dryRun.willSave(try context.diff())
      return { [console] failure in
        guard failure == nil else { return }
        done()
        if console.isAtPrompt { console.tell(Remark(.outcome, "saved for this dry run only")) }
      }
    }
    engine.host.writesFile = { [unowned self] path, replaces, bytes in
      try writeFile(path, replaces: replaces) {
        $0.write(bytes)
      } contents: {
        Quantity.bytes(bytes.count)
      }
    }
    engine.host.wouldWriteFile = { [unowned self] path in dryRun?.noteFile(path, "a copy of the store") }
    guard engine.options.isDryRun else { return }
    engine.host.didRehearseMigration = { [unowned console] store, report in
      let lines = report.description.split(separator: "\n").map { "  \($0)\n" }.joined()
      let refusal = report.losesUnasked ? "  it is refused without --migrate, or migrate = true\n" : ""
      console.tell(Remark(.report, "\(store.path) would be migrated:\n\(lines)\(refusal)"))
    }
    begin()
  }

  /// Starts recording all writes, to show them at the end.
  func begin() {
    dryRun = DryRun(engine, DiffText(style: console.layout.style, charset: console.layout.charset))
  }

  func end() { dryRun = nil }

  /// Writes a file that an export makes; with --dry-run only notes it, with `contents`.
  func writeFile(
    _ path: String, replaces: Bool, _ body: (OutputSink) throws -> Void, contents: () -> String = { "" }
  ) throws {
    guard engine.options.isDryRun, let dryRun else { return try AtomicFile.write(path, replaces: replaces, body) }
    try AtomicFile.rehearse(path, replaces: replaces, body)
    dryRun.noteFile(path, contents())
  }
}
