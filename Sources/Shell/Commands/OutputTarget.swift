internal import Glibc
internal import Presentation
internal import Session

/// The target of output instead of the terminal, for one block or for all that follow.
struct OutputTarget {
  /// Who gets it.
  enum Receiver {
    /// An open file.
    case file(Int32)
    /// An open file and the terminal.
    case copy(Int32)
    /// A command of the system's shell, started again for each block.
    case program(String)
  }

  let receiver: Receiver
  /// Whether it ends behind the next block.
  var isOnce = false

  /// Creates or truncates a file, and opens it.
  static func file(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno: errno, verb: "written") }
    return descriptor
  }

  /// Closes its file.
  func end() {
    switch receiver {
    case .file(let descriptor), .copy(let descriptor): close(descriptor)
    case .program: break
    }
  }
}

extension EngineSession {
  /// Runs `body` with standard output where `.output`, `.once` or `.tee` send it.
  func redirecting<Result>(_ body: () -> Result) -> Result {
    guard let target = outputTarget else { return body() }
    let count = outputChangeCount
    defer {
      // The block may have chosen another one.
      if target.isOnce, outputChangeCount == count {
        outputTarget = nil
        target.end()
      }
    }
    switch target.receiver {
    case .file(let file): return plainly { writing(to: file, body) }
    case .copy(let file): return plainly(isShown: true) { collecting(body) { text in Self.copy(text, to: [1, file]) } }
    case .program(let command): return plainly { collecting(body) { Self.run(command, input: $0) } }
    }
  }

  /// Runs `body`, whose output a command of the system's shell gets.
  func piping<Result>(into command: String, _ body: () -> Result) -> Result {
    let target = outputTarget
    outputTarget = OutputTarget(receiver: .program(command))
    defer { outputTarget = target }
    return plainly { collecting(body) { Self.run(command, input: $0) } }
  }

  /// Runs `body`, whose output is as if standard output were a file or a pipe: all rows, plain, of any width, and in the mode of
  /// programs unless a person reads it, too.
  private func plainly<Result>(isShown: Bool = false, _ body: () -> Result) -> Result {
    let outer = (surroundings.isRedirected, settings.isForPrograms)
    surroundings.isRedirected = true
    settings.isForPrograms = outer.1 || !isShown
    defer { (surroundings.isRedirected, settings.isForPrograms) = outer }
    return body()
  }

  private func writing<Result>(to file: Int32, _ body: () -> Result) -> Result {
    surroundings.flushOutput()
    let terminal = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard terminal >= 0, dup2(file, 1) >= 0 else { return body() }
    defer {
      surroundings.flushOutput()
      dup2(terminal, 1)
      Glibc.close(terminal)
    }
    return body()
  }

  /// Collects the output of `body` in a file without a name before `use` gets it: a program that leaves early stops nothing.
  func collecting<Result>(_ body: () -> Result, _ use: (Int32) -> Void) -> Result {
    var name = Array("/tmp/perilune.XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return body() }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    defer { Glibc.close(file) }
    let result = writing(to: file, body)
    lseek(file, 0, SEEK_SET)
    use(file)
    return result
  }

  static func copy(_ source: Int32, to targets: [Int32]) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &bytes, bytes.count)
      if count <= 0 { return }
      for target in targets {
        var written = 0
        while written < count {
          let step = bytes[written..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
          if step < 0, errno != EINTR { break }
          written += max(0, step)
        }
      }
    }
  }

  /// Runs a command with an open file as its input, and waits for it. Ctrl-C is the command's meanwhile.
  ///
  /// Returns false if there is no such command.
  @discardableResult static func run(_ command: String, input: Int32) -> Bool {
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    var before = sigaction()
    sigaction(SIGINT, &ignored, &before)
    defer { sigaction(SIGINT, &before, nil) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The shell's words for a command that cannot be run, and for one that is not there.
    let exited = status & 0x7f == 0 ? status >> 8 & 0xff : 0
    return exited != 126 && exited != 127
  }

  /// The two halves of `EXPRESSION | COMMAND`; nil for a line that Lua is to have.
  ///
  /// Lua's own `|` joins bits. A line is none of Lua where it does not compile, or where a command that the system has follows
  /// and no global is called so.
  func pipeline(_ line: String) -> (code: String, command: String)? {
    guard !engine.options.isSandboxed, line.contains("|") else { return nil }
    let isLua = engine.isExpression(line) || !engine.isMistake(line)
    for index in line.indices where line[index] == "|" {
      let code = line[..<index]
      let command = line[line.index(after: index)...].drop { $0 == " " }
      let name = String(command.prefix { !$0.isWhitespace })
      guard !command.isEmpty, engine.isExpression(String(code)), isProgram(name) else { continue }
      if isLua, isGlobal(name) || code.allSatisfy({ $0.isNumber || $0.isWhitespace }) { continue }
      return (String(code), String(command))
    }
    return nil
  }

  /// The two halves of `.COMMAND | COMMAND`; nil for a line whose sign is the command's own.
  func pipeline(command line: String) -> (code: String, command: String)? {
    guard !engine.options.isSandboxed, line.contains("|"),
      let command = session.registry.commands.first(where: { "." + $0.name == line.prefix { !$0.isWhitespace } }),
      command.mayBePiped
    else { return nil }
    var quote: Character?
    var before: Character?
    for index in line.indices {
      let sign = line[index]
      defer { before = sign }
      if quote != nil || sign == "'" || sign == "\"" {
        quote = quote == nil ? sign : quote == sign ? nil : quote
        continue
      }
      let program = line[index...].dropFirst().drop { $0 == " " }
      let name = String(program.prefix { !$0.isWhitespace })
      guard sign == "|", before != "|", !name.isEmpty else { continue }
      // SQL joins texts with ||, and bits of columns with |. Of other words the system's shell says that there is no such command.
      let isPlain = command.name != "sql" && !command.takesText && before == " "
      guard isPlain || isProgram(name) && !isColumn(name) else { continue }
      return (String(line[..<index]), String(program))
    }
    return nil
  }

  private func isColumn(_ name: String) -> Bool {
    (engine.store?.model.entities ?? []).contains { $0.index(of: name) != nil }
  }

  private func isGlobal(_ name: String) -> Bool {
    let stack = engine.lua.stack
    stack.reserve(2)
    defer { stack.pop() }
    return stack.pushGlobal(name) != .nil
  }

  private func isProgram(_ name: String) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    let folders = (surroundings.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return !name.isEmpty && folders.contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}
