import Glibc

import func Modeling.monotonicSeconds

@testable import Shell

/// A program on a terminal of its own, typed into and read by a test.
///
///     let session = try PTYSession(executable: path, arguments: [], environment: ["TERM": "xterm"])
///     session.send("1 + 1\r")
///     try session.expect("2")
final class PTYSession {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let terminal: Int32
  let process: pid_t
  private(set) var screen: Screen
  /// All that was printed.
  private(set) var output: [UInt8] = []
  /// What of the transcript earlier expectations used up.
  private var position = 0
  private var status: Int32?

  init(
    executable: String, arguments: [String], environment: [String: String], columns: Int = 80, rows: Int = 24
  ) throws {
    screen = Self.screen(columns, rows)
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, macros that Swift cannot read.
    let (unlockRequest, numberRequest): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var number: UInt32 = 0
    var locked: Int32 = 0
    guard terminal >= 0, ioctl(terminal, unlockRequest, &locked) == 0, ioctl(terminal, numberRequest, &number) == 0
    else { throw Failure(description: "no terminal: \(errno)") }
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    process = try Self.spawn(executable, arguments, environment, terminal: "/dev/pts/\(number)")
  }

  /// A screen that can be drawn on: one of a few columns is not compared.
  private static func screen(_ columns: Int, _ rows: Int) -> Screen {
    Screen(columns: max(columns, 8), rows: max(rows, 4))
  }

  deinit {
    if status == nil { kill(process, SIGKILL) }
    _ = try? waitForExit()
    close(terminal)
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String: String], terminal: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes its own.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let words = ([executable] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, executable, &actions, &attributes, words, variables)
    guard code == 0 else { throw Failure(description: "cannot start \(executable): \(code)") }
    return process
  }

  /// Types.
  func send(_ text: String) { send(bytes: Array(text.utf8)) }

  /// Types bytes that need not be text.
  func send(bytes: [UInt8]) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = write(terminal, Array(bytes), bytes.count)
      if count > 0 { bytes = bytes.dropFirst(count) } else { pump(milliseconds: 10) }
    }
  }

  /// Waits until `text` was printed after what was expected before. Colours and cursor movements do not count.
  func expect(_ text: String, seconds: Double = 60) throws {
    let deadline = monotonicSeconds() + seconds
    while true {
      let printed = transcript
      let rest = printed[printed.index(printed.startIndex, offsetBy: min(position, printed.count))...]
      if let found = rest.firstRange(of: text) {
        position = printed.distance(from: printed.startIndex, to: found.upperBound)
        return
      }
      guard monotonicSeconds() < deadline, pump(milliseconds: 20) else {
        throw Failure(
          description: "expected \(text.debugDescription), found \(String(rest).debugDescription)\n\(screen)")
      }
    }
  }

  /// Waits until the screen is as it should be.
  func expectScreen(seconds: Double = 60, _ condition: (Screen) -> Bool) throws {
    let deadline = monotonicSeconds() + seconds
    while !condition(screen) {
      guard monotonicSeconds() < deadline, pump(milliseconds: 20) else { throw Failure(description: "\(screen)") }
    }
  }

  /// Waits until the cursor is at an empty prompt. The prompt's text alone says less: each key draws it once more.
  func expectPrompt(_ prompt: String = "quakes>") throws {
    try expectScreen { $0.currentLine == prompt }
    position = transcript.count
  }

  /// Reads what comes within a time that is long enough for an answer.
  func settle(milliseconds: Int = 150) {
    let deadline = monotonicSeconds() + Double(milliseconds) / 1_000
    while monotonicSeconds() < deadline, pump(milliseconds: 10) {}
  }

  func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    let drawn = Self.screen(columns, rows)
    screen.resize(columns: drawn.columns, rows: drawn.rows)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  func signal(_ number: Int32) {
    kill(process, number)
  }

  /// The exit status, or 128 and the number of the signal that ended the program.
  @discardableResult
  func waitForExit(seconds: Double = 60) throws -> Int32 {
    if let status { return status }
    let deadline = monotonicSeconds() + seconds
    var raw: Int32 = 0
    while waitpid(process, &raw, WNOHANG) == 0 {
      pump(milliseconds: 10)
      guard monotonicSeconds() < deadline else { throw Failure(description: "still running\n\(screen)") }
    }
    // A terminal gives what is left in pieces.
    var before: Int
    repeat {
      before = output.count
      pump(milliseconds: 0)
    } while output.count > before
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
    status = code
    return code
  }

  /// What was printed, without colours and cursor movements.
  var transcript: String {
    String(decoding: output, as: UTF8.self).replacing(#/\u{1B}(\[[0-9;?]*[A-Za-z]|[=>()][0B]?)|\r|\u{7}/#, with: "")
      .replacing("\r\n", with: "\n")
  }

  /// Reads what has come; false when the terminal was closed.
  @discardableResult
  private func pump(milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(terminal, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    output += bytes[..<count]
    screen.write(bytes[..<count])
    return true
  }
}
