internal import Glibc
package import LuaBindings
internal import Modeling
package import Presentation

// The errors of the shell's own Lua functions, in words.

extension UnknownColumn: ReportedError {
  var report: ErrorReport {
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return ErrorReport("argument", "\(owner) has no column '\(name)'\(hint)")
  }
}

extension ColumnFailure: ReportedError {
  var report: ErrorReport { ErrorReport("argument", "\(place): \(message)") }
}

extension NoSource: ReportedError {
  var report: ErrorReport { ErrorReport("argument", "no Lua source makes this value again: \(type)") }
}

extension FileFailure: ReportedError {
  package var report: ErrorReport { ErrorReport("file", sentence, exitStatus: ExitStatus.inputOutput) }
}

extension OutputFailure: ReportedError {
  package var report: ErrorReport {
    switch self {
    case .brokenPipe: ErrorReport("output", "the reader of the output has closed it", exitStatus: exitStatus)
    case .system(let errno):
      ErrorReport("output", "the output cannot be written: \(String(cString: strerror(errno)))", exitStatus: exitStatus)
    case .shortenedBlob(let count, _):
      ErrorReport(
        "output", "only the beginning of a value of \(Quantity.count(count, "byte")) is at hand", exitStatus: exitStatus
      )
    }
  }
}

/// A wrong argument of one of the shell's functions.
package struct ArgumentFailure: ReportedError {
  var function: String
  var message: String

  package init(function: String, message: String) {
    self.function = function
    self.message = message
  }

  package var report: ErrorReport { ErrorReport("argument", "\(function): \(message)") }
}
