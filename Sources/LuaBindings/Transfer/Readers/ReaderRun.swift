internal import CSpawn
internal import Compression
internal import Glibc
internal import Modeling

/// One run of a reader's program, whose standard output becomes an unnamed file of text.
enum ReaderRun {
  /// Why a program gave no rows.
  enum Failure: Error {
    /// It cannot be started.
    case notStarted(program: String, errorNumber: Int32)
    /// It ended with a status, or by a signal, and wrote so to its standard error.
    case failed(program: String, ending: String, words: String)
  }

  /// The milliseconds between two looks at a program that has closed its output.
  private static let patience: Int32 = 10
  /// How much of what a program says about an error is shown, in bytes.
  private static let mostWords = 2_000

  /// What a reader's program writes for a file; the program ends soon after `shouldStop` says so.
  ///
  /// - Throws: Failure, SpooledText.Failure, CompressionError.
  static func output(of reader: Reader, for file: String, shouldStop: @escaping () -> Bool) throws -> SpooledText {
    let words = try SpooledText(shouldStop) { _ in }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CompressionError.unreadable(errorNumber: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let child = try start(reader, file, output: ends[1], errors: words.descriptor)
    let text: SpooledText
    let status: Int32
    do {
      text = try SpooledText(reading: ends[0], shouldStop: shouldStop)
      status = try wait(for: child, shouldStop)
    } catch {
      kill(-child, SIGKILL)
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      throw error
    }
    guard status != 0 else { return text }
    let ending = status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    throw Failure.failed(program: reader.words[0], ending: ending, words: Self.words(in: words.descriptor))
  }

  /// Starts the program in a group of its own, so that its children end with it. It closes `output` here.
  private static func start(_ reader: Reader, _ file: String, output: Int32, errors: Int32) throws -> pid_t {
    defer { close(output) }
    // A name that begins with a hyphen must not be an option.
    let name = file.hasPrefix("-") ? "./" + file : file
    let words =
      reader.words.map { (word: String) -> UnsafeMutablePointer<CChar>? in
        strdup(word == Reader.file ? name : word)
      } + [nil]
    let variable = strdup("\(Reader.variable)=\(name)")
    defer { (words + [variable]).forEach { free($0) } }
    var child = pid_t()
    // It ends with this process, also where that is killed.
    let code =
      reader.program.map { spawn_bound(&child, $0, words, environment(with: variable), output, errors) } ?? ENOENT
    guard code == 0 else { throw Failure.notStarted(program: reader.words.first ?? "", errorNumber: code) }
    return child
  }

  /// The environment of this process and one variable more.
  private static func environment(with variable: UnsafeMutablePointer<CChar>?) -> [UnsafeMutablePointer<CChar>?] {
    var all: [UnsafeMutablePointer<CChar>?] = [variable]
    var next = environ
    while let text = next.pointee {
      all.append(text)
      next += 1
    }
    return all + [nil]
  }

  private static func wait(for child: pid_t, _ shouldStop: () -> Bool) throws -> Int32 {
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child || (ended < 0 && errno != EINTR) { return status }
      if shouldStop() { throw CompressionError.unreadable(errorNumber: EINTR) }
      poll(nil, 0, patience)
    }
  }

  /// The end of what the program has written to its standard error.
  private static func words(in descriptor: Int32) -> String {
    let size = lseek(descriptor, 0, SEEK_END)
    lseek(descriptor, max(0, size - off_t(mostWords)), SEEK_SET)
    let text = String(decoding: readToEnd(descriptor), as: UTF8.self)
    return text.split { $0.isNewline }.map { String($0) }.joined(separator: "; ")
  }
}
