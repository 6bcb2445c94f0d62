internal import Glibc
internal import LuaRuntime
internal import Modeling
package import Session

/// Standard input as the place of a script, or of rows of data.
package enum StandardInput {
  /// Whether what comes in is rows of data and no script: JSON, or lines of as many fields each that are no Lua.
  ///
  /// What a pipe brings is copied to a file without a name first, so that the script or the import reads it from its
  /// beginning.
  static func bringsData() -> Bool {
    guard isatty(0) == 0, makeSeekable() else { return false }
    var head = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(0, &head, head.count, 0)
    guard count > 0 else { return false }
    let bytes = Array(head.prefix(count))
    guard isRows(bytes, isAll: count < head.count) else { return false }
    return !isLua(bytes)
  }

  /// Takes standard input for rows of data: a name for it that can be opened more than once, from the beginning.
  static func takeAsData() -> String? {
    guard makeSeekable() else { return nil }
    let kept = dup(0)
    guard kept >= 0 else { return nil }
    return "/proc/self/fd/\(kept)"
  }

  /// Whether what comes in are values of JSON.
  static func isJSON() -> Bool {
    var head = [UInt8](repeating: 0, count: 4096)
    let count = pread(0, &head, head.count, 0)
    return count > 0 && isJSON(Array(head.prefix(count)))
  }

  /// Reads standard input from the terminal from now on, if there is one.
  static func continueAtTerminal() {
    guard isatty(1) == 1 || isatty(2) == 1 else { return }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return }
    dup2(terminal, 0)
    close(terminal)
  }

  /// When the time limit of the command line is over; nil if there is none. What has no end comes before anything that runs.
  nonisolated(unsafe) private static var deadline: Double?

  /// Has the time limit count from now on, for standard input as well.
  package static func limitTime(seconds: Double?) { deadline = seconds.map { monotonicSeconds() + $0 } }

  /// Makes standard input a file that can be read again. A pipe that could be kept only in part ends the process: its rest
  /// must not run as a script.
  private static func makeSeekable() -> Bool {
    var status = stat()
    guard fstat(0, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFREG { return true }
    do {
      let spooled = try SpooledText(reading: 0) { deadline.map { monotonicSeconds() > $0 } ?? false }
      // The file goes with the object, and is closed with it.
      return withExtendedLifetime(spooled) { dup2(spooled.descriptor, 0) == 0 }
    } catch {
      if error.isUnread { return false }
      if error.errorNumber == EINTR {
        let message = Array("perilune: error: the time limit ended before standard input did\n".utf8)
        _ = write(2, message, message.count)
        exit(ExitStatus.timeLimit)
      }
      let reason = String(cString: strerror(error.errorNumber))
      let message = Array("perilune: error: standard input cannot be kept in a temporary file: \(reason)\n".utf8)
      _ = write(2, message, message.count)
      exit(ExitStatus.inputOutput)
    }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func isRows(_ bytes: [UInt8], isAll: Bool) -> Bool {
    if isJSON(bytes) { return true }
    // A line that is cut off would count as one of fewer fields.
    let whole = isAll ? bytes : bytes.lastIndex(of: UInt8(ascii: "\n")).map { Array(bytes[...$0]) } ?? []
    let reader = DelimitedReader(bytes: whole, detectsDelimiter: true)
    var (rows, fields) = (0, 0)
    do {
      while try reader.next() { (rows, fields) = (rows + 1, reader.fieldCount) }
    } catch {
      return false
    }
    return rows > 1 && fields > 1
  }

  /// Whether Lua takes the text, or its beginning, for a script.
  private static func isLua(_ bytes: [UInt8]) -> Bool {
    guard bytes.first != UInt8(ascii: "#"), let lua = try? LuaState(memoryLimit: 64 << 20) else { return true }
    defer { lua.close() }
    do {
      try lua.load(bytes, name: "=stdin")
      return true
    } catch {
      return error.kind == .syntax(isIncomplete: true)
    }
  }
}

extension FileArgument {
  /// The meaning of a name on the command line; `-` is standard input.
  package init(argument name: String) {
    self = name == "-" ? StandardInput.bringsData() ? .data : .script : FileArgument(name)
  }
}
