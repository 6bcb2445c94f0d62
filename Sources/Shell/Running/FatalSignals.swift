internal import Glibc
internal import LuaBindings
internal import Terminal

/// The signals that end the process: the terminal is given back, one line says which it was and how many changes were not
/// saved, and then the signal does what it always does.
///
///     perilune: signal 11 ended the process; 3 unsaved changes are lost
///
/// What ends the process by a request of others says nothing where nothing is lost. The handler calls only what is safe in
/// one: it makes no text, allocates nothing, and reads memory that is never freed.
enum FatalSignals {
  /// Those that mistakes of the program raise.
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
  /// Those that others send.
  private static let requests = [SIGTERM, SIGHUP, SIGQUIT]

  /// The state of the handler.
  private struct Prepared {
    /// The former actions of the signals, by their numbers.
    let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    let digits = UnsafeMutablePointer<UInt8>.allocate(capacity: 20)
  }

  nonisolated(unsafe) private static let prepared: UnsafeMutablePointer<Prepared> = {
    let prepared = UnsafeMutablePointer<Prepared>.allocate(capacity: 1)
    prepared.initialize(to: Prepared())
    prepared.pointee.former.initialize(repeating: sigaction(), count: 65)
    prepared.pointee.digits.initialize(repeating: 0, count: 20)
    return prepared
  }()

  /// Takes the signals, once. One that is ignored, as nohup has it, stays so.
  static func install() {
    guard !isInstalled else { return }
    isInstalled = true
    // A stack of its own: a fault may be the end of the other one.
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    // The handler must not be the first to touch what it reads.
    _ = (prepared, OpenStores.unsavedChangeCountOfProcess)
    for number in faults + requests {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, info, _ in
        FatalSignals.end(number, isFault: (info?.pointee.si_code ?? 0) > 0)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(number, nil, &prepared.pointee.former[Int(number)])
      let former = prepared.pointee.former[Int(number)].__sigaction_handler.sa_handler
      if unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) { sigaction(number, &action, nil) }
    }
  }

  nonisolated(unsafe) private static var isInstalled = false

  private static func end(_ number: Int32, isFault: Bool) {
    SavedTerminal.restore()
    let count = OpenStores.unsavedChangeCountOfProcess
    let isRequest = number == SIGTERM || number == SIGHUP || number == SIGQUIT
    if count > 0 || !isRequest {
      say("\nperilune: signal ")
      say(Int(number))
      say(" ended the process; ")
      if count > 0 {
        say(count)
        say(count == 1 ? " unsaved change is lost\n" : " unsaved changes are lost\n")
      } else {
        say("no change was unsaved\n")
      }
    }
    sigaction(number, &prepared.pointee.former[Int(number)], nil)
    // An instruction that failed fails again. A signal that was sent is sent again, and comes when the handler has
    // returned.
    if !isFault || number == SIGTRAP || isRequest { raise(number) }
  }

  private static func say(_ text: StaticString) { _ = write(2, text.utf8Start, text.utf8CodeUnitCount) }

  private static func say(_ number: Int) {
    let digits = prepared.pointee.digits
    var (rest, place) = (number, 20)
    repeat {
      place -= 1
      digits[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    } while rest > 0 && place > 0
    _ = write(2, digits + place, 20 - place)
  }
}
