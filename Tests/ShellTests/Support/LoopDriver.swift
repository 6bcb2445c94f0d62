import Foundation
import TestSupport
import Testing

import func Modeling.monotonicSeconds

@testable import Presentation
@testable import Session
@testable import Shell
@testable import Terminal

/// The loop on the terminal of this process, with an evaluator that plays Lua.
///
/// PTY tests start this test bundle again with PERILUNE_LOOP_DRIVER set, so that only this runs; it never returns.
@Test(.enabled(if: ProcessInfo.processInfo.environment["PERILUNE_LOOP_DRIVER"] != nil))
func loopDriver() {
  LoopDriver().run()
}

/// `print X`, `sleep S`, `fail`, `change`, `every S N` and `partial S`; a block opened by `do` goes on until `end`.
private final class LoopDriver {
  /// How to start this test bundle so that it drives the loop.
  static let command = [
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "",
    "--testing-library", "swift-testing", "--filter", "loopDriver",
  ]

  private let environment = ProcessInfo.processInfo.environment
  private let output = OutputSink(descriptor: 1)
  private var changes = 0
  private var ticks: [(due: Double, text: String)] = []
  private var editor: (any LineEditor)?
  private var registry = CommandRegistry(commands: [])

  func run() -> Never {
    // Tests run on threads of Dispatch, which hold signals back.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    TerminalSignals.install([.interrupt])
    let folder = HistoryStore.standardFolder(environment)
    let history = History(keeper: folder.flatMap { try? HistoryStore(folder: $0).keeper { "" } })
    let sources = EventSources(
      secondsToNextTimer: { [self] in ticks.first.map { $0.due - monotonicSeconds() } },
      runTurn: { [self] _ in runTimers() })
    let editor = ReadlineEditor(
      history: history, sources: sources, environment: environment, style: Style(enabled: false),
      isAtLineStart: { [output] in output.isAtLineStart })
    self.editor = editor
    output.willWrite = { editor.hidePrompt() }
    let context = ShellContext(
      settings: ShellSettings(mode: .table), print: { [self] in say($0) },
      readScript: { (path) throws(CommandFailure) in throw .unreadableFile(path: path, errno: ENOENT) }, quit: {})
    registry = .withHistory(editor.history)
    let loop = ReadEvalPrintLoop(editor: editor, session: session, registry: registry, context: context)
    let status = loop.run()
    say("bye \(status)\n")
    exit(status + 7)
  }

  private var session: ReadEvalPrintLoop.Actions {
    ReadEvalPrintLoop.Actions(
      prompt: { [self] in "\u{1B}[1mlib\(changes > 0 ? "*\(changes)" : "")\u{1B}[0m> " },
      continuationPrompt: { "\u{1B}[2m\($0)\u{1B}[0m>> " },
      completeness: { text in
        let words = text.split { $0.isWhitespace }
        return words.count { $0 == "do" } > words.count { $0 == "end" } ? .incomplete : .complete
      },
      completions: { [registry] text, cursor in
        text.first == "." ? registry.completions(text, at: cursor) : Self.completions(text, cursor)
      },
      evaluate: { [self] text, _ in evaluate(text) },
      help: { [self] in say("help on \($0)\n") },
      unsavedChangeCount: { [self] in changes },
      save: { [self] in
        say("saved\n")
        return true
      },
      report: { [self] in say(DiagnosticText().terminal($0)) },
      hasExited: { false }, stay: {}, remark: { [self] in say($0) })
  }

  private static func completions(_ text: String, _ cursor: Int) -> Completions {
    let before = String(decoding: Array(text.utf8.prefix(cursor)), as: UTF8.self)
    let word = before.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    let names: [(String, String)] = [("magnitude", "Double"), ("place", "String"), ("placeholder", "String")]
    let found = names.filter { $0.0.hasPrefix(word) }.map { Completions.Candidate($0.0, $0.1) }
    return Completions(start: cursor - word.utf8.count, candidates: found, appendCharacter: " ")
  }

  private func evaluate(_ text: String) -> Int32 {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let numbers = words.dropFirst().first?.split(separator: " ").compactMap { Double($0) } ?? []
    switch words[0] {
    case "print": say((words.count > 1 ? words[1] : "") + "\n")
    case "write": say(words[1])
    case "fail": return 1
    case "change": changes += 1
    case "every":
      for index in 1...Int(numbers[1]) {
        ticks.append((monotonicSeconds() + numbers[0] * Double(index), "tick \(index)\n"))
      }
    case "partial": ticks.append((monotonicSeconds() + numbers[0], "no newline"))
    case "sleep":
      say("asleep\n")
      let end = monotonicSeconds() + numbers[0]
      while monotonicSeconds() < end, !TerminalSignals.take(.interrupt) { usleep(5_000) }
      say(monotonicSeconds() < end ? "stopped\n" : "slept\n")
    default: say("<\(text.replacing("\n", with: "|"))>\n")
    }
    return 0
  }

  private func runTimers() {
    while let tick = ticks.first, tick.due <= monotonicSeconds() {
      ticks.removeFirst()
      say(tick.text)
    }
  }

  private func say(_ text: String) {
    output.write(text)
    output.flush()
  }
}

/// The loop driver on a terminal of its own, with an empty home of its own; started by a shell if one is named.
func loopSession(
  home: String? = nil, columns: Int = 80, shell: String? = nil, environment: [String: String] = [:]
) throws -> PTYSession {
  let home = try home ?? temporaryFolder()
  var variables = ["TERM": "xterm", "HOME": home, "PERILUNE_LOOP_DRIVER": "1", "INPUTRC": "/dev/null"]
  if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] { variables["LD_LIBRARY_PATH"] = path }
  let session = try PTYSession(
    executable: shell ?? LoopDriver.command[0],
    arguments: shell == nil ? Array(LoopDriver.command.dropFirst()) : ["--norc", "--noprofile", "-i"],
    environment: variables.merging(environment) { $1 }, columns: columns)
  if shell != nil {
    try session.expect("$ ")
    session.send(LoopDriver.command.joined(separator: " ") + "\r")
  }
  try session.expect("lib> ")
  return session
}

/// A new folder for one test.
func temporaryFolder() throws -> String {
  let path = TemporaryFolder.ofThisRun.path + "/perilune-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}
