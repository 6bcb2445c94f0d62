import Foundation
import Glibc
import TestSupport

/// A program in a terminal of its own, typed into and read from.
final class Terminal {
  private var primary: Int32
  private let process = Process()

  // TIOCSPTLCK and TIOCGPTN; Swift does not import them, nor posix_openpt and its kin.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(_ command: [String], columns: UInt16, in folder: TemporaryFolder, kind: String = "dumb") throws {
    primary = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0, number: Int32 = -1
    var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(primary, Self.setLock, &lock) == 0, ioctl(primary, Self.getNumber, &number) == 0,
      ioctl(primary, UInt(TIOCSWINSZ), &size) == 0
    else { throw Failure(description: "there is no pseudo-terminal: \(String(cString: strerror(errno)))") }
    let secondary = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let handle = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = Perilune.environment(home: folder.url).merging(["TERM": kind]) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    process.terminate()
    if primary >= 0 { close(primary) }
  }

  /// Makes the window higher or lower.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(primary, UInt(TIOCSWINSZ), &size)
    // The terminal is not the one that controls the program.
    kill(process.processIdentifier, SIGWINCH)
  }

  /// Closes the window, and waits until the program has noticed that.
  func closeWindow() {
    close(primary)
    primary = -1
    process.waitUntilExit()
  }

  /// Waits until the program ends.
  func waitUntilExit() { process.waitUntilExit() }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(primary, bytes, bytes.count)
  }

  /// Sends the program what Ctrl-C at a terminal of its own would send.
  func interrupt() { process.interrupt() }

  /// Reads until the text that came so far is as it should be.
  func readUntil(_ isThere: (String) -> Bool) throws {
    var bytes: [UInt8] = []
    let deadline = Date(timeIntervalSinceNow: 120)
    while Date() < deadline {
      let text = Self.lines(bytes).joined(separator: "\n")
      if isThere(text) { return }
      var descriptor = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 500) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(primary, &chunk, chunk.count)
      guard count > 0 else { throw Failure(description: "the program ended:\n\(text)") }
      bytes += chunk[..<count]
    }
    throw Failure(description: "it did not come:\n\(Self.lines(bytes).joined(separator: "\n"))")
  }

  /// What is shown until the program waits at a prompt; the prompt is the last line.
  func readToPrompt(isPrompt: (String) -> Bool) throws -> [String] {
    var bytes: [UInt8] = []
    let deadline = Date(timeIntervalSinceNow: 120)
    while Date() < deadline {
      var descriptor = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
      let lines = Self.lines(bytes)
      let atPrompt = lines.last.map(isPrompt) ?? false
      guard poll(&descriptor, 1, atPrompt ? 60 : 500) > 0 else {
        if atPrompt { return lines }
        continue
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(primary, &chunk, chunk.count)
      guard count > 0 else { throw Failure(description: "the program ended:\n\(lines.joined(separator: "\n"))") }
      bytes += chunk[..<count]
    }
    throw Failure(description: "no prompt came:\n\(Self.lines(bytes).joined(separator: "\n"))")
  }

  /// Lines without control sequences.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    // A carriage return and a newline would be one character.
    String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
