internal import LuaBindings
internal import Session
internal import Synchronization

/// The consoles that are made while a test runs, and what their stores hold.
package final class ConsoleWatch: Sendable {
  /// The watch of the test that runs.
  @TaskLocal package static var current: ConsoleWatch?

  /// Unchecked: a console is used by the task alone that has made it.
  private struct Entry: @unchecked Sendable {
    weak var console: Console?
    let task: Int?
  }

  private let entries = Mutex<[Entry]>([])

  /// Watches nothing yet.
  package init() {}

  func add(_ console: Console) {
    let entry = Entry(console: console, task: Self.task)
    entries.withLock { $0.append(entry) }
  }

  /// What the stores of the consoles of this task hold; and a pause, where one is possible.
  package func show(_ reason: String, file: String, line: Int) -> [String] {
    entries.withLock { $0 }.filter { $0.task == Self.task }.compactMap { entry in
      guard let console = entry.console else { return nil }
      let text = (try? console.storeText()) ?? "the store cannot be read now"
      try? console.pause(reason, file: file, line: line)
      return text
    }
  }

  private static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension Console {
  /// The number of objects of each entity, the first of them, and the unsaved changes.
  func storeText() throws -> String {
    let script = try running()
    let names = (script.engine.store?.model.entities ?? []).map(\.name)
    let lines = try names.map { name in
      let objects = "for _, object in ipairs(\(name):limit(5):fetch()) do print('  ' .. tostring(object)) end"
      return try script.evaluate("print('\(name): ' .. \(name):count()) \(objects)", [:]).text
    }
    let diffs = try script.engine.stores.pendingDiffs().map { DiffText().text($0) }
    return lines.joined() + (diffs.isEmpty ? "" : "unsaved:\n" + diffs.joined())
  }
}
