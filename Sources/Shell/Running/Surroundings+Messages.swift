internal import Glibc
internal import Presentation
internal import Session

extension Surroundings {
  /// The layout of messages on standard error.
  var diagnosticText: DiagnosticText {
    DiagnosticText(style: messageStyle, charset: charset, width: window?.columns ?? 80)
  }

  /// How results are laid out now.
  var layout: Layout {
    var layout = Layout()
    (layout.style, layout.messageStyle) = (outputStyle, messageStyle)
    layout.charset = charset
    layout.isTerminal = outputIsTerminal
    layout.width = window?.columns
    layout.movesCursor =
      layout.isTerminal && heldWindow == nil && environment["TERM"] != "dumb"
    return layout
  }

  /// Text with words that are not cut at the window's edge.
  func wrapped(_ text: String) -> String { window.map { WordWrap.broken(text, in: $0.columns) } ?? text }

  /// Reports a failure without a file or line, and returns the status.
  func fail(_ message: String, _ status: Int32) -> Int32 {
    var diagnostic = Diagnostic(message)
    diagnostic.file = "perilune"
    say(diagnosticText.batch(diagnostic))
    return status
  }

  /// Prints a warning without failing.
  func warn(_ message: String) {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = .warning
    warn(diagnostic)
  }

  func warn(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    diagnostic.file = diagnostic.file ?? "perilune"
    say(wrapped(diagnosticText.batch(diagnostic)))
  }

  /// Prints a remark in the way of its kind. Texts may hold names from files, whose control characters are made visible.
  func show(_ remark: Remark, isAtPrompt: Bool) {
    let text = DisplayText.picturingControls(in: remark.text, charset, keepingLines: true)
    switch remark.kind {
    case .note: say(wrapped(messageStyle(.note, remark.heading) + text) + "\n")
    case .outcome: say(messageStyle(.note, remark.text) + "\n")
    case .slow, .entity: say(wrapped(messageStyle(.note, text)) + "\n")
    case .statement, .line: say("  " + (remark.kind == .line ? text : messageStyle(.note, text)) + "\n")
    case .done: say(remark.text + "\n")
    case .stopped: say((isAtPrompt ? "" : "perilune: ") + remark.text + "\n")
    case .warning: say("warning: " + text + "\n")
    case .report: say(remark.text)
    }
  }

  /// The line that is typed in answer to a question; nothing at the end of the input, or once `isInterrupted` says so.
  func answer(isInterrupted: () -> Bool) -> String {
    var bytes: [UInt8] = []
    while !isInterrupted() {
      var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(0, &byte, 1) == 1 else { break }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        messages.noteLineStart()
        return String(decoding: bytes, as: UTF8.self).trimmingPrefix(while: \.isWhitespace).description
      }
      bytes.append(byte)
    }
    say("\n")
    return ""
  }
}
