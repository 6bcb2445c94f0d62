internal import Glibc
internal import Modeling
internal import Presentation
internal import RemoteConsole
internal import Session
internal import Terminal

/// `perilune attach`: the prompt of a console in another program.
package struct AttachRun: ProgramRun {
  package var options: RunOptions
  private let path: String
  /// Why the person attaches; nil asks at a terminal where the console wants it.
  private let reason: String?

  package init(_ path: String, reason: String?, _ options: RunOptions) {
    (self.path, self.reason, self.options) = (path, reason, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    if surroundings.isInteractive { surroundings.watchTerminal() }
    let tokens = surroundings.isInteractive ? SessionTokens(path, surroundings.environment) : nil
    let remote: RemoteSession
    do throws(AttachFailure) {
      remote = try RemoteSession(path, surroundings, mode: options.mode, reason: reason, tokens: tokens?.lost ?? [])
    } catch { return surroundings.fail(error.message, error.status) }
    let isResumed = remote.welcome.token.map { tokens?.keep($0) ?? false } ?? false
    let status = surroundings.isInteractive ? prompt(remote, surroundings, isResumed) : runStandardInput(remote)
    if let loss = remote.loss { return surroundings.fail(loss, ExitStatus.unavailable) }
    // The end of the input may be that of the terminal, which a person has not left.
    if surroundings.isInteractive, isatty(STDIN_FILENO) == 1 {
      remote.leave()
      tokens?.forget()
    }
    return status
  }

  /// Runs standard input as one chunk, or line by line if it has dot commands.
  private func runStandardInput(_ remote: RemoteSession) -> Int32 {
    let text = String(decoding: PipedEditor().readRest(), as: UTF8.self)
    let hasCommands = text.split(separator: "\n").contains { $0.first == "." && $0.dropFirst().first?.isLetter == true }
    guard hasCommands else { return remote.evaluate(text) }
    let editor = PipedEditor(text: text)
    let request = BlockRequest(prompt: "", completeness: { isComplete($0, remote) })
    while case .block(let block, _) = editor.readBlock(request) {
      if case .quit = ShellInput(block) { break }
      let status = remote.evaluate(block)
      if status != 0 || remote.ending.hasExited { return status }
    }
    return 0
  }

  // MARK: The prompt

  private func prompt(_ remote: RemoteSession, _ surroundings: Surroundings, _ isResumed: Bool) -> Int32 {
    if !options.isQuiet {
      let text =
        "\(isResumed ? "back at" : "attached to") \(remote.welcome.banner) \(surroundings.charset.dot) .help for help"
      surroundings.say(surroundings.wrapped(surroundings.messageStyle(.note, text)) + "\n")
    }
    return prompt(remote, surroundings, Self.editor(surroundings, history(surroundings)) { remote })
  }

  /// The editor of a prompt, which shows what comes from `remote` while a line is typed.
  static func editor(
    _ surroundings: Surroundings, _ history: History, _ remote: @escaping () -> RemoteSession?
  ) -> ReadlineEditor {
    let sources = EventSources(
      descriptors: { remote()?.watched ?? [] },
      runTurn: { _ in
        guard let remote = remote() else { return }
        remote.showArrived()
        if let loss = remote.loss { surroundings.say(loss + "; Enter leaves\n") }
      })
    return ReadlineEditor(
      history: history, sources: sources, environment: surroundings.environment,
      style: surroundings.outputStyle, isAtLineStart: { surroundings.isAtLineStart })
  }

  /// Reads lines until the person or the session ends it.
  func prompt(_ remote: RemoteSession, _ surroundings: Surroundings, _ editor: ReadlineEditor) -> Int32 {
    surroundings.willPrint = { editor.hidePrompt() }
    defer { surroundings.willPrint = nil }
    let context = ShellContext { surroundings.show($0) }
    return ReadEvalPrintLoop(
      editor: editor, session: actions(remote, surroundings), registry: CommandRegistry(commands: []), context: context
    ).run()
  }

  private func actions(_ remote: RemoteSession, _ surroundings: Surroundings) -> ReadEvalPrintLoop.Actions {
    func shown(_ text: String) -> String { surroundings.outputStyle(.prompt, text + ">") + " " }
    return ReadEvalPrintLoop.Actions(
      prompt: { shown(remote.ending.prompt) },
      continuationPrompt: { line in
        let number = String(line)
        let space = max(remote.ending.prompt.terminalWidth - number.count, 0)
        return String(repeating: " ", count: space) + surroundings.outputStyle(.note, number + ">") + " "
      },
      completeness: { isComplete($0, remote) },
      completions: { text, offset in
        remote.ask(patience: 10) { .complete(id: $0, text, offset: offset) }.flatMap(Completions.init)
          ?? Completions(start: offset)
      },
      marks: {
        { text, offset in (remote.ask { .colours(id: $0, text, offset: offset) }).map(Self.marks) ?? [] }
      },
      arguments: { text in
        guard case .string(let hint)? = remote.ask({ .arguments(id: $0, text) }) else { return nil }
        return hint
      },
      evaluate: { source, _ in remote.evaluate(source) },
      evaluateSwift: { block, _ in remote.evaluate(block.text) },
      perform: { line, _ in remote.evaluate(line) },
      help: { name in _ = remote.evaluate("?" + name) },
      unsavedChangeCount: { remote.loss == nil ? remote.ending.unsavedCount : 0 },
      save: { remote.save() },
      report: { surroundings.say(surroundings.diagnosticText.terminal($0)) },
      hasExited: { remote.ending.hasExited || remote.loss != nil },
      stay: {},
      takeAnsweredRows: { remote.ending.rowCount },
      remark: { surroundings.say($0) })
  }

  private func isComplete(_ text: String, _ remote: RemoteSession) -> Completeness {
    remote.ask(patience: 10) { .isComplete(id: $0, text) } == .bool(false) ? .incomplete : .complete
  }

  /// The history of this socket, or of this program; one of this run alone where the file cannot be opened.
  func history(_ surroundings: Surroundings) -> History {
    guard let folder = HistoryStore.standardFolder(surroundings.environment),
      let store = try? HistoryStore(folder: folder), let whole = realpath(path, nil)
    else { return History() }
    defer { free(whole) }
    let place = String(cString: whole)
    return History(keeper: store.keeper { place })
  }

  /// The colours that a console sends for a line, in their order; those that overlap others are left out.
  static func marks(_ list: JSON) -> [(range: Range<Int>, role: Style.Role)] {
    guard case .array(let elements) = list else { return [] }
    let all = elements.compactMap { element -> (range: Range<Int>, role: Style.Role)? in
      guard case .array(let parts) = element, parts.count == 3, case .int(let start) = parts[0],
        case .int(let end) = parts[1], case .string(let word) = parts[2], let role = Style.Role(rawValue: word),
        0 <= start, start <= end
      else { return nil }
      return (Int(clamping: start)..<Int(clamping: end), role)
    }
    var end = 0
    return all.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { mark in
      guard mark.range.lowerBound >= end else { return false }
      end = mark.range.upperBound
      return true
    }
  }
}

extension Completions {
  /// Reads the candidates of a message.
  fileprivate init?(_ message: JSON) {
    guard case .object(let members) = message, case .int(let start)? = members["start"],
      case .array(let candidates)? = members["candidates"]
    else { return nil }
    var append: Character?
    if case .string(let text)? = members["append"] { append = text.first }
    self.init(
      start: Int(clamping: start),
      candidates: candidates.compactMap { candidate in
        guard case .array(let parts) = candidate, parts.count == 2, case .string(let text) = parts[0],
          case .string(let remark) = parts[1]
        else { return nil }
        return Candidate(text, remark)
      },
      appendCharacter: append, isWhole: members["whole"] == .bool(true))
  }
}
